/**
 * Builds the rows of the conversation from the entries of the path: one row per block of a message, so that only
 * visible rows are rendered and only the open one re-renders. Unchanged entries cached their row objects.
 */
import { calledInput, streamedToolName } from "../tools/toolbox-call";
import { isFileKind } from "@/lib/events/tool-presentations";
import { findUserCommand } from "@/lib/events/user-command";
import type { Json, StopReason, UnrunCall } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { CallId } from "@/lib/events/id";
import { findUndoneRuns } from "@/lib/view/remaining-changes";
import { reversingRestores } from "@/lib/view/reversing-restores";
import { findCallsRunByUser, findNewestMessage } from "@/lib/view/unrun-calls";
import type { CallView, Entry, MessageEntry, SessionView } from "@/lib/view/view";
import { endsRunWithError, findPauseCause, findRunRequest, findRunStart } from "./run-entries";
import { hasPlan } from "../run/is-plan";
import { type RunSummary, summariseRun } from "../run/run-summary";
import { findOwnRuns, type OwnRun } from "../own-commands/own-command";

type EntryOf<K extends Entry["kind"]> = Extract<Entry, { kind: K }>;

/** `raw` = the source text if the model wrote the call as text. */
export interface CallWithSource {
  readonly call: CallView;
  readonly raw?: string;
  /** Input of the call of another program's tool. */
  readonly input?: Json;
  /** The command was refused by name, or the sandbox stopped it: the user may run it, or has run it. */
  readonly ownRun?: OwnRun;
}

type RestoreDirection = "undone" | "redone";

export interface CompactionContent {
  readonly kind: "compaction";
  readonly entry: EntryOf<"compaction">;
  /** The summary as edited by the user; replaces the entry's. */
  readonly edited?: string;
  /** It is the newest compaction: its summary is in the model's context. */
  readonly isInForce: boolean;
}

export type ItemContent =
  | { readonly kind: "user"; readonly message: MessageEntry }
  /** A command of the user; `isAdded` = the model gets its output. */
  | { readonly kind: "userCommand"; readonly call: CallView; readonly isAdded: boolean }
  | { readonly kind: "text"; readonly text: string; readonly live: boolean }
  /** `since` = start of the message, ms epoch; base of the elapsed seconds while live. */
  | {
      readonly kind: "thinking";
      readonly text: string;
      readonly live: boolean;
      readonly since: number;
      readonly tookMs?: number;
    }
  | ({ readonly kind: "call" } & CallWithSource)
  | { readonly kind: "reads"; readonly calls: readonly CallWithSource[] }
  /** A call whose arguments are still streaming. */
  | { readonly kind: "input"; readonly name: string; readonly chars: number }
  | { readonly kind: "stopped"; readonly stop: Exclude<StopReason, "done"> }
  /** Call `index` of the message's text that was not run; `isRun` = until the user ran it. */
  | { readonly kind: "unrun"; readonly call: UnrunCall; readonly index: number; readonly isRun: boolean }
  | { readonly kind: "retry"; readonly entry: EntryOf<"retry"> }
  /** `request` = first user message of the run that this error ended. */
  | { readonly kind: "error"; readonly entry: EntryOf<"error">; readonly request?: MessageEntry }
  /** `direction` = the user undid changes or redid them. `isReversed` = a later restore reversed all of it. */
  | {
      readonly kind: "restore";
      readonly entry: EntryOf<"restore">;
      readonly direction: RestoreDirection;
      readonly isReversed: boolean;
    }
  | CompactionContent
  /** `cause` = the error that paused the run; more specific than the entry's reason. */
  | {
      readonly kind: "run_end";
      readonly entry: EntryOf<"run_end">;
      readonly summary: RunSummary;
      readonly cause?: AgentError;
      /** First user message of the run; absent for Continue. */
      readonly request?: MessageEntry;
      /** The run's last answer is a plan. */
      readonly hasPlan: boolean;
      /** The user undid all its file changes. */
      readonly isUndone: boolean;
      /** seq from which the run started; absent if its start is not loaded. */
      readonly from?: number;
    };

export interface ConversationItem {
  readonly key: string;
  /** seq of the entry; target of search hits and links. */
  readonly seq: number;
  readonly content: ItemContent;
}

/** Minimum number of consecutive finished reads that fold into one row. */
const foldReadsFrom = 3;

