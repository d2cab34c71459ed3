/** Formats a tool line: verb, target and outcome. Pure. */
import {
  BookOpen,
  Bot,
  Pencil,
  FilePlus2,
  FileSearch,
  FolderTree,
  type LucideIcon,
  Search,
  Terminal,
  Trash2,
  Wrench,
} from "lucide-react";
import type { ConversationMessages } from "../../messages/conversation-messages";
import { joinTextBlocks } from "@/lib/events/content";
import type { ErrorCode } from "@/lib/events/error";
import { isCommandKind, isFileKind, presentationOf, type ToolPresentation } from "@/lib/events/tool-presentations";
import type { CallState, CallView } from "@/lib/view/view";

const toolIcons: Record<ToolPresentation["icon"], LucideIcon> = {
  book: BookOpen,
  tree: FolderTree,
  "file-search": FileSearch,
  search: Search,
  pencil: Pencil,
  "new-file": FilePlus2,
  trash: Trash2,
  terminal: Terminal,
  agent: Bot,
  wrench: Wrench,
};

export const toolIcon = (kind: string): LucideIcon => toolIcons[presentationOf(kind).icon];

type LineEdge = "none" | "ask" | "danger";

export const isFailed = (call: CallView): boolean =>
  call.state === "error" ||
  call.state === "unknown" ||
  (call.state === "ok" && call.facts.exit !== undefined && call.facts.exit !== 0);

export const findLineEdge = (call: CallView): LineEdge =>
  call.state === "waiting" ? "ask" : isFailed(call) ? "danger" : "none";

const verbTenses: Record<CallState, "wants" | "doing" | "did"> = {
  queued: "wants",
  waiting: "wants",
  running: "doing",
  ok: "did",
  error: "wants",
  denied: "wants",
  aborted: "wants",
  unknown: "wants",
};

/** Whether a command ran to some end, as opposed to one that could not start. */
export const hasEnded = ({ facts }: CallView): boolean =>
  facts.exit !== undefined || facts.signal !== undefined || facts.ended !== undefined;

/** Returns the verb of the call's kind in the right tense; undefined = the kind has no verbs. */
function findVerb(call: CallView, { tools }: ConversationMessages): string | undefined {
  const verbs: Readonly<Record<string, string>> = tools[hasEnded(call) ? "did" : verbTenses[call.state]];
  return Object.hasOwn(verbs, call.kind) ? verbs[call.kind] : undefined;
}

export const formatVerb = (call: CallView, messages: ConversationMessages): string =>
  findVerb(call, messages) ?? call.name;

/** Returns the editor location that a line's path links to; null = the call has no file that can be opened. */
export function findEditorLocation(call: CallView): { readonly path: string; readonly line?: number } | null {
  const { state, facts, target, changes } = call;
  const isOpenable = state !== "denied" && !isRefused(call) && !/[\n\r]/.test(target) && target !== "";
  if (!isOpenable || presentationOf(call.kind).target !== "file") return null;
  const line = facts.fromLine ?? changes?.[0]?.hunks?.[0]?.newStart;
  return line === undefined || line < 1 ? { path: target } : { path: target, line };
}

/** The project's root, as models name it. */
const isProjectRoot = (target: string): boolean => /^(?:\.\/?)?$/.test(target);

/** `first` = the target's first line. Of a kind without verbs the name is already the verb. */
function formatTargetText(call: CallView, first: string, messages: ConversationMessages): string {
  if (findVerb(call, messages) === undefined) return first === call.name ? "" : first;
  return isProjectRoot(first) ? messages.tools.emptyTarget : first;
}

/** Formats the target: its first line, and for reads the line range. */
export function formatTarget(
  call: CallView,
  messages: ConversationMessages,
): { readonly text: string; readonly more: boolean; readonly lines: string; readonly isPath: boolean } {
  const [first = "", ...rest] = call.target.split("\n");
  const { fromLine, toLine, totalLines } = call.facts;
  const lines =
    isFileKind(call.kind) && fromLine !== undefined && toLine !== undefined
      ? messages.tools.lines(fromLine, toLine, totalLines ?? 0)
      : "";
  return {
    text: formatTargetText(call, first, messages),
    more: rest.length > 0,
    lines,
    isPath: presentationOf(call.kind).target !== "text" && rest.length === 0,
  };
}

const refusalCodes: readonly string[] = ["plan_mode", "outside", "protected", "blocked"] satisfies readonly ErrorCode[];
export const isRefused = ({ facts }: CallView): boolean =>
  facts.code !== undefined && refusalCodes.includes(facts.code);

/** Minimum duration that is shown, ms. */
const minShownMs = 1_000;
const minShownShellMs = 95;

