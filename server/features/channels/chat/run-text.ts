/**
 * Makes the messages that a chat gets about the runs of its session: the answers, a line for each call, and a summary.
 * Pure. `mask` gets whole texts, before any of them is shortened.
 */
import { isMemoryCall } from "@/lib/tools/memory";
import { escapeInvisible } from "@/lib/text/escape-invisible";
import { type CallView, type Entry, type MessageEntry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import type { ChannelTexts } from "./texts";

const targetMaxChars = 100;

type Mask = (text: string) => string;

interface FinishedRun {
  /** seq of its end. */
  readonly seq: number;
  /** Markdown; "" = there is nothing to say. */
  readonly text: string;
}

/** Returns the runs of the path that ended after `afterSeq`, oldest first. */
export function finishedRuns(
  view: SessionView,
  afterSeq: number,
  texts: ChannelTexts,
  mask: Mask,
): readonly FinishedRun[] {
  const runs: FinishedRun[] = [];
  let end: Extract<Entry, { kind: "run_end" }> | null = null;
  let entries: Entry[] = [];
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_end") {
      if (entry.seq <= afterSeq) break;
      end = entry;
      entries = [];
    } else if (entry.kind === "run_start") {
      if (end !== null) runs.push({ seq: end.seq, text: runText(entries.reverse(), end, texts, mask) });
      end = null;
    } else entries.push(entry);
  }
  return runs.reverse();
}

/** Returns what the run in progress has done and said so far, without the message that is being written. */
export function openRunText(view: SessionView, mask: Mask): string {
  const entries: Entry[] = [];
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_start" || entry.kind === "run_end") break;
    if (entry.kind !== "message" || entry.stop !== undefined) entries.push(entry);
  }
  return entriesText(entries.reverse(), mask);
}

/** The text of the last answer; "" = none. */
export function lastAnswerText(view: SessionView): string {
  for (const entry of pathEntriesBackward(view)) {
    const text = isAnswer(entry) ? messageText(entry) : "";
    if (text !== "") return text;
  }
  return "";
}

function runText(
  entries: readonly Entry[],
  end: Extract<Entry, { kind: "run_end" }>,
  texts: ChannelTexts,
  mask: Mask,
): string {
  const answers = entries.filter(isAnswer);
  const calls = answers.flatMap((answer) => answer.calls);
  const error = entries.findLast((entry) => entry.kind === "error");
  const body = entriesText(entries, mask);
  const ending =
    end.reason === "done"
      ? ""
      : end.reason === "error"
        ? texts.endedWith(error?.kind === "error" ? error.error.code : "internal")
        : texts.ends[end.reason];
  // A run of the user's own command has no answer.
  if (answers.length === 0 && ending === "") return "";
  const summary = texts.summary({
    seconds: Math.round(Math.max(0, end.at - end.startedAt - end.waitedMs) / 1_000),
    calls: calls.length,
    files: new Set(calls.flatMap(({ changes = [] }) => changes.map(({ path }) => path))).size,
    tokens: answers.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0),
  });
  return [body, ending, summary].filter((part) => part !== "").join("\n\n");
}

const isAnswer = (entry: Entry): entry is MessageEntry =>
  entry.kind === "message" && entry.role === "assistant" && entry.replaced !== true;

const entriesText = (entries: readonly Entry[], mask: Mask): string =>
  entries
    .filter(isAnswer)
    .flatMap((answer) => [mask(messageText(answer)), answer.calls.map((call) => callLine(call, mask)).join("\n")])
    .filter((part) => part !== "")
    .join("\n\n");

const messageText = ({ blocks }: MessageEntry): string =>
  blocks
    .flatMap((block) => (block.type === "text" ? [block.text.trim()] : []))
    .filter((text) => text !== "")
    .join("\n\n");

/** One line, whatever the name and the target contain. */
function callLine({ name, target, state, facts }: CallView, mask: Mask): string {
  const mark = state === "ok" ? "✓" : state === "queued" || state === "waiting" || state === "running" ? "…" : "✗";
  const shown = isMemoryCall({ name, input: target }) ? "" : oneLine(mask(target));
  const exit = facts.exit !== undefined ? ` · exit ${facts.exit}` : "";
  return `${mark} ${oneLine(name)}${shown === "" ? "" : ` \`${shown}\``}${exit}`;
}

function oneLine(text: string): string {
  const signs = [...escapeInvisible(text.trim().replace(/\s+/g, " ").replaceAll("`", "'"))];
  return signs.length > targetMaxChars ? `${signs.slice(0, targetMaxChars).join("")} …` : signs.join("");
}