/** The user's decisions about the calls of a message. */
interface MessageDecisions {
  /** Calls that were not run and that the user dismissed; null = none can be decided about. */
  readonly dismissed: readonly number[] | null;
  /** The one that was not run until the user ran it. */
  readonly run?: number;
  readonly ownRuns: ReadonlyMap<CallId, OwnRun>;
}

function buildMessageItems(
  message: MessageEntry,
  { dismissed, run, ownRuns }: MessageDecisions,
): readonly ConversationItem[] {
  const item = (part: string, content: ItemContent): ConversationItem => ({
    key: `${message.seq}:${part}`,
    seq: message.seq,
    content,
  });
  const command = findUserCommand(message);
  if (command !== null) return [item("command", { kind: "userCommand", call: command.call, isAdded: command.isAdded })];
  if (message.role === "user") {
    const spoken = message.blocks.some((block) => block.type === "text" || block.type === "image");
    return spoken ? [item("user", { kind: "user", message })] : [];
  }
  const open = message.stop === undefined;
  const calls = new Map(message.calls.map((call) => [call.callId, call]));
  const items = message.blocks.flatMap((block, index): readonly ConversationItem[] => {
    const live = open && index === message.blocks.length - 1;
    switch (block.type) {
      case "text":
        return block.text.trim() === "" ? [] : [item(`${index}`, { kind: "text", text: block.text, live })];
      case "thinking":
        return block.text.trim() === ""
          ? []
          : [
              item(`${index}`, {
                kind: "thinking",
                text: block.text,
                live,
                since: message.at,
                tookMs: block.tookMs,
              }),
            ];
      case "call": {
        const call = calls.get(block.callId);
        const raw = block.raw ? { raw: block.raw } : {};
        // The other kinds show theirs in other ways.
        const input = call?.kind === "other" || call?.kind === "agent" ? { input: calledInput(block) } : {};
        const ownRun = ownRuns.get(block.callId);
        return call === undefined ? [] : [item(`${index}`, { kind: "call", call, ...raw, ...input, ownRun })];
      }
      case "input":
        return [item(`${index}`, { kind: "input", name: streamedToolName(block), chars: block.text.length })];
      case "image":
      case "reference":
      case "context":
        return [];
    }
  });
  const { stop, unrun } = message;
  if (unrun !== undefined && (dismissed !== null || run !== undefined))
    return [
      ...items,
      ...unrun.flatMap((call, index) => {
        const isRun = index === run;
        const isShown = isRun || (dismissed !== null && !dismissed.includes(index));
        return isShown ? [item(`unrun ${index}`, { kind: "unrun", call, index, isRun })] : [];
      }),
    ];
  return stop === undefined || stop === "done" ? items : [...items, item("stop", { kind: "stopped", stop })];
}

function buildEntryItems(
  entry: Entry,
  compacting: CompactionState,
  decisions: MessageDecisions,
): readonly ConversationItem[] {
  const only = (content: ItemContent): readonly ConversationItem[] => [
    { key: String(entry.seq), seq: entry.seq, content },
  ];
  switch (entry.kind) {
    case "message":
      return buildMessageItems(entry, decisions);
    case "retry":
      return only({ kind: "retry", entry });
    case "error":
      return only({ kind: "error", entry });
    case "compaction":
      return only({ kind: "compaction", entry, ...compacting });
    case "run_start":
    case "run_end":
    case "compaction_update":
    case "restore":
      return [];
  }
}

function toFinishedRead({ content }: ConversationItem): CallWithSource | null {
  if (content.kind !== "call" || !isFileKind(content.call.kind) || content.call.state !== "ok") return null;
  return { call: content.call, raw: content.raw };
}

/** Folds consecutive reads into one row that has the key of the first, so that it can grow while it is open. */
function foldReads(items: readonly ConversationItem[]): readonly ConversationItem[] {
  const folded: ConversationItem[] = [];
  let run: ConversationItem[] = [];
  const flush = (): void => {
    const [first] = run;
    const calls = run.flatMap((item) => toFinishedRead(item) ?? []);
    if (first === undefined || calls.length < foldReadsFrom) folded.push(...run);
    else folded.push({ key: `${first.key}:reads`, seq: first.seq, content: { kind: "reads", calls } });
    run = [];
  };
  for (const item of items) {
    if (toFinishedRead(item) === null) {
      flush();
      folded.push(item);
    } else run.push(item);
  }
  flush();
  return folded;
}

