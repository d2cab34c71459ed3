/** The home's `mcp.json`: read again when it changes, edited without losing comments. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { applyEdits, findNodeAtLocation, modify, type Node, parseTree } from "jsonc-parser";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { isJsonObject, type Json } from "@/lib/events/content";
import { errnoName, writeErrorCodes } from "@/server/base/system-errors";
import { writePrivateFile } from "@/server/store/core/private-file";
import { parseJsonWithComments } from "./config/json-with-comments";
import { type McpConfig, type McpServerConfig, noServers, parseMcpConfig } from "./config/server-config";

/** The file is looked at again after this time, ms. */
export const lookMs = 500;
const maxBytes = 1_000_000;

/** A path in the file, with positions in lists, and its new value; undefined removes the member. */
interface McpFileEdit {
  readonly path: readonly (string | number)[];
  readonly value: Json | undefined;
  /** Expected current value; another one fails the edit with changed_meanwhile. Absent = any value. */
  readonly before?: string;
}

export interface McpFile extends McpFileReader {
  /**
   * Fails with bad_input for a file that is not JSON, has another `mcpServers` or has a name of a path twice, with
   * changed_meanwhile, no_permission and disk_full.
   */
  edit(edits: readonly McpFileEdit[]): Promise<Result<void>>;
}

/** A file with servers that is only read. */
export interface McpFileReader {
  readonly path: string;
  /**
   * Returns the same object until the file changes. A missing file has no servers; one that is empty or cannot be read
   * has those that it had before, and a problem.
   */
  read(): McpConfig & { readonly error?: AgentError };
  /** Reads it now if it has changed. */
  look(): void;
  /** Whether it is there; it is not read. */
  exists(): boolean;
  /** Whether what was read last is the text of a file: not missing, blank, unreadable or anything else of its name. */
  hasText(): boolean;
}

const emptyText = { line: 1, column: 1, expected: "a value" };

/**
 * Returns the first name of a path that an object has twice; null = none. Readers use the last one, and an edit would change
 * the first.
 */
function findRepeatedName(root: Node | undefined, place: McpFileEdit["path"]): string | null {
  let node = root;
  for (const name of place) {
    if (typeof name === "number") {
      node = node?.children?.[name];
      continue;
    }
    const members = node?.children?.filter(({ children }) => children?.[0]?.value === name) ?? [];
    if (members.length > 1) return name;
    node = members[0]?.children?.[1];
  }
  return null;
}

/** Why the text cannot be edited; null = it can. */
function findEditProblem(text: string, path: string): AgentError | null {
  const parsed = parseJsonWithComments(text);
  if (!parsed.ok) return { code: "bad_input", facts: { path, reason: "syntax", ...parsed.error } };
  const { value } = parsed;
  if (isJsonObject(value) && (value.mcpServers === undefined || isJsonObject(value.mcpServers))) return null;
  return { code: "bad_input", facts: { path, reason: "no_servers", line: parsed.lineOf(["mcpServers"]) } };
}

const toFailure = (error: unknown, path: string): { readonly ok: false; readonly error: AgentError } => {
  const code = errnoName(error);
  return fail(writeErrorCodes[code] ?? "internal", code, { path });
};

/** `parse` gets the text of the file. */
export function makeMcpFileReader(
  path: string,
  now: () => number,
  parse: (text: string) => McpConfig = parseMcpConfig,
): McpFileReader {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let version = "";
  let current: ReturnType<McpFile["read"]> = noServers;
  /** Servers of the last text that could be read: a file may be read while it is being written. */
  let readable: readonly McpServerConfig[] = [];
  let hasText = false;
  const load = (size: number): ReturnType<McpFile["read"]> => {
    if (size > maxBytes)
      return { ...noServers, servers: readable, error: { code: "too_large", facts: { path, limit: maxBytes } } };
    const text = readFileSync(path, "utf8");
    hasText = text.trim() !== "";
    if (!hasText && readable.length > 0)
      return { ...noServers, servers: readable, problems: [{ reason: "syntax", ...emptyText }] };
    const config = parse(text);
    return config.problems.some(({ reason }) => reason === "syntax") ? { ...config, servers: readable } : config;
  };
  const look = (): void => {
    lookedAt = now();
    try {
      const found = findFile(path);
      const next = found === null ? "" : found.version;
      if (next === version) return;
      version = next;
      hasText = false;
      current = found === null ? noServers : load(found.size);
      readable = current.servers;
    } catch (error) {
      version = "unreadable";
      hasText = false;
      current = { ...noServers, servers: readable, ...toFailure(error, path) };
    }
  };
  const read = (): typeof current => {
    if (now() - lookedAt >= lookMs || now() < lookedAt) look();
    return current;
  };
  return {
    path,
    look,
    exists: () => existsSync(path),
    hasText() {
      read();
      return hasText;
    },
    read,
  };
}

/** Null = there is no file of this name; what is no file, such as a pipe, is never opened. */
function findFile(path: string): { readonly version: string; readonly size: number } | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (found === undefined || !found.isFile()) return null;
  return { version: `${found.ino} ${found.size} ${found.mtimeNs}`, size: Number(found.size) };
}

export function makeMcpFile(path: string, now: () => number): McpFile {
  const reader = makeMcpFileReader(path, now);
  return {
    ...reader,
    async edit(edits) {
      try {
        const found = findFile(path) === null ? "" : readFileSync(path, "utf8").replace(/^\uFEFF/, "");
        const before = found.trim() === "" ? "{}\n" : found;
        const problem = findEditProblem(before, path);
        if (problem !== null) return { ok: false, error: problem };
        const tree = parseTree(before, [], { allowTrailingComma: true });
        for (const edit of edits) {
          const name = findRepeatedName(tree, edit.path);
          if (name !== null) return fail("bad_input", undefined, { path, reason: "repeated", name });
          const node = tree && findNodeAtLocation(tree, [...edit.path]);
          if (edit.before !== undefined && node?.value !== edit.before) return fail("changed_meanwhile");
        }
        const formattingOptions = { insertSpaces: true, tabSize: 2 };
        const after = edits.reduce(
          (text, { path: place, value }) => applyEdits(text, modify(text, [...place], value, { formattingOptions })),
          before,
        );
        writePrivateFile(path, after);
      } catch (error) {
        return toFailure(error, path);
      }
      reader.look();
      return ok(undefined);
    },
  };
}
