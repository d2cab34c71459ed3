/**
 * The rows of the conversation, made from the entries of the path: a message is one row per block, so that only the rows
 * in sight are drawn and only the open one again. An entry that did not change keeps the same row objects.
 */
import type { StopReason } from "@/lib/content";
import type { AgentError } from "@/lib/error";
import { reversals } from "@/lib/restores";
import type { CallView, Entry, MessageEntry } from "@/lib/view";
import { hasPlan } from "./plan-rule";
import { type RunSummary, summariseRun } from "./run-summary";

type EntryOf<K extends Entry["kind"]> = Extract<Entry, { kind: K }>;

/** `raw` = the words it was read from, when the model wrote it as text. */
export interface WrittenCall {
  readonly call: CallView;
  readonly raw?: string;
}

export type RestoreDirection = "undone" | "broughtBack";

export interface CompactionContent {
  readonly kind: "compaction";
  readonly entry: EntryOf<"compaction">;
  /** The user's own words for the summary, in place of the entry's. */
  readonly edited?: string;
  /** The newest one: its summary is what the model reads. */
  readonly isInForce: boolean;
}

export type ItemContent =
  | { readonly kind: "user"; readonly message: MessageEntry }
  | { readonly kind: "text"; readonly text: string; readonly live: boolean }
  /** `since` = ms epoch of the message's start, for the seconds while it is live. */
  | {
      readonly kind: "thinking";
      readonly text: string;
      readonly live: boolean;
      readonly since: number;
      readonly tookMs?: number;
    }
  | ({ readonly kind: "call" } & WrittenCall)
  | { readonly kind: "reads"; readonly calls: readonly WrittenCall[] }
  /** A call that is still being written. */
  | { readonly kind: "input"; readonly name: string; readonly chars: number }
  | { readonly kind: "stopped"; readonly stop: Exclude<StopReason, "done"> }
  | { readonly kind: "retry"; readonly entry: EntryOf<"retry"> }
  /** `asked` = what the user said first in the run that it ended. */
  | { readonly kind: "error"; readonly entry: EntryOf<"error">; readonly asked?: MessageEntry }
  /** `direction` = whether the user undid changes or brought undone ones back. */
  | { readonly kind: "restore"; readonly entry: EntryOf<"restore">; readonly direction: RestoreDirection }
  | CompactionContent
  /** `cause` = why it paused, when the log says more than the reason. */
  | {
      readonly kind: "run_end";
      readonly entry: EntryOf<"run_end">;
      readonly summary: RunSummary;
      readonly cause?: AgentError;
      /** What the user said first in it; absent for Continue. */
      readonly asked?: MessageEntry;
      /** Its last answer is a plan. */
      readonly hasPlan: boolean;
      /** The border it started from; absent when its start is not loaded. */
      readonly from?: number;
    };

export interface Item {
  readonly key: string;
  /** Of its entry: what a hit or a link points to. */
  readonly seq: number;
  readonly content: ItemContent;
}

/** Runs of at least so many finished reads become one row. */
const readsFrom = 3;

function messageItems(message: MessageEntry): readonly Item[] {
  const item = (part: string, content: ItemContent): Item => ({
    key: `${message.seq}:${part}`,
    seq: message.seq,
    content,
  });
  if (message.role === "user") {
    const spoken = message.blocks.some((block) => block.type === "text" || block.type === "image");
    return spoken ? [item("user", { kind: "user", message })] : [];
  }
  const open = message.stop === undefined;
  const calls = new Map(message.calls.map((call) => [call.callId, call]));
  const items = message.blocks.flatMap((block, index): readonly Item[] => {
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
                ...(block.tookMs === undefined ? {} : { tookMs: block.tookMs }),
              }),
            ];
      case "call": {
        const call = calls.get(block.callId);
        const raw = block.raw === undefined ? {} : { raw: block.raw };
        return call === undefined ? [] : [item(`${index}`, { kind: "call", call, ...raw })];
      }
      case "input":
        return [item(`${index}`, { kind: "input", name: block.name, chars: block.text.length })];
      case "image":
      case "context":
        return [];
    }
  });
  const { stop } = message;
  return stop === undefined || stop === "done" ? items : [...items, item("stop", { kind: "stopped", stop })];
}