/** Drops stops, retries, errors and run ends that an adjacent row already shows. */
function dropRepeatedNotices(items: readonly ConversationItem[]): readonly ConversationItem[] {
  const stoppedOnce = items.filter(({ content }, index) => {
    const next = items[index + 1]?.content.kind;
    if (content.kind !== "stopped") return true;
    return next !== "error" && next !== "retry" && (next !== "run_end" || content.stop === "length");
  });
  return stoppedOnce.filter(({ content }, index) => {
    const next = stoppedOnce[index + 1]?.content;
    if (content.kind === "retry") return next?.kind !== "retry";
    // The pause shows the error and the continue button.
    if (content.kind === "error" && next?.kind === "run_end" && next.cause === content.entry.error) return false;
    // The error row already shows the failure, and the run has no other facts.
    const isBareError = content.kind === "run_end" && content.entry.reason === "error" && !hasWork(content.summary);
    return !isBareError || stoppedOnce[index - 1]?.content.kind !== "error";
  });
}

const hasWork = ({ files, commands }: RunSummary): boolean => files > 0 || commands > 0;

/** None for a command of the user that changed no files: its row shows its end. */
function buildRunEndItems(
  entries: readonly Entry[],
  index: number,
  entry: EntryOf<"run_end">,
  isUndone: boolean,
): readonly ConversationItem[] {
  const last = entries[index - 1];
  const isCommand = last?.kind === "message" && findUserCommand(last) !== null;
  const summary = summariseRun(entries, index, entry);
  if (isCommand && summary.files === 0) return [];
  const request = isCommand ? undefined : findRunRequest(entries, index);
  const start = entries[findRunStart(entries, index)];
  const content: ItemContent = {
    kind: "run_end",
    entry,
    summary,
    hasPlan: hasPlan(entries, index),
    isUndone,
    ...findPauseCause(entries[index - 1], entry),
    ...(start?.kind === "run_start" ? { from: start.from } : {}),
    request,
  };
  return [{ key: String(entry.seq), seq: entry.seq, content }];
}

function buildErrorItem(entries: readonly Entry[], index: number, entry: EntryOf<"error">): ConversationItem {
  const request = findRunRequest(entries, index + 1);
  const content: ItemContent = { kind: "error", entry, request };
  return { key: String(entry.seq), seq: entry.seq, content };
}

/** Whether one of the restores is to the state directly before this one, for at least as many files. */
const isReversedBy = (restores: readonly EntryOf<"restore">[], { seq, files }: EntryOf<"restore">): boolean =>
  restores.some((later) => later.toSeq === seq - 1 && later.files.length >= files.length);

type CompactionState = Omit<CompactionContent, "kind" | "entry">;

/** Returns per compaction the user's newest edit of its summary and whether it is the newest compaction. */
function indexCompactions(entries: readonly Entry[]): (seq: number) => CompactionState {
  const edits = new Map<number, string>();
  let newest = 0;
  for (const entry of entries) {
    if (entry.kind === "compaction_update") edits.set(entry.of, entry.summary);
    if (entry.kind === "compaction" && entry.state === "done") newest = entry.seq;
  }
  return (seq) => {
    const edited = edits.get(seq);
    return { isInForce: seq === newest, ...(edited === undefined ? {} : { edited }) };
  };
}

const noCompaction: CompactionState = { isInForce: false };

