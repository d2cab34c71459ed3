import { describe, expect, it, test } from "vitest";
import { makeOllamaReader } from "../ollama/ollama";
import type { ModelPart } from "../provider";
import { collect, mergeModelParts } from "../provider.contract";
import { type AnswerReader, joinedPartChars, streamAnswer } from "./answer-stream";
import { brokenAnswer, toProviderError } from "./wire-errors";

const around = { model: "m", created_at: "2030-01-01T00:00:00Z" };
const wrap = (message: object): object => ({
  ...around,
  message: { role: "assistant", content: "", ...message },
  done: false,
});
const last = { ...around, message: { role: "assistant", content: "" }, done: true, done_reason: "stop", eval_count: 3 };
const call = wrap({ tool_calls: [{ function: { name: "ls", arguments: {} } }] });

async function* chunksOf<T>(...chunks: readonly T[]): AsyncGenerator<T> {
  yield* chunks;
}
const stream = (chunks: AsyncIterable<Uint8Array>, reader: AnswerReader) =>
  streamAnswer(
    () => Promise.resolve(chunks),
    reader,
    (cause) => toProviderError(cause, "host"),
    new AbortController().signal,
  );

/** Parts of the lines, each in a packet of its own or all in one, without the last part. */
async function partsOf(lines: readonly object[], packets: "one" | "each"): Promise<readonly ModelPart[]> {
  const texts = [...lines, last].map((line) => `${JSON.stringify(line)}\n`);
  const encoded = (packets === "one" ? [texts.join("")] : texts).map((text) => new TextEncoder().encode(text));
  return (await collect(stream(chunksOf(...encoded), makeOllamaReader("m", 1_000_000)))).slice(0, -1);
}

describe("text of one packet", () => {
  it("becomes one part with the number of its pieces", async () => {
    const lines = ["one", " two", " three"].map((content) => wrap({ content }));
    expect(await partsOf(lines, "one")).toEqual([{ type: "text", text: "one two three", pieces: 3 }]);
  });

  it("stays as sent when single", async () => {
    const lines = [wrap({ content: "one" }), wrap({ thinking: "hm" }), wrap({ content: "two" })];
    expect(await partsOf(lines, "one")).toEqual([
      { type: "text", text: "one" },
      { type: "thinking", text: "hm", field: "thinking" },
      { type: "text", text: "two" },
    ]);
  });

  it("gives the same answer as separate packets, whatever is between the lines", async () => {
    const lines = [
      wrap({ thinking: "I" }),
      wrap({ thinking: " see" }),
      wrap({ content: "<" }),
      wrap({ content: "think" }),
      wrap({ content: "" }),
      wrap({ content: "\ud83d" }),
      wrap({ content: "\ude00" }),
      call,
      wrap({ content: "a" }),
      wrap({ content: "b" }),
      wrap({ content: "c", thinking: "d" }),
      { ...wrap({ content: "e" }), error_code: 1 },
      wrap({ content: "f", images: [], tool_calls: [] }),
    ];
    const together = await partsOf(lines, "one");
    const separate = await partsOf(lines, "each");
    expect(together.length).toBeLessThan(separate.length);
    expect(mergeModelParts(together)).toEqual(mergeModelParts(separate));
  });

  it("is limited to a length that the loop guards can miss", async () => {
    const word = "x".repeat(joinedPartChars / 4);
    const parts = await partsOf(
      Array.from({ length: 10 }, () => wrap({ content: word })),
      "one",
    );
    expect(parts.map((part) => (part.type === "text" ? part.text.length : 0))).toEqual(
      [4, 4, 2].map((count) => count * word.length),
    );
  });

  it("is not joined across a call", async () => {
    const parts = await partsOf([wrap({ content: "a" }), call, wrap({ content: "b" })], "one");
    expect(parts.map(({ type }) => type)).toEqual(["text", "call", "text"]);
  });

  it("has one piece per line, whatever the server counts", async () => {
    expect(await partsOf([{ ...wrap({ content: "abc" }), pieces: 1e9 }], "one")).toEqual([
      { type: "text", text: "abc" },
    ]);
  });

  it("comes before the fault that follows it in the packet", async () => {
    const reader: AnswerReader = {
      *take() {
        yield [{ type: "text", text: "a" }];
        yield [{ type: "text", text: "b" }];
        throw brokenAnswer("x");
      },
      end: () => [],
    };
    const parts = stream(chunksOf(new Uint8Array(1)), reader);
    expect(await parts.next()).toEqual({ done: false, value: { type: "text", text: "ab", pieces: 2 } });
    expect(await parts.next()).toMatchObject({ done: true, value: { error: { code: "bad_answer" } } });
  });
});

test("other work runs between the lines of one packet", async () => {
  let turns = 0;
  let running = true;
  const count = (): void => {
    turns += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  const reader: AnswerReader = {
    *take(bytes) {
      for (const byte of bytes) {
        for (const end = performance.now() + 11; performance.now() < end; );
        yield [{ type: "text", text: String(byte) }];
      }
    },
    end: () => [],
  };
  await collect(stream(chunksOf(new Uint8Array(50)), reader));
  running = false;
  expect(turns).toBeGreaterThanOrEqual(50);
});