/** Returns the texts at the end of the line, in order. */
export function formatOutcome(call: CallView, messages: ConversationMessages): readonly string[] {
  const { facts, state } = call;
  const { tools, figures } = messages;
  // The denied chip shows it.
  if (state === "denied") return [];
  if (state === "queued" || state === "waiting" || state === "aborted" || state === "unknown")
    return [tools.state[state]];
  if (state === "error" && isRefused(call)) return [tools.refused];
  const parts: string[] = [];
  if (facts.exit !== undefined) parts.push(tools.exit(facts.exit));
  if (facts.signal !== undefined) parts.push(tools.signal(facts.signal));
  if (facts.ended !== undefined) parts.push(tools.ended[facts.ended]);
  if (facts.sandbox === true) parts.push(messages.tools.ranFenced);
  if (facts.undoGap !== undefined) parts.push(tools.noUndo);
  const sign = facts.more === true ? "+" : "";
  if (facts.matches !== undefined) parts.push(tools.matches(facts.matches, sign));
  else if (facts.entries !== undefined && (call.changes === undefined || facts.entries > 1))
    parts.push(tools.entries(facts.entries, sign));
  if (state === "error" && parts.length === 0) parts.push(tools.state.error);
  if (call.tookMs !== undefined && call.tookMs >= (isCommandKind(call.kind) ? minShownShellMs : minShownMs))
    parts.push(figures.duration(call.tookMs));
  return parts;
}

/** Settings section for each cause of a refusal. */
const settingOfRefusal = {
  blocked_word: "blocked",
  rule_denies: "rules",
  protected: "protected",
  gate: "extensions",
} as const;

interface CallRefusal {
  readonly why: keyof typeof settingOfRefusal;
  readonly by: string;
  /** The part of a longer command that was refused; null = the whole command. */
  readonly part: string | null;
  /** Explanation that a gate gives; "" = none. */
  readonly words: string;
  readonly setting: (typeof settingOfRefusal)[keyof typeof settingOfRefusal];
}

/** Returns the logged cause of a refusal; null = not refused or cause not logged. */
export function findRefusal({ state, facts, target }: CallView): CallRefusal | null {
  const { rule, refusedBy, refusedPart, refusedWords = "" } = facts;
  if (state !== "error" || refusedBy === undefined) return null;
  if (rule !== "blocked_word" && rule !== "rule_denies" && rule !== "protected" && rule !== "gate") return null;
  const part = refusedPart === undefined || refusedPart === target.trim() ? null : refusedPart;
  return { why: rule, by: refusedBy, part, words: refusedWords, setting: settingOfRefusal[rule] };
}

function formatRefusal({ why, by, part, words }: CallRefusal, { tools }: ConversationMessages): string {
  const sentence = why === "gate" ? tools.refusedBy.gate(by, words) : tools.refusedBy[why](by);
  return part === null ? sentence : `${sentence} ${tools.refusedBy.part(part)}`;
}

/** Returns why the call failed or was refused; null = no reason to show. */
export function findFailureReason(call: CallView, messages: ConversationMessages): string | null {
  if (call.state === "unknown") return messages.tools.unknownNote;
  if (call.state === "denied") {
    const reason = call.approvals.at(-1)?.response?.reason;
    if (reason !== undefined && reason !== "") return messages.tools.reason(reason);
    return call.facts.code === undefined || call.facts.code === "denied"
      ? null
      : messages.errors.sentences[call.facts.code];
  }
  // The output is more specific.
  if (call.state !== "error" || hasEnded(call)) return null;
  const refusal = findRefusal(call);
  if (refusal !== null) return formatRefusal(refusal, messages);
  if (call.facts.rule === "rule_denies") return messages.tools.deniedByRule;
  if (call.facts.code === "bad_input") return messages.tools.badInput;
  if (call.facts.code !== undefined && call.facts.code !== "tool_failed")
    return messages.errors.sentences[call.facts.code];
  return (
    outputText(call)
      .split("\n")
      .map((line) => line.replace(sourceMark, "").trim())
      .find((line) => line !== "") ?? null
  );
}

/** Names, for the model, the program that the text after it is from. */
const sourceMark = /\[from [^\]]+\] ?/;

export const outputText = (call: Pick<CallView, "output">): string => joinTextBlocks(call.output ?? []);

/** Status note that bash appends to the output for the model; the line already shows it. */
const statusNotePattern = /(?:^|\n)\[(?:exit code -?\d+|ended |stopped by )[^\n]*\]\s*$/;

/** Returns the output without bash's status note; the output of other kinds is unchanged. */
export const stripStatusNote = (call: Pick<CallView, "kind" | "facts">, text: string): string =>
  isCommandKind(call.kind) ? text.replace(statusNotePattern, "") : text;

/** Summarises consecutive reads: the distinct files, and the number of reads if there is one file only. */
export function summariseReads(calls: readonly CallView[]): {
  readonly files: readonly string[];
  readonly times: number | null;
} {
  const files = [...new Set(calls.map((call) => call.target))];
  return { files, times: files.length === 1 ? calls.length : null };
}

/** Sums the lines added and removed by all changes of a call; null = none. */
export function countChangedLines(call: CallView): { readonly added: number; readonly removed: number } | null {
  if (call.changes === undefined || call.changes.length === 0) return null;
  const sum = { added: 0, removed: 0 };
  for (const change of call.changes) {
    sum.added += change.added;
    sum.removed += change.removed;
  }
  return sum.added === 0 && sum.removed === 0 ? null : sum;
}

/** Returns the last lines of a text, ignoring trailing whitespace. */
export const lastLines = (text: string, count: number): string => text.trimEnd().split("\n").slice(-count).join("\n");
