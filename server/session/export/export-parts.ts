/** Parts of a session as a reader sees them, in order and independent of the file format. */
import { type Block, type Json, joinTextBlocks, referenceName } from "@/lib/events/content";
import type { Steps } from "@/lib/async/steps";
import type { Origin } from "@/lib/events/event";
import type { CallFileChange } from "@/lib/events/tool-kind";
import { formatHunks } from "@/lib/text/format-hunks";
import { toolVerb } from "@/lib/events/tool-verbs";
import { isMemoryCall } from "@/lib/tools/memory";
import { describeMissingFiles } from "@/server/tools/toolbox/result-files";
import { type CallView, type Entry, pathEntries, type SessionView, type ViewBlock } from "@/lib/view/view";

export type ExportPart =
  /** `origin` = where it was written, in words; "" = in the browser. */
  | { readonly kind: "user"; readonly at: number; readonly origin: string; readonly text: string }
  | { readonly kind: "assistant"; readonly at: number; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | {
      readonly kind: "call";
      readonly name: string;
      /** Action in one word; the tool's name for an unknown tool. */
      readonly verb: string;
      readonly target: string;
      readonly state: string;
      readonly input: string;
      readonly output: string;
      /** `diff` null = `note` gives the reason. */
      readonly changes: readonly { readonly path: string; readonly diff: string | null; readonly note: string }[];
    }
  | { readonly kind: "reference"; readonly name: string; readonly text: string }
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "notice"; readonly text: string };

/** Parts of the active path only: rewound branches are in the JSONL export. */
export function* exportParts(view: SessionView, mask: (text: string) => string): Generator<ExportPart, void> {
  for (const entry of pathEntries(view)) for (const part of entryParts(entry)) yield maskPart(part, mask);
}

/** Time and origin of a message of the user; "" = neither is known. */
export const userHead = ({ at, origin }: Extract<ExportPart, { kind: "user" }>): string =>
  [at === 0 ? "" : formatTime(at), origin].filter((one) => one !== "").join(", ");

/** Parts, and their characters, after which the event loop gets a turn. */
const sliceParts = 64;
const sliceChars = 64_000;

/** Text of each part, in slices. */
export function* renderParts(
  parts: Iterable<ExportPart>,
  text: (part: ExportPart) => string | Steps<string>,
): Steps<readonly string[]> {
  const texts: string[] = [];
  let chars = 0;
  for (const part of parts) {
    const answer = text(part);
    const piece = typeof answer === "string" ? answer : yield* answer;
    chars += piece.length;
    if (texts.push(piece) % sliceParts !== 0 && chars < sliceChars) continue;
    chars = 0;
    yield;
  }
  return texts;
}

function maskPart(part: ExportPart, mask: (text: string) => string): ExportPart {
  if (part.kind === "reference") return { ...part, name: mask(part.name), text: mask(part.text) };
  if (part.kind !== "call") return { ...part, text: mask(part.text) };
  return {
    ...part,
    name: mask(part.name),
    target: mask(part.target),
    input: mask(part.input),
    output: mask(part.output),
    changes: part.changes.map((change) => ({
      ...change,
      path: mask(change.path),
      diff: change.diff === null ? null : mask(change.diff),
    })),
  };
}

function entryParts(entry: Entry): readonly ExportPart[] {
  switch (entry.kind) {
    case "message":
      return entry.blocks.flatMap((block, index) => blockParts(entry, block, index));
    case "compaction":
      return entry.summary === undefined ? [] : [{ kind: "summary", text: entry.summary }];
    case "compaction_update":
      return [{ kind: "summary", text: entry.summary }];
    case "error":
      return [{ kind: "notice", text: [entry.error.code, entry.error.detail ?? ""].filter(Boolean).join(": ") }];
    case "run_end":
      return entry.reason === "done" ? [] : [{ kind: "notice", text: entry.reason }];
    case "restore":
      return [{ kind: "notice", text: formatRestored(entry.files.map(({ path }) => path)) }];
    default:
      return [];
  }
}

function blockParts(
  entry: Extract<Entry, { kind: "message" }>,
  block: ViewBlock,
  index: number,
): readonly ExportPart[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [textPart(entry, block.text, index === 0)];
    case "thinking":
      return [{ kind: "thinking", text: block.text }];
    case "call": {
      const call = entry.calls.find(({ callId }) => callId === block.callId);
      return [callPart(block, call)];
    }
    case "reference":
      return [{ kind: "reference", name: referenceName(block), text: block.text }];
    case "image":
      return [{ kind: "notice", text: `Image (${block.mime})` }];
    default:
      return [];
  }
}

/** Only the first part of a message has its time and origin. */
function textPart(entry: Extract<Entry, { kind: "message" }>, text: string, isFirst: boolean): ExportPart {
  const at = isFirst ? entry.at : 0;
  if (entry.role === "assistant") return { kind: entry.role, at, text };
  return { kind: entry.role, at, origin: isFirst ? describeOrigin(entry.origin) : "", text };
}

function describeOrigin(origin: Origin | undefined): string {
  if (origin === undefined) return "";
  if ("name" in origin) return `${origin.kind} ${origin.name}`;
  if (origin.kind === "cli") return "from the terminal";
  return origin.kind === "agent" ? "from the session that started this one" : "";
}

/** The memory is the owner's alone: of a call of its tools, only the name and the state are in the file. */
function callPart(block: Extract<Block, { type: "call" }>, call: CallView | undefined): ExportPart {
  const name = call?.name ?? block.name;
  const isHidden = isMemoryCall(block) || isMemoryCall({ name, input: null });
  return {
    kind: "call",
    name,
    verb: (call === undefined ? undefined : toolVerb(call.kind, "infinitive")) ?? name,
    target: isHidden ? "" : (call?.target ?? ""),
    state: call?.state ?? "",
    input: isHidden ? "" : formatInput(block.input),
    output: isHidden ? "" : outputText(call),
    changes: (call?.changes ?? []).map((change) => ({ path: change.path, ...describeDiff(change) })),
  };
}

/** Files of tools of other programs are named, and are not in the export. */
const outputText = (call: CallView | undefined): string =>
  describeMissingFiles(joinTextBlocks(call?.output ?? []), call?.facts.files ?? [], "not in this export");

const formatInput = (input: Json): string => (typeof input === "string" ? input : JSON.stringify(input, null, 2));

const formatRestored = (paths: readonly string[]): string =>
  `${paths.length} ${paths.length === 1 ? "file" : "files"} restored: ${paths.join(", ")}`;

function describeDiff(change: CallFileChange): { readonly diff: string | null; readonly note: string } {
  const diff = formatHunks(change.hunks);
  if (diff !== "") return { diff, note: "" };
  const { before, after, hunks, added, removed } = change;
  // No lines are stored for content that is not text or too large.
  if (hunks === undefined)
    return {
      diff: null,
      note: added + removed > 0 ? `Too large to show: +${added} -${removed}` : "Not text, no diff to show",
    };
  if (after === null) return { diff: null, note: "Empty file deleted" };
  return { diff: null, note: before === null ? "Empty file created" : "No changed lines" };
}

/** Formats a time for readers: UTC, to the minute. `at` in ms epoch. */
export const formatTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
