/**
 * Imports a session of pi: lines that form a tree by id and parentId (version 1: a list). The branch of the newest line
 * becomes the active path; the others come first and are left by rewinds, so that they remain reachable.
 */
import { type Block, isRecord, type Json, type StopReason, type Usage } from "@/lib/events/content";
import { ok, type Result } from "@/lib/events/error";
import { asId, type CallId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { beginTimeSlice } from "@/server/base/steps";
import type { ImportedSession, ImportTarget } from "./import-gopi";
import { badLine, parseCount, type ImportFile, type ImportLine, parseTime } from "./import-lines";
import { ImportWriter } from "./import-writer";

/** Maximum branches of an imported session. */
const importBranches = 200;

const newestVersion = 3;

interface PiEntry {
  readonly id: string;
  readonly line: number;
  readonly value: ImportLine["value"];
  readonly parent: PiEntry | null;
  children: number;
}

type Fields = Readonly<Record<string, unknown>>;
const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

export async function importPi({ header, lines }: ImportFile, target: ImportTarget): Promise<Result<ImportedSession>> {
  const { version = 1 } = header.value;
  if (version !== 1 && version !== 2 && version !== newestVersion)
    return badLine(header.line, "version", { version: String(version).slice(0, 40) });
  const tree = buildPiTree(lines, version === 1);
  if (!tree.ok) return tree;
  const entries = tree.value;
  const branches = makeBranchWriter(target, parseTime(header.value.timestamp) ?? target.now);
  const leaves = entries.filter((entry) => entry.children === 0);
  if (leaves.length > importBranches) return badLine(header.line, "too many branches");
  for (const leaf of leaves) {
    const failed = await branches.write(branchToRoot(leaf));
    if (failed !== null) return badLine(failed, "message");
  }
  return ok(branches.end(entries));
}

/** A line with an unknown parent starts a new root. */
function buildPiTree(lines: readonly ImportLine[], isLinear: boolean): Result<readonly PiEntry[]> {
  const byId = new Map<string, PiEntry>();
  const entries: PiEntry[] = [];
  for (const { line, value } of lines) {
    const id = isLinear ? `line${line}` : value.id;
    if (typeof id !== "string" || byId.has(id)) return badLine(line, "id");
    const parent = isLinear ? (entries.at(-1) ?? null) : (byId.get(textOrEmpty(value.parentId)) ?? null);
    if (parent !== null) parent.children += 1;
    const entry = { id, line, value, parent, children: 0 };
    byId.set(id, entry);
    entries.push(entry);
  }
  return ok(entries);
}

/** Entries from the root to the leaf. */
function branchToRoot(leaf: PiEntry): readonly PiEntry[] {
  const branch: PiEntry[] = [];
  for (let entry: PiEntry | null = leaf; entry !== null; entry = entry.parent) branch.push(entry);
  return branch.reverse();
}

interface WrittenEntry {
  readonly entry: PiEntry;
  /** Seq of its entry in the view; 0 = none. */
  readonly seq: number;
  /** Border after this entry to which a rewind may go; null = none. */
  border: number | null;
}

function makeBranchWriter(target: ImportTarget, startedAt: number) {
  const writer = new ImportWriter(target.start, startedAt);
  /** Entries on the active path. */
  let written: WrittenEntry[] = [];
  const seqs = new Map<string, number>();
  let unknown = 0;
  const turn = beginTimeSlice();

  const writeOne = (entry: PiEntry): number | null => {
    const before = writer.seq;
    const seq = writeEntry(entry, writer, target, (id) => seqs.get(id) ?? null);
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
        writer.addRewind(written[common - 1]?.border ?? 0);
        written = written.slice(0, common);
      }
      for (const entry of branch.slice(common)) {
        if (turn.isOver()) await turn.next();
        const failed = writeOne(entry);
        if (failed !== null) return failed;
      }
      return null;
    },
    end(entries: readonly PiEntry[]): ImportedSession {
      writer.endRun();
      let title = "";
      let model = "";
      for (const { value } of entries) {
        if (value.type === "session_info") title = textOrEmpty(value.name) || title;
        if (value.type === "model_change") model = textOrEmpty(value.modelId) || model;
        if (isRecord(value.message) && value.message.role === "assistant")
          model = textOrEmpty(value.message.model) || model;
        const labelled = value.type === "label" ? seqs.get(textOrEmpty(value.targetId)) : undefined;
        if (labelled !== undefined) writer.addLabel(labelled, textOrEmpty(value.label).slice(0, limits.labelMaxChars));
      }
      return { rows: writer.rows, title, model, unknown };
    },
  };
}

