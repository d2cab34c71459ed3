/** What a run did, in figures, for the line at its end. Pure. */
import type { Entry, MessageEntry } from "@/lib/view";

export interface RunSummary {
  /** Different files changed, made or deleted. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Shell commands that were started. */
  readonly commands: number;
  readonly tookMs: number;
  /** Tokens per second of writing, over all answers of the run; null when the server told no figures. */
  readonly tokensPerSecond: number | null;
}

type RunEndEntry = Extract<Entry, { kind: "run_end" }>;

/** The messages of a run whose end stands at `index`, newest first. What is not loaded does not count. */
function* messagesOf(entries: readonly Entry[], index: number, end: RunEndEntry): Generator<MessageEntry> {
  for (let at = index - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry === undefined || (entry.kind === "run_start" && entry.runId === end.runId)) return;
    if (entry.kind === "message") yield entry;
  }
}

export function summariseRun(entries: readonly Entry[], index: number, end: RunEndEntry): RunSummary {
  const files = new Set<string>();
  const sum = { added: 0, removed: 0, commands: 0, outputTokens: 0, outputMs: 0 };
  for (const message of messagesOf(entries, index, end)) {
    sum.outputTokens += message.usage?.outputTokens ?? 0;
    sum.outputMs += message.usage?.outputMs ?? 0;
    for (const call of message.calls) {
      if (
        call.kind === "shell" &&
        call.tookMs !== undefined &&
        (call.state === "ok" || call.facts.exit !== undefined || call.facts.ended !== undefined)
      ) {
        sum.commands += 1;
      }
      for (const change of call.changes ?? []) {
        files.add(change.path);
        sum.added += change.added;
        sum.removed += change.removed;
      }
    }
  }
  return {
    files: files.size,
    added: sum.added,
    removed: sum.removed,
    commands: sum.commands,
    tookMs: Math.max(0, end.at - end.startedAt),
    tokensPerSecond: sum.outputMs > 0 && sum.outputTokens > 0 ? (sum.outputTokens * 1000) / sum.outputMs : null,
  };
}
