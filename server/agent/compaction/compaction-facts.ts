/**
 * Facts that a compaction preserves from the log in addition to the summary: the user's instructions, the changed
 * files, the open checklist items, and a mechanical summary for when the model returns none. Pure functions over the
 * path.
 */
import { isCommandKind } from "@/lib/events/tool-presentations";
import { type Block, joinTextBlocks } from "@/lib/events/content";
import { limits } from "@/lib/settings/settings";
import { findPlan } from "@/lib/view/checklist";
import { activeCompaction } from "@/lib/view/snapshot";
import { findUserCommand } from "@/lib/events/user-command";
import { type CallView, type MessageEntry, pathEntriesBackward, pathEntries, type SessionView } from "@/lib/view/view";
import { compactionText } from "@/server/prompts/compaction";

/** Text of the Continue message. It is not an instruction: the previous one stays in force. */
export const continueText = "Continue.";

interface Instruction {
  readonly seq: number;
  readonly text: string;
}

const toStoredBlocks = (entry: MessageEntry): readonly Block[] =>
  entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block]));
/** The user's own text, without context blocks. */
const visibleText = (entry: MessageEntry): string => joinTextBlocks(toStoredBlocks(entry));

/** Returns the first and the newest instruction of the user; null = there is none yet. */
export function findInstructions(
  view: SessionView,
): { readonly first: Instruction; readonly newest: Instruction } | null {
  let first: Instruction | null = null;
  let newest: Instruction | null = null;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message" || entry.role !== "user" || entry.stop === undefined) continue;
    if (findUserCommand(entry) !== null) continue;
    const text = visibleText(entry);
    if (text.trim() === continueText) continue;
    first = { seq: entry.seq, text };
    newest ??= first;
  }
  return first === null || newest === null ? null : { first, newest };
}

/** The message has calls, so it has results. */
export const hasCalls = (entry: MessageEntry): boolean => entry.calls.length > 0;

/** Returns one line per changed file, last changed first. */
export function changedFiles(view: SessionView): readonly string[] {
  const files = new Map<string, { added: number; removed: number; gone: boolean }>();
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message") continue;
    for (const change of entry.calls.toReversed().flatMap((call) => (call.changes ?? []).toReversed())) {
      const totals = files.get(change.path) ?? { added: 0, removed: 0, gone: change.after === null };
      totals.added += change.added;
      totals.removed += change.removed;
      files.set(change.path, totals);
    }
  }
  return [...files].map(
    ([path, { added, removed, gone }]) => `${path} (${gone ? "deleted" : `+${added} -${removed}`})`,
  );
}

/** Names of calls of skills begin with it. */
const skillPrefix = "skill:";

/** Returns the names of the skills that the user or the model put into use, as in `skill:pdf`, last used first. */
export function skillsInUse(view: SessionView): readonly string[] {
  const names = new Set<string>();
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message") continue;
    for (const { name, state } of entry.calls.toReversed())
      if (name.startsWith(skillPrefix) && state === "ok") names.add(name);
    for (const block of toStoredBlocks(entry)) if (block.type === "reference" && block.skill) names.add(block.label);
  }
  return [...names];
}

/** Returns the unchecked items of the plan as lines of a checklist. */
export const findOpenTodos = (view: SessionView): readonly string[] =>
  (findPlan(view)?.items ?? []).filter(({ isDone }) => !isDone).map(({ text }) => `- [ ] ${text}`);

/** Limits of the mechanical summary. */
const commandsMax = 10;
const failuresMax = 5;
const lineChars = 160;
const lastTextChars = 600;

const firstLineCut = (text: string): string => {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > lineChars ? `${line.slice(0, lineChars)}…` : line;
};

/**
 * Builds a summary without a model: number of steps, commands with their outcome, failures, the last text of the
 * model, and the previous summary.
 */
export function mechanicalSummary(view: SessionView): string {
  const messages = pathEntries(view).filter((entry) => entry.kind === "message");
  const answers = messages.filter((entry) => entry.role === "assistant");
  const calls = answers.flatMap((entry) => entry.calls);
  const ran = calls.filter((call) => isCommandKind(call.kind) && call.startedAt !== undefined);
  const failed = calls.filter((call) => call.state === "error" || call.state === "denied" || call.state === "unknown");
  const lastAnswer = answers.findLast((entry) => visibleText(entry).trim() !== "");
  const parts = [
    compactionText("mechanical", { steps: answers.length }),
    formatSection("commands", ran.slice(-commandsMax).map(commandLine)),
    formatSection("failures", failed.slice(-failuresMax).map(failureLine)),
    lastAnswer === undefined
      ? ""
      : `${compactionText("said")}\n${visibleText(lastAnswer).trim().slice(-lastTextChars)}`,
    previousSummary(view),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const formatSection = (name: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : `${compactionText(name)}\n${lines.map((line) => `- ${line}`).join("\n")}`;

const commandLine = (call: CallView): string => {
  const { exit, ended } = call.facts;
  return `${firstLineCut(call.target)} → ${ended ?? (exit === undefined ? call.state : `exit ${exit}`)}`;
};

const failureLine = (call: CallView): string =>
  `${call.name} ${firstLineCut(call.target)}: ${firstLineCut(joinTextBlocks(call.output ?? []))}`;

/** The summary in force, if a model or the user wrote it; a mechanical one can be rebuilt from the log. */
function previousSummary(view: SessionView): string {
  const head = activeCompaction(view);
  if (head === null || (head.kind === "compaction" && head.mechanical === true)) return "";
  return head.summary === undefined
    ? ""
    : `${compactionText("earlier")}\n${head.summary.slice(0, limits.summaryMaxChars)}`;
}
