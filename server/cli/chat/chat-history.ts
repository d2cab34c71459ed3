/** The messages entered in `gopi-web chat`, over all sessions of a home: one JSON text a line. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "@/server/base/parse-json";

export const historyMaxEntries = 500;

export interface ChatHistory {
  /** The newest first. */
  entries(): readonly string[];
  add(text: string): void;
}

const formatEntry = (text: string): string => `${JSON.stringify(text)}\n`;

/** A file that cannot be read or written is as an empty one: a chat works without a history. */
export function openChatHistory(home: string): ChatHistory {
  const path = join(home, "chat-history.jsonl");
  let entries: string[] = [];
  try {
    const lines = readFileSync(path, "utf8").split("\n").map(parseJson);
    entries = lines
      .filter((entry) => typeof entry === "string")
      .slice(-historyMaxEntries)
      .reverse();
    if (lines.length > 2 * historyMaxEntries) writeFileSync(path, entries.toReversed().map(formatEntry).join(""));
  } catch {
    // See above.
  }
  return {
    entries: () => entries,
    add(text) {
      if (text === entries[0]) return;
      entries = [text, ...entries].slice(0, historyMaxEntries);
      try {
        appendFileSync(path, formatEntry(text), { mode: 0o600 });
      } catch {
        // See above.
      }
    },
  };
}