/** Lines with facts about the session that have no entry of their own. */
const lineTypesWithoutEntry: ReadonlySet<unknown> = new Set([
  "model_change",
  "thinking_level_change",
  "label",
  "session_info",
  "custom",
]);

/** Returns the seq of the entry, null = it has none. */
function writeEntry(
  { value }: PiEntry,
  writer: ImportWriter,
  target: ImportTarget,
  seqOf: (id: string) => number | null,
): number | null | "unknown" | "wrong" {
  const at = parseTime(value.timestamp) ?? writer.at;
  if (lineTypesWithoutEntry.has(value.type)) return null;
  switch (value.type) {
    case "message":
      return isRecord(value.message) ? writeMessage(value.message, at, writer, target) : "wrong";
    case "compaction":
      writer.addCompaction(
        {
          summary: textOrEmpty(value.summary),
          tokensBefore: parseCount(value.tokensBefore),
          keepFromSeq: seqOf(textOrEmpty(value.firstKeptEntryId)),
        },
        at,
      );
      return null;
    case "branch_summary":
      return writer.addUserMessage([{ type: "text", text: textOrEmpty(value.summary) }], at);
    case "custom_message": {
      const blocks = parseBlocks(value.content, target);
      return blocks === null ? "wrong" : writer.addUserMessage(blocks, at);
    }
    default:
      return "unknown";
  }
}

function writeMessage(
  message: Fields,
  at: number,
  writer: ImportWriter,
  target: ImportTarget,
): number | null | "unknown" | "wrong" {
  if (message.role === "bashExecution")
    return writer.addUserMessage(
      [{ type: "text", text: `$ ${textOrEmpty(message.command)}\n\n\`\`\`\n${textOrEmpty(message.output)}\n\`\`\`` }],
      at,
    );
  const blocks = parseBlocks(message.content, target);
  if (blocks === null) return "wrong";
  switch (message.role) {
    case "user":
    case "custom":
    case "hookMessage":
      return writer.addUserMessage(blocks, at);
    case "assistant": {
      const usage = parseUsage(message.usage);
      return writer.addAssistantMessage(
        { blocks, stop: stopReasons[textOrEmpty(message.stopReason)] ?? "done", usage: usage ?? undefined },
        at,
      );
    }
    case "toolResult":
      // The result of an interrupted call has no place.
      return writer.addResult(toCallId(message.toolCallId), message.isError === true ? "error" : "ok", blocks, at)
        ? null
        : "unknown";
    default:
      return "unknown";
  }
}

const stopReasons: Readonly<Record<string, StopReason>> = {
  stop: "done",
  toolUse: "done",
  length: "length",
  error: "error",
  aborted: "aborted",
};

/** Ids of other programs may have any form. */
const toCallId = (value: unknown): CallId =>
  asId<CallId>(
    `p${textOrEmpty(value)
      .replace(/[^A-Za-z0-9_-]/g, "_")
      .slice(-78)}`,
  );

/** null = the content is neither a text nor a list of blocks. Unknown blocks are left out. */
function parseBlocks(content: unknown, target: ImportTarget): readonly Block[] | null {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return null;
  const list: readonly unknown[] = content;
  return list.flatMap((block) => (isRecord(block) ? (parseBlock(block, target) ?? []) : []));
}

function parseBlock(block: Fields, target: ImportTarget): Block | null {
  switch (block.type) {
    case "text":
      return { type: "text", text: textOrEmpty(block.text) };
    case "thinking":
      return { type: "thinking", text: textOrEmpty(block.thinking) };
    case "toolCall":
      return {
        type: "call",
        callId: toCallId(block.id),
        name: textOrEmpty(block.name),
        input: toJson(block.arguments),
      };
    case "image": {
      const mime = textOrEmpty(block.mimeType);
      if (!/^image\/[a-z0-9.+-]{1,40}$/.test(mime)) return null;
      return { type: "image", mime, blob: target.putBlob(Buffer.from(textOrEmpty(block.data), "base64")) };
    }
    default:
      return null;
  }
}

/** The value came from JSON.parse. */
const isJson = (value: unknown): value is Json => value !== undefined && typeof value !== "function";
const toJson = (value: unknown): Json => (isJson(value) ? value : {});

function parseUsage(value: unknown): Usage | null {
  if (!isRecord(value)) return null;
  const cachedTokens = parseCount(value.cacheRead);
  const promptTokens = parseCount(value.input) + cachedTokens + parseCount(value.cacheWrite);
  return {
    promptTokens,
    cachedTokens,
    estimatedPromptTokens: promptTokens,
    outputTokens: parseCount(value.output),
    loadMs: 0,
    promptMs: 0,
    outputMs: 0,
  };
}