/** Creates a function that builds rows and caches them per entry. Create one per visible conversation. */
export function createItemBuilder(): (
  entries: readonly Entry[],
  dismissedCalls?: SessionView["dismissedCalls"],
  queue?: SessionView["queue"],
  inheritedUpTo?: number,
) => readonly ConversationItem[] {
  const cache = new WeakMap<Entry, { readonly key: string; readonly items: readonly ConversationItem[] }>();
  /** `key` = everything the rows depend on besides the entry. */
  const cached = (entry: Entry, key: string, build: () => readonly ConversationItem[]): readonly ConversationItem[] => {
    const hit = cache.get(entry);
    if (hit?.key === key) return hit.items;
    const items = build();
    cache.set(entry, { key, items });
    return items;
  };
  return (entries, dismissedCalls = {}, queue = [], inheritedUpTo = 0) => {
    const compacting = indexCompactions(entries);
    const restores = entries.filter((entry) => entry.kind === "restore");
    const reversing = reversingRestores(restores);
    const undone = findUndoneRuns(entries);
    const [runs, ownRuns] = [findCallsRunByUser(entries), findOwnRuns(entries, queue, inheritedUpTo)];
    const first = entries[0]?.seq ?? 0;
    const newest = findNewestMessage(entries.toReversed());
    const all = entries.flatMap((entry, index) => {
      if (entry.kind === "run_end") {
        const isUndone = undone.has(entry.runId);
        return cached(entry, `${first} ${isUndone}`, () => buildRunEndItems(entries, index, entry, isUndone));
      }
      if (entry.kind === "error" && endsRunWithError(entries[index + 1]))
        return cached(entry, `ended ${first}`, () => [buildErrorItem(entries, index, entry)]);
      if (entry.kind === "restore") {
        const direction = reversing.has(entry.seq) ? "redone" : "undone";
        const isReversed = isReversedBy(restores, entry);
        return cached(entry, `${direction} ${isReversed}`, () => [
          { key: String(entry.seq), seq: entry.seq, content: { kind: "restore", entry, direction, isReversed } },
        ]);
      }
      const compactionFacts = entry.kind === "compaction" ? compacting(entry.seq) : noCompaction;
      const dismissed = entry === newest && newest.unrun !== undefined ? (dismissedCalls[entry.seq] ?? []) : null;
      const decisions = { dismissed, run: runs.get(entry.seq), ownRuns };
      const own = entry.kind === "message" ? entry.calls.map(({ callId }) => ownRuns.get(callId)).join("") : "";
      return cached(
        entry,
        `${dismissed?.join() ?? "none"} ${decisions.run} ${own} ${compactionFacts.isInForce} ${compactionFacts.edited ?? ""}`,
        () => buildEntryItems(entry, compactionFacts, decisions),
      );
    });
    return dropRepeatedNotices(foldReads(all));
  };
}

/** Index of the newest row, ignoring file restores after it; -1 = none. */
export const newestItemIndex = (items: readonly ConversationItem[]): number =>
  items.findLastIndex((item) => item.content.kind !== "restore");

/** Index of the end of the newest run whose file changes are still there: its line has the undo; -1 = none. */
export const newestChangeIndex = (items: readonly ConversationItem[]): number =>
  items.findLastIndex(({ content }) => content.kind === "run_end" && content.summary.files > 0 && !content.isUndone);

/** past = before the newest user message; turn = in the newest turn; end = only the run's end follows. */
export type TurnPosition = "past" | "turn" | "end";

/** Returns the standing by row index; only errors of the newest turn have remedies. */
export function computeTurnPositions(items: readonly ConversationItem[]): (index: number) => TurnPosition {
  const lastUserIndex = items.findLastIndex((item) => item.content.kind === "user");
  const newest = newestItemIndex(items);
  const end = newest - (items[newest]?.content.kind === "run_end" ? 1 : 0);
  return (index) => (index < lastUserIndex ? "past" : index < end ? "turn" : "end");
}

const isLineKind = (kind: ItemContent["kind"]): boolean =>
  kind === "call" || kind === "reads" || kind === "thinking" || kind === "input";

/** Space above a row, px. */
export function gapAbove(before: ConversationItem | undefined, item: ConversationItem): number {
  if (before === undefined) return 0;
  const kind = item.content.kind;
  if (kind === "user" || kind === "userCommand") return 24;
  if (before.content.kind === "user") return 16;
  if (isLineKind(kind) && isLineKind(before.content.kind)) return 0;
  if (kind === "compaction" || before.content.kind === "compaction") return 12;
  return kind === "run_end" || kind === "error" ? 12 : 8;
}

/** Initial estimate of a row's height, px; replaced by the measured height when rendered. */
export function estimateHeight(item: ConversationItem): number {
  const { content } = item;
  switch (content.kind) {
    case "user":
      return 70;
    case "text":
      return 24 + Math.ceil(content.text.length / 95) * 24;
    case "call":
      return content.call.state === "waiting" ? 260 : 28;
    case "error":
      return 96;
    default:
      return 28;
  }
}
