/**
 * Server-sent events out of bytes, however they were split on the way, and out of what servers send in place of them: data
 * lines without the empty line between, JSON over several lines, bare JSON lines. Called by openai-fetch.
 */
import { limits } from "@/lib/settings";
import { makeLineReader } from "./ndjson";
import { ProviderError } from "./provider";
import { brokenAnswer } from "./wire-errors";

/** `done` = the server said that this is all. `error` = the server named the event so. */
export type ServerEvent =
  | { readonly type: "data"; readonly value: object; readonly error: boolean }
  | { readonly type: "done" };

export interface EventReader {
  /** The events these bytes completed. Throws `bad_answer` at bytes that are none; `sound` of the error = those before it. */
  push(bytes: Uint8Array): readonly ServerEvent[];
  /** The last event, when no empty line came after it; one that was cut in the middle is left out. */
  end(): readonly ServerEvent[];
}

/** Bytes that are no event; what stood before them is kept. */
export class BrokenEvent extends Error {
  override readonly name = "BrokenEvent";
  constructor(
    readonly sound: readonly ServerEvent[],
    override readonly cause: ProviderError,
  ) {
    super(cause.message, { cause });
  }
}

function objectIn(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The start of a line that may still become an event. */
const cutField = /^(?:d|da|dat|e|ev|eve|even|i|r|re|ret|retr)$/;

/** Lines in, events out. Throws ProviderError `bad_answer`. */
function makeAssembler(): (line: string) => readonly ServerEvent[] {
  let name = "";
  let pending = "";
  let pendingLines = 0;

  /** A line that is an object by itself is an event at once; anything else waits for the rest of it. */
  function data(text: string): readonly ServerEvent[] {
    if (pending === "" && text === "") return [];
    if (pending === "" && text === "[DONE]") return [{ type: "done" }];
    pendingLines = pending === "" ? 1 : pendingLines + 1;
    pending += pending === "" ? text : `\n${text}`;
    // Each line more is one more try to read it.
    const isLong = pending.length > limits.errorBodyMaxBytes || pendingLines > limits.eventMaxLines;
    if (pendingLines > 1 && isLong) throw brokenAnswer(pending);
    const value = objectIn(pending);
    if (value === undefined) return [];
    pending = "";
    return [{ type: "data", value, error: name === "error" }];
  }

  function field(line: string): readonly ServerEvent[] {
    const [, key = line, value = ""] = /^([a-z]+):(.*)$/is.exec(line) ?? [];
    switch (key.toLowerCase()) {
      case "data":
        return data(value.trim());
      // llama.cpp once wrote its errors as a field of their own.
      case "error":
        name = "error";
        return data(value.trim());
      case "event":
        name = value.trim();
        return [];
      case "id":
      case "retry":
        return [];
      default:
        throw brokenAnswer(line);
    }
  }

  return (line) => {
    if (line.startsWith(":")) return [];
    if (line !== "") return line.startsWith("{") || pending !== "" ? data(line.replace(/^data: ?/, "")) : field(line);
    const left = pending;
    pending = "";
    name = "";
    if (left !== "") throw brokenAnswer(left);
    return [];
  };
}

/** `maxBytes` bounds one line and so what is kept in memory. */
export function makeEventReader(maxBytes: number): EventReader {
  const lines = makeLineReader(maxBytes, "keep");
  const take = makeAssembler();
  /** Every line of `read`, and what came before the one that is broken. */
  function eventsOf(read: () => readonly string[]): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    try {
      for (const line of read()) events.push(...take(line));
    } catch (cause) {
      if (cause instanceof ProviderError) throw new BrokenEvent(events, cause);
      throw cause;
    }
    return events;
  }
  return {
    push: (bytes) => eventsOf(() => lines.push(bytes)),
    end: () => eventsOf(() => lines.end().filter((line) => line !== "" && !cutField.test(line))),
  };
}
