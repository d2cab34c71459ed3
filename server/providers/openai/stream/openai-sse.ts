/**
 * Parses server-sent events from bytes, whatever the chunk boundaries, including common deviations: data lines without
 * an empty line between, JSON over several lines, bare JSON lines.
 */
import { limits } from "@/lib/settings/settings";
import { makeLineReader } from "../../wire/line-reader";
import { ProviderError } from "../../provider";
import { brokenAnswer } from "../../wire/wire-errors";

/** `done` = the server sent [DONE]. `error` = the event was named "error". */
export type ServerEvent =
  | { readonly type: "data"; readonly value: object; readonly error: boolean }
  | { readonly type: "done" };

export interface EventReader {
  /** Returns the events completed by these bytes. Throws BrokenEvent, with the events before it in `sound`. */
  push(bytes: Uint8Array): readonly ServerEvent[];
  /** Returns the last event if no empty line followed it; drops a truncated one. */
  end(): readonly ServerEvent[];
}

/** Bytes that are not an event; `sound` holds the events before them. */
export class BrokenEvent extends Error {
  override readonly name = "BrokenEvent";
  constructor(
    readonly sound: readonly ServerEvent[],
    override readonly cause: ProviderError,
  ) {
    super(cause.message, { cause });
  }
}

function parseObjectOrUndefined(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Start of a line that is a truncated field name. */
const truncatedField = /^(?:d|da|dat|e|ev|eve|even|i|r|re|ret|retr)$/;

/** Assembles events from lines. Throws ProviderError `bad_answer`. */
function makeEventAssembler(): (line: string) => readonly ServerEvent[] {
  let name = "";
  let pending = "";
  let pendingLines = 0;

  /** A line that is a complete object is an event at once; anything else waits for its continuation. */
  function data(text: string): readonly ServerEvent[] {
    if (pending === "" && text === "") return [];
    if (pending === "" && text === "[DONE]") return [{ type: "done" }];
    pendingLines = pending === "" ? 1 : pendingLines + 1;
    pending += pending === "" ? text : `\n${text}`;
    // Each further line costs one more parse attempt.
    const isLong = pending.length > limits.errorBodyMaxBytes || pendingLines > limits.eventMaxLines;
    if (pendingLines > 1 && isLong) throw brokenAnswer(pending);
    const value = parseObjectOrUndefined(pending);
    if (value === undefined) return [];
    pending = "";
    return [{ type: "data", value, error: name === "error" }];
  }

  function field(line: string): readonly ServerEvent[] {
    const [, key = line, value = ""] = /^([a-z]+):(.*)$/is.exec(line) ?? [];
    switch (key.toLowerCase()) {
      case "data":
        return data(value.trim());
      // Older llama.cpp sends errors as a field named "error".
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

/** `maxBytes` bounds one line, and so the buffered bytes. */
export function makeEventReader(maxBytes: number): EventReader {
  const lines = makeLineReader(maxBytes, "keep");
  const take = makeEventAssembler();
  /** Collects the events of every line; on a broken line throws BrokenEvent with those before it. */
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
    end: () => eventsOf(() => lines.end().filter((line) => line !== "" && !truncatedField.test(line))),
  };
}
