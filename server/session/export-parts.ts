/** What a reader gets to see of a session, in order, whatever the form of the file. Used by the exports to Markdown and HTML. */
import { type Block, type Json, textOf } from "@/lib/content";
import type { Change } from "@/lib/tool-kind";
import { type CallView, type Entry, pathOf, type SessionView, type ViewBlock } from "@/lib/view";

export type ExportPart =
  | { readonly kind: "user" | "assistant"; readonly at: number; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly target: string;
      readonly state: string;
      readonly input: string;
      readonly output: string;
      readonly changes: readonly { readonly path: string; readonly diff: string }[];
    }
  | { readonly kind: "summary"; readonly text: string }
  | { readonly kind: "notice"; readonly text: string };

/** The path alone: what was left by a rewind is in the JSONL. */
export const exportParts = (view: SessionView): readonly ExportPart[] => pathOf(view).flatMap(partsOfEntry);

function partsOfEntry(entry: Entry): readonly ExportPart[] {
  switch (entry.kind) {
    case "message":
      return entry.blocks.flatMap((block, index) => partsOfBlock(entry, block, index));
    case "compaction":
      return entry.summary === undefined ? [] : [{ kind: "summary", text: entry.summary }];
    case "compaction_update":
      return [{ kind: "summary", text: entry.summary }];
    case "error":
      return [{ kind: "notice", text: [entry.error.code, entry.error.detail ?? ""].filter(Boolean).join(": ") }];
    case "run_end":
      return entry.reason === "done" ? [] : [{ kind: "notice", text: entry.reason }];
    case "restore":
      return [{ kind: "notice", text: entry.files.map(({ path }) => path).join(", ") }];
    default:
      return [];
  }
}

function partsOfBlock(
  entry: Extract<Entry, { kind: "message" }>,
  block: ViewBlock,
  index: number,
): readonly ExportPart[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ kind: entry.role, at: index === 0 ? entry.at : 0, text: block.text }];
    case "thinking":
      return [{ kind: "thinking", text: block.text }];
    case "call": {
      const call = entry.calls.find(({ callId }) => callId === block.callId);
      return [callPart(block, call)];
    }
    case "image":
      return [{ kind: "notice", text: block.mime }];
    default:
      return [];
  }
}

const callPart = (block: Extract<Block, { type: "call" }>, call: CallView | undefined): ExportPart => ({
  kind: "call",
  name: block.name,
  target: call?.target ?? "",
  state: call?.state ?? "",
  input: inputText(block.input),
  output: textOf(call?.output ?? []),
  changes: (call?.changes ?? []).map((change) => ({ path: change.path, diff: diffText(change) })),
});

const inputText = (input: Json): string => (typeof input === "string" ? input : JSON.stringify(input, null, 2));

const signs = { same: " ", add: "+", remove: "-" } as const;

/** As a unified diff; empty where its lines were not kept. */
const diffText = ({ hunks = [] }: Change): string =>
  hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines.map((line) => `${signs[line.kind]}${line.text.replace(/\r$/, "")}`),
    ])
    .join("\n");
