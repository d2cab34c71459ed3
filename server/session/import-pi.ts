/**
 * Imports a session of pi: lines that form a tree by id and parentId (version 1: a list). The branch of the newest line
 * becomes the active path; the others come first and are left by rewinds, so that they remain reachable.
 */
import type { Block, Json, StopReason, Usage } from "@/lib/content";
import { ok, type Result } from "@/lib/error";
import { asId, type CallId } from "@/lib/id";
import { limits } from "@/lib/settings";
import type { Imported, ImportTarget } from "./import-gopi";
import { badLine, countOf, type ImportFile, type ImportLine, SlicedWork, timeOf } from "./import-lines";
import { ImportWriter } from "./import-writer";

const newestVersion = 3;

interface PiEntry {
  readonly id: string;
  readonly line: number;
  readonly chars: number;
  readonly value: ImportLine["value"];
  readonly parent: PiEntry | null;
  children: number;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

export async function readPi({ header, lines }: ImportFile, target: ImportTarget): Promise<Result<Imported>> {
  const { version = 1 } = header.value;
  if (version !== 1 && version !== 2 && version !== newestVersion)
    return badLine(header.line, "version", { version: String(version).slice(0, 40) });
  const tree = treeOf(lines, version === 1);
  if (!tree.ok) return tree;
  const entries = tree.value;
  const branches = makeStory(target, timeOf(header.value.timestamp) ?? target.now);
  const leaves = entries.filter((entry) => entry.children === 0);
  if (leaves.length > limits.importBranches) return badLine(header.line, "too many branches");
  for (const leaf of leaves) {
    const failed = await branches.write(branchOf(leaf));
    if (failed !== null) return badLine(failed, "message");
  }
  return ok(branches.end(entries));
}

/** A line with an unknown parent starts a new root. */
function treeOf(lines: readonly ImportLine[], isLinear: boolean): Result<readonly PiEntry[]> {
  const byId = new Map<string, PiEntry>();
  const entries: PiEntry[] = [];
  for (const { line, chars, value } of lines) {
    const id = isLinear ? `line${line}` : value.id;
    if (typeof id !== "string" || byId.has(id)) return badLine(line, "id");
    const parent = isLinear ? (entries.at(-1) ?? null) : (byId.get(textIn(value.parentId)) ?? null);
    if (parent !== null) parent.children += 1;
    const entry = { id, line, chars, value, parent, children: 0 };
    byId.set(id, entry);
    entries.push(entry);
  }
  return ok(entries);
}

/** Entries from the root to the leaf. */
function branchOf(leaf: PiEntry): readonly PiEntry[] {
  const branch: PiEntry[] = [];
  for (let entry: PiEntry | null = leaf; entry !== null; entry = entry.parent) branch.push(entry);
  return branch.reverse();
}

interface Told {
  readonly entry: PiEntry;
  /** Seq of its entry in the view; 0 = none. */
  readonly seq: number;
  /** Border after this entry to which a rewind may go; null = none. */
  border: number | null;
}

function makeStory(target: ImportTarget, startedAt: number) {
  const writer = new ImportWriter(target.start, startedAt);
  /** Entries on the active path. */
  let written: Told[] = [];
  const seqs = new Map<string, number>();
  let unknown = 0;
  const work = new SlicedWork();

  const writeOne = (entry: PiEntry): number | null => {
    const before = writer.seq;
    const seq = tellEntry(entry, writer, target, (id) => seqs.get(id) ?? null);
    if (seq === "wrong") return entry.line;
    if (seq === "unknown") unknown += 1;
    const place = typeof seq === "number" ? seq : 0;
    if (place > 0) seqs.set(entry.id, place);
    const isFork = entry.children > 1 && !writer.hasOpenCalls && writer.seq > before;
    written.push({ entry, seq: place, border: isFork ? writer.endRun() : null });
    return null;
  };

  return {
    /**
     * Writes a branch: rewinds to where it leaves the current path, then writes the rest. Returns the number of an
     * invalid line; null = none.
     */
    async write(branch: readonly PiEntry[]): Promise<number | null> {
      let common = 0;
      while (common < branch.length && written[common]?.entry === branch[common]) common += 1;
      if (common < written.length) {
        const last = written.at(-1);
        const end = writer.endRun();
        if (last !== undefined) last.border = end;
        while (common > 0 && written[common - 1]?.border === null) common -= 1;
        writer.rewind(written[common - 1]?.border ?? 0);
        written = written.slice(0, common);
      }
      for (const entry of branch.slice(common)) {
        if (work.spend(entry.chars)) await work.pause();
        const failed = writeOne(entry);
        if (failed !== null) return failed;
      }
      return null;
    },
    end(entries: readonly PiEntry[]): Imported {
      writer.endRun();
      let title = "";
      let model = "";
      for (const { value } of entries) {
        if (value.type === "session_info") title = textIn(value.name) || title;
        if (value.type === "model_change") model = textIn(value.modelId) || model;
        if (isFields(value.message) && value.message.role === "assistant") model = textIn(value.message.model) || model;
        const labelled = value.type === "label" ? seqs.get(textIn(value.targetId)) : undefined;
        if (labelled !== undefined) writer.label(labelled, textIn(value.label).slice(0, limits.labelMaxChars));
      }
      return { rows: writer.rows, title, model, unknown };
    },
  };
}

/** Lines with facts about the session that have no entry of their own. */
const silent: ReadonlySet<unknown> = new Set([
  "model_change",
  "thinking_level_change",
  "label",
  "session_info",
  "custom",
]);

/** Returns the seq of the entry, null = it has none. */
function tellEntry(
  { value }: PiEntry,
  writer: ImportWriter,
  target: ImportTarget,
  seqOf: (id: string) => number | null,
): number | null | "unknown" | "wrong" {
  const at = timeOf(value.timestamp) ?? writer.at;
  if (silent.has(value.type)) return null;
  switch (value.type) {
    case "message":
      return isFields(value.message) ? tellMessage(value.message, at, writer, target) : "wrong";
    case "compaction":
      writer.compaction(
        {
          summary: textIn(value.summary),
          tokensBefore: countOf(value.tokensBefore),
          keepFromSeq: seqOf(textIn(value.firstKeptEntryId)),
        },
        at,
      );
      return null;
    case "branch_summary":
      return writer.user([{ type: "text", text: textIn(value.summary) }], at);
    case "custom_message": {
      const blocks = blocksOf(value.content, target);
      return blocks === null ? "wrong" : writer.user(blocks, at);
    }
    default:
      return "unknown";
  }
}

function tellMessage(
  message: Fields,
  at: number,
  writer: ImportWriter,
  target: ImportTarget,
): number | null | "unknown" | "wrong" {
  if (message.role === "bashExecution")
    return writer.user(
      [{ type: "text", text: `$ ${textIn(message.command)}\n\n\`\`\`\n${textIn(message.output)}\n\`\`\`` }],
      at,
    );
  const blocks = blocksOf(message.content, target);
  if (blocks === null) return "wrong";
  switch (message.role) {
    case "user":
    case "custom":
    case "hookMessage":
      return writer.user(blocks, at);
    case "assistant": {
      const usage = usageOf(message.usage);
      return writer.assistant(
        { blocks, stop: stops[textIn(message.stopReason)] ?? "done", ...(usage === null ? {} : { usage }) },
        at,
      );
    }
    case "toolResult":
      // The result of an interrupted call has no place.
      return writer.result(callIdOf(message.toolCallId), message.isError === true ? "error" : "ok", blocks, at)
        ? null
        : "unknown";
    default:
      return "unknown";
  }
}

const stops: Readonly<Record<string, StopReason>> = {
  stop: "done",
  toolUse: "done",
  length: "length",
  error: "error",
  aborted: "aborted",
};

/** Ids of other programs may have any form. */
const callIdOf = (value: unknown): CallId =>
  asId<CallId>(
    `p${textIn(value)
      .replace(/[^A-Za-z0-9_-]/g, "_")
      .slice(-78)}`,
  );

/** null = the content is neither a text nor a list of blocks. Unknown blocks are left out. */
function blocksOf(content: unknown, target: ImportTarget): readonly Block[] | null {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return null;
  const list: readonly unknown[] = content;
  return list.flatMap((block) => (isFields(block) ? (blockOf(block, target) ?? []) : []));
}

function blockOf(block: Fields, target: ImportTarget): Block | null {
  switch (block.type) {
    case "text":
      return { type: "text", text: textIn(block.text) };
    case "thinking":
      return { type: "thinking", text: textIn(block.thinking) };
    case "toolCall":
      return {
        type: "call",
        callId: callIdOf(block.id),
        name: textIn(block.name),
        input: jsonOf(block.arguments),
      };
    case "image": {
      const mime = textIn(block.mimeType);
      if (!/^image\/[a-z0-9.+-]{1,40}$/.test(mime)) return null;
      return { type: "image", mime, blob: target.putBlob(Buffer.from(textIn(block.data), "base64")) };
    }
    default:
      return null;
  }
}

/** The value came from JSON.parse. */
const isJson = (value: unknown): value is Json => value !== undefined && typeof value !== "function";
const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});

function usageOf(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const cachedTokens = countOf(value.cacheRead);
  const promptTokens = countOf(value.input) + cachedTokens + countOf(value.cacheWrite);
  return {
    promptTokens,
    cachedTokens,
    estimatedPromptTokens: promptTokens,
    outputTokens: countOf(value.output),
    loadMs: 0,
    promptMs: 0,
    outputMs: 0,
  };
}
