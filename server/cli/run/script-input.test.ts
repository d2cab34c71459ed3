import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { neverAborted } from "@/server/base/abort";
import { lineMaxChars, openScriptInput, readScriptLines, type ScriptLine } from "./script-input";

async function readAll(...chunks: readonly string[]): Promise<readonly ScriptLine[]> {
  const lines: ScriptLine[] = [];
  for await (const line of readScriptLines(Readable.from(chunks))) lines.push(line);
  return lines;
}

const abort = { type: "abort" };

test.each<[name: string, chunks: readonly string[], numbers: readonly number[]]>([
  ["LF", ['{"type":"abort"}\n{"type":"abort"}\n'], [1, 2]],
  ["CRLF", ['{"type":"abort"}\r\n{"type":"abort"}\r\n'], [1, 2]],
  ["no final line end", ['{"type":"abort"}\n{"type":"abort"}'], [1, 2]],
  ["blank lines, which are counted", ['\n \r\n{"type":"abort"}\n\n{"type":"abort"}\n'], [3, 5]],
  ["lines over several chunks", ['{"ty', 'pe":"abort"}\n{"type"', ':"abort"}'], [1, 2]],
  ["nothing", [], []],
])("%s", async (_name, chunks, numbers) => {
  expect(await readAll(...chunks)).toEqual(numbers.map((number) => ({ number, content: abort })));
});

test("a line over the limit is refused, and the next one is read", async () => {
  const message = `the line is longer than ${lineMaxChars} characters`;
  expect(await readAll("x".repeat(lineMaxChars), `x"}\n{"type":"abort"}\n${"x".repeat(lineMaxChars + 1)}`)).toEqual([
    { number: 1, content: { code: "too_large", message } },
    { number: 2, content: abort },
    { number: 3, content: { code: "too_large", message } },
  ]);
});

test("a line stays the current one until the next is requested, also when a wait for it was aborted", async () => {
  const stream = new PassThrough();
  const input = openScriptInput(stream);
  const gone = new AbortController();
  const waiting = input.current(gone.signal);
  gone.abort(new Error("lost"));
  await expect(waiting).rejects.toThrow("lost");
  stream.write('{"type":"abort"}\n');
  expect(await input.current(neverAborted)).toEqual({ number: 1, content: abort });
  expect(await input.current(neverAborted)).toEqual({ number: 1, content: abort });
  input.next();
  stream.end();
  expect(await input.current(neverAborted)).toBeNull();
  await input.ended(neverAborted);
});

test("closing ends the input, and a wait for a line", async () => {
  const input = openScriptInput(new PassThrough());
  const waiting = input.current(neverAborted);
  input.close();
  expect(await waiting).toBeNull();
  await input.ended(neverAborted);
});