function entryItems(entry: Entry, compacting: Compacting): readonly Item[] {
  const only = (content: ItemContent): readonly Item[] => [{ key: String(entry.seq), seq: entry.seq, content }];
  switch (entry.kind) {
    case "message":
      return messageItems(entry);
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

function finishedRead({ content }: Item): WrittenCall | null {
  if (content.kind !== "call" || content.call.kind !== "read" || content.call.state !== "ok") return null;
  return { call: content.call, ...(content.raw === undefined ? {} : { raw: content.raw }) };
}

/** Folds runs of reads; a run keeps the key of its first, so that it may grow while it is open. */
function withReads(items: readonly Item[]): readonly Item[] {
  const folded: Item[] = [];
  let run: Item[] = [];
  const flush = (): void => {
    const [first] = run;
    const calls = run.flatMap((item) => finishedRead(item) ?? []);
    if (first === undefined || calls.length < readsFrom) folded.push(...run);
    else folded.push({ key: `${first.key}:reads`, seq: first.seq, content: { kind: "reads", calls } });
    run = [];
  };
  for (const item of items) {
    if (finishedRead(item) === null) {
      flush();
      folded.push(item);
    } else run.push(item);
  }
  flush();
  return folded;
}

/** A stop, a retry and an error are told once: by what follows, or what came before. */
function withoutRepeats(items: readonly Item[]): readonly Item[] {
  const stoppedOnce = items.filter(({ content }, index) => {
    const next = items[index + 1]?.content.kind;
    if (content.kind !== "stopped") return true;
    return next !== "error" && next !== "retry" && (next !== "run_end" || content.stop === "length");
  });
  return stoppedOnce.filter(({ content }, index) => {
    const next = stoppedOnce[index + 1]?.content;
    if (content.kind === "retry") return next?.kind !== "retry";
    // The pause says it, and how to go on.
    if (content.kind === "error" && next?.kind === "run_end" && next.cause === content.entry.error) return false;
    // The error has said it, and there is nothing else to tell of the run.
    const isBareError = content.kind === "run_end" && content.entry.reason === "error" && !hasDone(content.summary);
    return !isBareError || stoppedOnce[index - 1]?.content.kind !== "error";
  });
}

const hasDone = ({ files, commands }: RunSummary): boolean => files > 0 || commands > 0;

/** Why a run that paused did so: the error right before its end. */
const causeOf = (before: Entry | undefined, end: EntryOf<"run_end">): { readonly cause?: AgentError } =>
  end.reason === "limit" && before?.kind === "error" ? { cause: before.error } : {};

/** Index of the start of the run which ends here; -1 = it is not loaded. */
function startOf(entries: readonly Entry[], end: number): number {
  let start = end - 1;
  while (start >= 0 && entries[start]?.kind !== "run_start") start -= 1;
  return start;
}

/** The message that began the run which ends here. */
function askedIn(entries: readonly Entry[], end: number): MessageEntry | undefined {
  const start = startOf(entries, end);
  const first = start < 0 ? undefined : entries[start + 1];
  return first?.kind === "message" && first.role === "user" ? first : undefined;
}

function endItem(entries: readonly Entry[], index: number, entry: EntryOf<"run_end">): Item {
  const summary = summariseRun(entries, index, entry);
  const asked = askedIn(entries, index);
  const start = entries[startOf(entries, index)];
  const content: ItemContent = {
    kind: "run_end",
    entry,
    summary,
    hasPlan: hasPlan(entries, index),
    ...causeOf(entries[index - 1], entry),
    ...(start?.kind === "run_start" ? { from: start.from } : {}),
    ...(asked === undefined ? {} : { asked }),
  };
  return { key: String(entry.seq), seq: entry.seq, content };
}

function errorItem(entries: readonly Entry[], index: number, entry: EntryOf<"error">): Item {
  const asked = askedIn(entries, index + 1);
  const content: ItemContent = { kind: "error", entry, ...(asked === undefined ? {} : { asked }) };
  return { key: String(entry.seq), seq: entry.seq, content };
}

function restoreItem(entry: EntryOf<"restore">, direction: RestoreDirection): Item {
  return { key: String(entry.seq), seq: entry.seq, content: { kind: "restore", entry, direction } };
}

/** The run ended with this error, which is not a pause. */
const isEndedBy = (after: Entry | undefined): boolean => after?.kind === "run_end" && after.reason === "error";

type Compacting = Omit<CompactionContent, "kind" | "entry">;

/** What is told of each compaction beside its own entry: the newest words of the user, and whether it is the newest. */
function compactingOf(entries: readonly Entry[]): (seq: number) => Compacting {
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

const notCompacting: Compacting = { isInForce: false };

/** Makes a function that remembers the rows of entries it has seen. One per conversation on screen. */
export function makeItems(): (entries: readonly Entry[]) => readonly Item[] {
  const known = new WeakMap<Entry, { readonly told: number | string; readonly items: readonly Item[] }>();
  /** `told` = what the rows depend on beside the entry. */
  const keep = (entry: Entry, told: number | string, build: () => readonly Item[]): readonly Item[] => {
    const kept = known.get(entry);
    if (kept?.told === told) return kept.items;
    const items = build();
    known.set(entry, { told, items });
    return items;
  };
  return (entries) => {
    const compacting = compactingOf(entries);
    const reversed = reversals(entries.filter((entry) => entry.kind === "restore"));
    const first = entries[0]?.seq ?? 0;
    const all = entries.flatMap((entry, index) => {
      if (entry.kind === "run_end") return keep(entry, first, () => [endItem(entries, index, entry)]);
      if (entry.kind === "error" && isEndedBy(entries[index + 1]))
        return keep(entry, `ended ${first}`, () => [errorItem(entries, index, entry)]);
      if (entry.kind === "restore") {
        const direction = reversed.has(entry.seq) ? "broughtBack" : "undone";
        return keep(entry, direction, () => [restoreItem(entry, direction)]);
      }
      const told = entry.kind === "compaction" ? compacting(entry.seq) : notCompacting;
      return keep(entry, `${told.isInForce} ${told.edited ?? ""}`, () => entryItems(entry, told));
    });
    return withoutRepeats(withReads(all));
  };
}

/** Index of the row the conversation stands at; files put back after it change nothing about it. -1 = there is none. */
export const newestIndex = (items: readonly Item[]): number =>
  items.findLastIndex((item) => item.content.kind !== "restore");

/** past = the user has spoken since; turn = of the newest turn; end = nothing follows but the run's end. */
export type Standing = "past" | "turn" | "end";

/** Where each row stands, as a function of its index: what went wrong long ago needs no remedy. */
export function standings(items: readonly Item[]): (index: number) => Standing {
  const spoke = items.findLastIndex((item) => item.content.kind === "user");
  const newest = newestIndex(items);
  const end = newest - (items[newest]?.content.kind === "run_end" ? 1 : 0);
  return (index) => (index < spoke ? "past" : index < end ? "turn" : "end");
}

const isLine = (kind: ItemContent["kind"]): boolean =>
  kind === "call" || kind === "reads" || kind === "thinking" || kind === "input";

/** Space above a row, px. */
export function gapAbove(before: Item | undefined, item: Item): number {
  if (before === undefined) return 0;
  const kind = item.content.kind;
  if (kind === "user") return 24;
  if (before.content.kind === "user") return 16;
  if (isLine(kind) && isLine(before.content.kind)) return 0;
  if (kind === "compaction" || before.content.kind === "compaction") return 12;
  return kind === "run_end" || kind === "error" ? 12 : 8;
}

/** First guess of a row's height, px; it measures itself when it is drawn. */
export function estimateHeight(item: Item): number {
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
