/** Output of a process, in bounded memory. */
import { expect, test } from "vitest";
import { runSteps } from "@/lib/async/steps";
import { makeRedactor } from "@/server/security/redaction/redact";
import { makeOutputLines, type OutputLine } from "./line-reader";
import { makeProcessLog } from "@/server/security/redaction/process-log";

const makeLog = (...secrets: readonly string[]) => makeProcessLog(makeRedactor({ secrets, homes: [] }));

test("the log has the newest 64 KB", () => {
  const log = makeLog();
  for (let index = 0; index < 20_000; index += 1) log.add(`line ${index}`);
  const lines = log.lines();
  expect(lines.join("\n").length).toBeLessThanOrEqual(65_536);
  expect(lines.length).toBeGreaterThan(5_000);
  expect(lines.at(-1)).toBe("line 19999");
  expect(log.lines(2)).toEqual(["line 19998", "line 19999"]);
});

test("a secret is masked although it arrives in two chunks, and control sequences are not shown", () => {
  const log = makeLog("hunter2-hunter2");
  log.addChunk("\u001b[31mkey hunter2-");
  log.addChunk("hunter2 read\u001b[0m\n");
  expect(log.lines()).toEqual(["key ••• read"]);
});

function readAll(limit: number, ...chunks: readonly string[]): readonly OutputLine[] {
  const lines: OutputLine[] = [];
  const reader = makeOutputLines(limit);
  for (const chunk of chunks) runSteps(reader.feed(Buffer.from(chunk), (line) => void lines.push(line)));
  const rest = reader.end();
  return rest === null ? lines : [...lines, rest];
}

test("lines are independent of the chunks, also within a character", () => {
  const text = "eins\r\nzwei ä€\n\nrest";
  const expected = ["eins", "zwei ä€", "", "rest"].map((one) => ({ kind: "line", text: one }));
  expect(readAll(100, text)).toEqual(expected);
  const reader = makeOutputLines(100);
  const lines: OutputLine[] = [];
  for (const byte of Buffer.from(text)) runSteps(reader.feed(Buffer.from([byte]), (line) => void lines.push(line)));
  expect([...lines, reader.end()]).toEqual(expected);
});

test("of a line over the limit both ends are kept, and the next line is whole", () => {
  const long = `start${"x".repeat(2_000)}end`;
  const chunks = [long.slice(0, 700), long.slice(700, 1_500), `${long.slice(1_500)}\nnext\n`];
  const [first, second] = readAll(1_000, ...chunks);
  expect(first).toMatchObject({ kind: "long", bytes: 2_008 });
  expect(first?.kind === "long" && [first.head.slice(0, 6), first.tail.slice(-4)]).toEqual(["startx", "xend"]);
  expect(second).toEqual({ kind: "line", text: "next" });
});
