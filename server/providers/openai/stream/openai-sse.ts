/**
 * Parses server-sent events from bytes, whatever the chunk boundaries, including common deviations: data lines without
 * an empty line between, JSON over several lines, bare JSON lines.
 */
import { parseJson } from "@/server/base/parse-json";
import { errorBodyMaxBytes } from "../../wire/answer-bytes";
import { makeLineReader, wireLineMaxBytes } from "../../wire/line-reader";
import { brokenAnswer } from "../../wire/wire-errors";

/** Lines of one event; usually one. */
export const eventMaxLines = 1_000;

/** `done` = the server sent [DONE]. `error` = the event was named "error". */
export type ServerEvent =
  | { readonly type: "data"; readonly value: object; readonly error: boolean }
  | { readonly type: "comment"; readonly text: string }
  | { readonly type: "done" };

/** Start of a line that is a truncated field name. */
const truncatedField = /^(?:d|da|dat|e|ev|eve|even|i|r|re|ret|retr)$/;

/** Assembles events from lines. Throws ProviderError `bad_answer`. */
function makeEventAssembler(): (line: string) => ServerEvent | undefined {
  let name = "";
  let pending = "";
  let pendingLines = 0;

  /** A line that is a complete object is an event at once; anything else waits for its continuation. */
  function data(text: string): ServerEvent | undefined {
    if (pending === "" && text === "") return undefined;
    if (pending === "" && text === "[DONE]") return { type: "done" };
    pendingLines = pending === "" ? 1 : pendingLines + 1;
    pending += pending === "" ? text : `\n${text}`;
    // Each further line costs one more parse attempt.
    const isLong = pending.length > errorBodyMaxBytes || pendingLines > eventMaxLines;
    if (pendingLines > 1 && isLong) throw brokenAnswer(pending);
    const value = parseJson(pending);
    if (typeof value !== "object" || value === null) return undefined;
    pending = "";
    return { type: "data", value, error: name === "error" };
  }

  function field(line: string): ServerEvent | undefined {
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
        return undefined;
      case "id":
      case "retry":
        return undefined;
      default:
        throw brokenAnswer(line);
    }
  }

  return (line) => {
    if (line.startsWith(":")) return { type: "comment", text: line.slice(1).trim() };
    if (line !== "") return line.startsWith("{") || pending !== "" ? data(line.replace(/^data: ?/, "")) : field(line);
    const left = pending;
    pending = "";
    name = "";
    if (left !== "") throw brokenAnswer(left);
    return undefined;
  };
}

export function makeEventReader() {
  const reader = makeLineReader(wireLineMaxBytes, "keep");
  const assemble = makeEventAssembler();
  function* eventsOf(lines: readonly string[]): Generator<ServerEvent> {
    for (const line of lines) {
      const event = assemble(line);
      if (event !== undefined) yield event;
    }
  }
  return {
    /** Yields the events completed by these bytes. Throws ProviderError `bad_answer` after the events before it. */
    push: (bytes: Uint8Array) => eventsOf(reader.push(bytes)),
    /** Yields the last event if no empty line followed it; drops a truncated one. */
    end: () => eventsOf(reader.end().filter((line) => line !== "" && !truncatedField.test(line))),
  };
}
