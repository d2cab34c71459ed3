import { describe, expect, test } from "vitest";
import { asId, type BlobId } from "@/lib/events/id";
import { longestHoldMs } from "@/lib/testing/test-cpu";
import { makeOutputSink } from "./output-sink";

function sinkWith(maxBytes: number, spillBytes: number) {
  const spilled: string[] = [];
  const sink = makeOutputSink({
    maxBytes,
    spillBytes,
    keep: async (content) => {
      spilled.push(Buffer.from(content).toString("utf8"));
      return asId<BlobId>(`b${spilled.length}`);
    },
  });
  return { sink, kept: spilled };
}

const rows = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `row ${from + index}\n`).join("");

describe("makeOutputSink", () => {
  test("returns short output whole, without a blob", async () => {
    const { sink, kept } = sinkWith(400, 10_000);
    sink.write("a\n");
    sink.write("b\n");
    expect(await sink.end("both")).toEqual({ text: "a\nb\n", bytes: 4, cut: false });
    expect(kept).toEqual([]);
  });

  test("cuts long output to head and tail and stores the whole as a blob", async () => {
    const { sink, kept } = sinkWith(400, 100_000);
    for (let at = 0; at < 1_000; at += 10) sink.write(rows(at, at + 10));
    const end = await sink.end("both");
    expect(kept).toEqual([rows(0, 1_000)]);
    expect(end).toMatchObject({ bytes: rows(0, 1_000).length, blob: "b1", cut: true });
    expect(end.text.slice(end.note?.from, end.note?.to)).toMatch(/^\n\[\.\.\. left out here: [^\n]*\]\n$/);
    expect(end.text.startsWith("row 0\nrow 1\n")).toBe(true);
    expect(end.text.endsWith("row 998\nrow 999\n")).toBe(true);
    expect(Buffer.byteLength(end.text)).toBeLessThanOrEqual(400);
  });

  test("states the omitted bytes and lines", async () => {
    const { sink } = sinkWith(400, 100_000);
    for (let at = 0; at < 1_000; at += 10) sink.write(rows(at, at + 10));
    const { text } = await sink.end("both");
    const shown = text.split("\n").filter((line) => line.startsWith("row "));
    const left = rows(0, 1_000).length - shown.join("\n").length - "\n".length;
    const [, bytes, total, lines] = /left out here: (\d+) of (\d+) bytes, about (\d+) lines/.exec(text) ?? [];
    expect(Number(total)).toBe(rows(0, 1_000).length);
    // The line break before the note may count on either side.
    expect(Math.abs(Number(bytes) - left)).toBeLessThanOrEqual(1);
    expect(Math.abs(Number(lines) - (1_000 - shown.length))).toBeLessThanOrEqual(1);
  });

  test("beyond the spill limit the blob ends, but the tail is the real end", async () => {
    const { sink, kept } = sinkWith(400, 2_000);
    for (let at = 0; at < 5_000; at += 10) sink.write(rows(at, at + 10));
    const end = await sink.end("both");
    expect(kept[0]?.length).toBeLessThanOrEqual(2_000);
    expect(rows(0, 5_000).startsWith(kept[0] ?? "none")).toBe(true);
    expect(end.bytes).toBe(rows(0, 5_000).length);
    expect(end.text).toMatch(
      /^row 0\n[^]*\[\.\.\. left out here: \d+ of \d+ bytes, about \d+ lines \.\.\.]\n[^]*row 4999\n$/,
    );
    expect(Buffer.byteLength(end.text)).toBeLessThanOrEqual(400);
  });

  test("does not split characters of a chunk larger than the spill limit", async () => {
    const { sink } = sinkWith(401, 1_000);
    sink.write("x");
    sink.write("的".repeat(50_000));
    const end = await sink.end("both");
    expect(end.text).not.toContain("\ufffd");
    expect(end.bytes).toBe(150_001);
    expect(Buffer.byteLength(end.text)).toBeLessThanOrEqual(401);
  });

  describe("of a failed command", () => {
    const failing = (before: number, after: number): string =>
      `${rows(0, before)}src/a.ts\nthe test\nError: expected 1\n${rows(before, before + after)}`;
    async function collect(output: string, keep: "both" | "failure" = "failure", spillBytes = 10_000_000) {
      const { sink } = sinkWith(600, spillBytes);
      sink.write(output);
      return sink.end(keep);
    }

    test("begins at the first failure in the omitted middle, with a note for each omitted part", async () => {
      const output = failing(20_000, 1_000);
      const end = await collect(output);
      const before = output.indexOf("src/a.ts");
      expect(end.text).toMatch(
        /^\[\.\.\. left out before: \d+ bytes, about 20000 lines \.\.\.\]\nsrc\/a\.ts\nthe test\nError: expected 1\n[^]*\n\[\.\.\. left out here: [^\n]*\]\n[^]*row 20999\n$/,
      );
      expect(end.text).toContain(`left out before: ${before} bytes`);
      expect(end.text.slice(end.start).startsWith("src/a.ts\n")).toBe(true);
      expect(end.text.slice(end.note?.from, end.note?.to)).toMatch(/^\n\[\.\.\. left out here: [^\n]*\]\n$/);
      expect(Buffer.byteLength(end.text)).toBeLessThanOrEqual(600);
    });

    test("is whole from the failure on if that fits", async () => {
      const end = await collect(failing(1_000, 25));
      expect(end.note).toBeUndefined();
      expect(end.text.slice(end.start)).toBe(failing(1_000, 25).slice(rows(0, 1_000).length));
      expect(Buffer.byteLength(end.text)).toBeLessThanOrEqual(600);
    });

    test.each([
      ["its start has the failure", failing(2, 1_000)],
      ["its end has the failure", failing(1_000, 2)],
      ["it has none", rows(0, 1_000)],
      ["it is one line of wide characters", "的".repeat(50_000)],
    ])("keeps start and end if %s", async (_name, output) => {
      const end = await collect(output);
      expect(end).toEqual(await collect(output, "both"));
      expect(end.text).not.toContain("\ufffd");
    });

    test("of any size is searched without holding the event loop", async () => {
      const output = `${rows(0, 1_000_000)}Error: broken\n${rows(0, 1_000)}`;
      const held = await longestHoldMs(async () => {
        const { sink } = sinkWith(600, 50_000_000);
        for (let at = 0; at < output.length; at += 65_536) sink.write(output.slice(at, at + 65_536));
        return () => sink.end("failure");
      }, 50);
      expect(held).toBeLessThan(50);
    });

    test("keeps start and end if the output is larger than what is held", async () => {
      const output = failing(5_000, 5_000);
      expect(await collect(output, "failure", 2_000)).toEqual(await collect(output, "both", 2_000));
    });
  });
});
