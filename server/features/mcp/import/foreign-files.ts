/**
 * Reads the servers of the files in which other programs store their configuration. Claude Code stores histories in its
 * file too: a large one is parsed by a worker thread, which returns only what describes servers.
 */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { AgentError } from "@/lib/events/error";
import type { McpState } from "@/lib/tools/mcp";
import { abortable, timeLimit } from "@/server/base/abort";
import { runWorker, type WorkerProgram } from "@/server/base/run-worker";
import { type ImportCandidate, readMcpImport } from "../config/import-servers";
import type { JsonSyntaxError } from "../config/json-with-comments";
import type { McpConfigProblem } from "../config/server-config";
import { problemError } from "../configured-servers";

/** Files of other programs, below the user's home. */
const foreignFiles: readonly (readonly [program: string, path: string])[] = [
  ["Claude Desktop", "Library/Application Support/Claude/claude_desktop_config.json"],
  ["Claude Desktop", ".config/Claude/claude_desktop_config.json"],
  ["Claude Code", ".claude.json"],
  ["Cursor", ".cursor/mcp.json"],
  ["VS Code", "Library/Application Support/Code/User/mcp.json"],
  ["VS Code", ".config/Code/User/mcp.json"],
  ["Gemini CLI", ".gemini/settings.json"],
  ["opencode", ".config/opencode/opencode.json"],
  ["opencode", ".config/opencode/opencode.jsonc"],
];

const maxFileBytes = 64_000_000;
/** A smaller file is parsed at once, in a few milliseconds: starting a thread takes longer. */
const maxDirectBytes = 250_000;
/** Longest description of all servers of a large file, UTF-16 units. */
const maxPartChars = 500_000;

export const importWorker: WorkerProgram = {
  program: new URL("./import-worker.js", import.meta.url),
  timeoutMs: 20_000,
  // 64 MB of JSON as text and as values.
  resourceLimits: { maxOldGenerationSizeMb: 1_024, stackSizeMb: 8 },
};

const messageSchema = z.union([
  z.object({ part: z.string() }),
  z.object({ problem: z.object({ line: z.number(), column: z.number(), expected: z.string() }) }),
]);

export interface ForeignServer {
  /** The program whose file has it, or "text". */
  readonly from: string;
  readonly candidate: ImportCandidate;
}

interface ForeignFile {
  readonly servers: readonly ForeignServer[];
  readonly skipped: McpState["problems"];
  readonly unread: McpState["problems"];
}

export const syntaxError = ({ line, column, expected }: JsonSyntaxError): AgentError => ({
  code: "bad_input",
  facts: { reason: "syntax", line, column, expected },
});

const noServers: ForeignFile = { servers: [], skipped: [], unread: [] };

export const viewProblems = (file: string, problems: readonly McpConfigProblem[]): McpState["problems"] =>
  problems.map((problem) => ({ file, error: problemError(problem) }));

/**
 * Returns the servers of all files below `home`, those that cannot be used (bad_input, with the reason and the line), and
 * the files that are larger than 64 MB (too_large), take too long (timeout) or are not JSON (bad_input). A file that is absent or that may not be read has no servers. Rejects only with
 * the signal's reason.
 */
export async function readForeignFiles(home: string, worker: WorkerProgram, signal: AbortSignal): Promise<ForeignFile> {
  const files: ForeignFile[] = [];
  // One at a time: each may need much memory.
  for (const [from, path] of foreignFiles) files.push(await readForeignFile(from, join(home, path), worker, signal));
  return {
    servers: files.flatMap(({ servers }) => servers),
    skipped: files.flatMap(({ skipped }) => skipped),
    unread: files.flatMap(({ unread }) => unread),
  };
}

async function readForeignFile(
  from: string,
  path: string,
  worker: WorkerProgram,
  signal: AbortSignal,
): Promise<ForeignFile> {
  const unread = (error: AgentError): ForeignFile => ({
    ...noServers,
    unread: [{ file: path, error }],
  });
  const bytes = await readBytes(path, timeLimit(worker.timeoutMs, signal));
  signal.throwIfAborted();
  if (bytes === null) return noServers;
  if (bytes === "too_large") return unread({ code: "too_large", facts: { limit: maxFileBytes } });
  if (bytes === "timeout") return unread({ code: "timeout", facts: { path } });
  const text =
    bytes.length <= maxDirectBytes ? { part: bytes.toString("utf8") } : await readPart(bytes, worker, signal);
  if (text === null) return unread({ code: "timeout", facts: { path } });
  const read = "part" in text ? readMcpImport(text.part) : { ok: false as const, error: text.problem };
  if (!read.ok) return unread(syntaxError(read.error));
  return {
    servers: read.candidates.map((candidate) => ({ from, candidate })),
    skipped: viewProblems(path, read.problems),
    unread: [],
  };
}

/** Null = there is no file that this user may read. */
async function readBytes(path: string, limit: AbortSignal): Promise<Buffer | "too_large" | "timeout" | null> {
  try {
    const found = await abortable(stat(path), limit);
    if (!found.isFile()) return null;
    return found.size > maxFileBytes ? "too_large" : await abortable(readFile(path, { signal: limit }), limit);
  } catch {
    return limit.aborted ? "timeout" : null;
  }
}

/** The part of a large file that describes servers, or its problem; null = it exceeds the time or memory of the worker. */
async function readPart(bytes: Buffer, worker: WorkerProgram, signal: AbortSignal) {
  // Its own buffer: `readFile` takes one of the file's size.
  const input = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const message = messageSchema.safeParse(await runWorker(worker, input, signal, transferred(input)));
  if (!message.success || ("part" in message.data && message.data.part.length > maxPartChars)) return null;
  return message.data;
}

const transferred = ({ buffer }: Uint8Array): readonly ArrayBuffer[] => (buffer instanceof ArrayBuffer ? [buffer] : []);
