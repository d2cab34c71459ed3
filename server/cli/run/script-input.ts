/** Reads the lines of a script one after another: the next one is read when the one before is done. */
import type { Readable } from "node:stream";
import { abortable, untilAborted } from "@/server/base/abort";
import { parseScriptLine, type ScriptError, type ScriptRequest } from "./script-line";

/** Larger than a prompt of the greatest length whose characters are all escaped. */
export const lineMaxChars = 2_000_000;

export interface ScriptLine {
  /** From 1 on. */
  readonly number: number;
  readonly content: ScriptRequest | ScriptError;
}

export interface ScriptInput {
  /** The same line until `next`; null = the input has ended. Rejects with the signal's reason. */
  current(signal: AbortSignal): Promise<ScriptLine | null>;
  next(): void;
  /** Resolves at the end of the input. Rejects with the signal's reason. */
  ended(signal: AbortSignal): Promise<void>;
  /** Ends the input: the lines that follow are not read. */
  close(): void;
}

export function openScriptInput(input: Readable): ScriptInput {
  const closed = new AbortController();
  const end = untilAborted(closed.signal).then(() => null);
  const lines = readScriptLines(input.setEncoding("utf8"));
  const read = async (): Promise<ScriptLine | null> => {
    // An input that fails has ended.
    const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true }));
    if (done !== true && value !== undefined) return value;
    closed.abort();
    return null;
  };
  let line: Promise<ScriptLine | null> | null = null;
  return {
    current(signal) {
      line ??= read();
      return abortable(Promise.race([end, line]), signal);
    },
    next() {
      line = null;
    },
    ended: async (signal) => void (await abortable(end, signal)),
    close() {
      closed.abort();
      input.destroy();
    },
  };
}

/** Splits the input into lines, without the blank ones. Of a line over `lineMaxChars` nothing is kept. */
export async function* readScriptLines(input: AsyncIterable<string>): AsyncGenerator<ScriptLine> {
  let number = 1;
  let line = "";
  let isTooLong = false;
  const end = (): ScriptLine | null => {
    const message = `the line is longer than ${lineMaxChars} characters`;
    const content = isTooLong ? ({ code: "too_large", message } as const) : parseScriptLine(line);
    return isTooLong || line.trim() !== "" ? { number, content } : null;
  };
  for await (const chunk of input) {
    for (const [index, piece] of chunk.split("\n").entries()) {
      if (index > 0) {
        const ended = end();
        if (ended !== null) yield ended;
        number += 1;
        line = "";
        isTooLong = false;
      }
      isTooLong ||= line.length + piece.length > lineMaxChars;
      line = isTooLong ? "" : line + piece;
    }
  }
  const last = end();
  if (last !== null) yield last;
}
