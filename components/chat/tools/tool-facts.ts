/** Formats a tool line: verb, target and outcome. Pure. */
import {
  BookOpen,
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
import type { Words } from "@/components/words/words";
import { textOf } from "@/lib/content";
import type { ErrorCode } from "@/lib/error";
import type { ToolKind } from "@/lib/tool-kind";
import type { CallState, CallView } from "@/lib/view";

export const toolIcons: Record<ToolKind, LucideIcon> = {
  read: BookOpen,
  list: FolderTree,
  find: FileSearch,
  search: Search,
  edit: Pencil,
  write: FilePlus2,
  delete: Trash2,
  shell: Terminal,
  other: Wrench,
};

export type Edge = "none" | "ask" | "danger";

export const isFailed = (call: CallView): boolean =>
  call.state === "error" ||
  call.state === "unknown" ||
  (call.state === "ok" && call.facts.exit !== undefined && call.facts.exit !== 0);

export const edgeOf = (call: CallView): Edge => (call.state === "waiting" ? "ask" : isFailed(call) ? "danger" : "none");

const tense: Record<CallState, "wants" | "doing" | "did"> = {
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
export const hasRun = ({ facts }: CallView): boolean =>
  facts.exit !== undefined || facts.signal !== undefined || facts.ended !== undefined;

export const verbOf = (call: CallView, words: Words): string =>
  call.kind === "other" ? call.name : words.tools[hasRun(call) ? "did" : tense[call.state]][call.kind];

const pathKinds: readonly ToolKind[] = ["read", "list", "edit", "write", "delete"];
const fileKinds: readonly ToolKind[] = ["read", "edit", "write"];

/** Returns the editor location that a line's path links to; null = the call has no file that can be opened. */
export function placeOf(call: CallView): { readonly path: string; readonly line?: number } | null {
  const { state, facts, target, changes } = call;
  const isOpenable = state !== "denied" && !isRefused(call) && !/[\n\r]/.test(target) && target !== "";
  if (!isOpenable || !fileKinds.includes(call.kind)) return null;
  const line = call.kind === "read" ? facts.fromLine : changes?.[0]?.hunks?.[0]?.newStart;
  return line === undefined || line < 1 ? { path: target } : { path: target, line };
}

/** The project's root, as models name it. */
const isProject = (target: string): boolean => /^(?:\.\/?)?$/.test(target);

/** Formats the target: its first line, and for reads the line range. */
export function targetOf(
  call: CallView,
  words: Words,
): { readonly text: string; readonly more: boolean; readonly lines: string; readonly isPath: boolean } {
  const [first = "", ...rest] = call.target.split("\n");
  const { fromLine, toLine, totalLines } = call.facts;
  const lines =
    call.kind === "read" && fromLine !== undefined && toLine !== undefined
      ? words.tools.lines(fromLine, toLine, totalLines ?? 0)
      : "";
  return {
    // An unknown tool has only its name, which is already the verb.
    text:
      call.kind === "other" ? (first === call.name ? "" : first) : isProject(first) ? words.tools.emptyTarget : first,
    more: rest.length > 0,
    lines,
    isPath: pathKinds.includes(call.kind) && rest.length === 0,
  };
}

const refusals: readonly string[] = ["plan_mode", "outside", "protected", "blocked"] satisfies readonly ErrorCode[];
const isRefused = ({ facts }: CallView): boolean => facts.code !== undefined && refusals.includes(facts.code);

/** Minimum duration that is shown, ms. */
const tellFromMs = 1_000;
const tellShellFromMs = 95;

/** Returns the texts at the end of the line, in order. */
export function endOf(call: CallView, words: Words): readonly string[] {
  const { facts, state } = call;
  const { tools, figures } = words;
  // The denied chip shows it.
  if (state === "denied") return [];
  if (state === "queued" || state === "waiting" || state === "aborted" || state === "unknown")
    return [tools.state[state]];
  if (state === "error" && isRefused(call)) return [tools.refused];
  const parts: string[] = [];
  if (facts.exit !== undefined) parts.push(tools.exit(facts.exit));
  if (facts.signal !== undefined) parts.push(tools.signal(facts.signal));
  if (facts.ended !== undefined) parts.push(tools.ended[facts.ended]);
  if (facts.sandbox === true) parts.push(words.tools.ranFenced);
  if (facts.matches !== undefined) parts.push(tools.matches(facts.matches));
  else if (facts.entries !== undefined && (call.kind !== "delete" || facts.entries > 1))
    parts.push(tools.entries(facts.entries));
  if (state === "error" && parts.length === 0) parts.push(tools.state.error);
  if (call.tookMs !== undefined && call.tookMs >= (call.kind === "shell" ? tellShellFromMs : tellFromMs))
    parts.push(figures.duration(call.tookMs));
  return parts;
}

/** Settings section for each cause of a refusal. */
const refusalSettings = { blocked_word: "blocked", rule_denies: "rules", protected: "protected" } as const;

export interface Refusal {
  readonly why: keyof typeof refusalSettings;
  readonly by: string;
  /** The part of a longer command that was refused; null = the whole command. */
  readonly part: string | null;
  readonly setting: (typeof refusalSettings)[keyof typeof refusalSettings];
}

/** Returns the logged cause of a refusal; null = not refused or cause not logged. */
export function refusalOf({ state, facts, target }: CallView): Refusal | null {
  const { rule, refusedBy, refusedPart } = facts;
  if (state !== "error" || refusedBy === undefined) return null;
  if (rule !== "blocked_word" && rule !== "rule_denies" && rule !== "protected") return null;
  const part = refusedPart === undefined || refusedPart === target.trim() ? null : refusedPart;
  return { why: rule, by: refusedBy, part, setting: refusalSettings[rule] };
}

function refusalText({ why, by, part }: Refusal, { tools }: Words): string {
  const sentence = tools.refusedBy[why](by);
  return part === null ? sentence : `${sentence} ${tools.refusedBy.part(part)}`;
}

/** Returns why the call failed or was refused; null = no reason to show. */
export function reasonOf(call: CallView, words: Words): string | null {
  if (call.state === "unknown") return words.tools.unknownNote;
  if (call.state === "denied") {
    const reason = call.approvals.at(-1)?.response?.reason;
    if (reason !== undefined && reason !== "") return words.tools.reason(reason);
    return call.facts.code === undefined || call.facts.code === "denied"
      ? null
      : words.errors.sentences[call.facts.code];
  }
  // The output is more specific.
  if (call.state !== "error" || hasRun(call)) return null;
  const refusal = refusalOf(call);
  if (refusal !== null) return refusalText(refusal, words);
  if (call.facts.rule === "rule_denies") return words.tools.deniedByRule;
  if (call.facts.code !== undefined && call.facts.code !== "tool_failed")
    return words.errors.sentences[call.facts.code];
  return (
    outputText(call)
      .split("\n")
      .find((line) => line.trim() !== "") ?? null
  );
}

export const outputText = (call: Pick<CallView, "output">): string => textOf(call.output ?? []);

/** Status note that bash appends to the output for the model; the line already shows it. */
const endNote = /(?:^|\n)\[(?:exit code -?\d+|ended |stopped by )[^\n]*\]\s*$/;

/** Returns the output without bash's status note; the output of other kinds is unchanged. */
export const printedText = (call: Pick<CallView, "kind" | "facts">, text: string): string =>
  call.kind === "shell" ? text.replace(endNote, "") : text;

/** Summarises consecutive reads: the distinct files, and the number of reads if there is one file only. */
export function readsOf(calls: readonly CallView[]): {
  readonly files: readonly string[];
  readonly times: number | null;
} {
  const files = [...new Set(calls.map((call) => call.target))];
  return { files, times: files.length === 1 ? calls.length : null };
}

/** Sums the lines added and removed by all changes of a call; null = none. */
export function changedLines(call: CallView): { readonly added: number; readonly removed: number } | null {
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
