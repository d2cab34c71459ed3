/** The home's `mcp.json`: read again when it changes, edited without losing comments. */
import { readFileSync, statSync } from "node:fs";
import { loadOnce } from "@/lib/async/load-once";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import { writePrivateFile } from "@/server/store/core/private-file";
import { type McpConfig, parseMcpConfig } from "./config/server-config";

/** The file is looked at again after this time, ms. */
const lookMs = 500;
const maxBytes = 1_000_000;

const loadEditor = loadOnce(() => import("jsonc-parser"));

/** A path in the file and its new value; undefined removes the member. */
export interface McpFileEdit {
  readonly path: readonly string[];
  readonly value: Json | undefined;
}

export interface McpFile {
  readonly path: string;
  /** Returns the same object until the file changes. A missing file has no servers. */
  read(): McpConfig & { readonly error?: AgentError };
  /** Fails with bad_input for a file that cannot be read as JSON, with no_permission and disk_full. */
  edit(edits: readonly McpFileEdit[]): Promise<Result<void>>;
}

const noServers: McpConfig = { servers: [], problems: [] };

const systemCodes: Readonly<Record<string, AgentError["code"]>> = {
  EACCES: "no_permission",
  EPERM: "no_permission",
  EROFS: "no_permission",
  ENOSPC: "disk_full",
};

const toFailure = (error: unknown, path: string): { readonly ok: false; readonly error: AgentError } => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return fail(systemCodes[code] ?? "internal", code, { path });
};

export function makeMcpFile(path: string, now: () => number): McpFile {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let version = "";
  let current: ReturnType<McpFile["read"]> = noServers;
  const readVersion = (): string => {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeNs}`;
  };
  const readText = (): string => readFileSync(path, "utf8");
  const load = (): ReturnType<McpFile["read"]> => {
    if (version === "") return noServers;
    const text = readText();
    return text.length > maxBytes
      ? { ...noServers, error: { code: "too_large", facts: { path, limit: maxBytes } } }
      : parseMcpConfig(text);
  };
  const look = (): void => {
    lookedAt = now();
    try {
      const next = readVersion();
      if (next === version) return;
      version = next;
      current = load();
    } catch (error) {
      version = "unreadable";
      current = { ...noServers, ...toFailure(error, path) };
    }
  };
  return {
    path,
    read() {
      if (now() - lookedAt >= lookMs || now() < lookedAt) look();
      return current;
    },
    async edit(edits) {
      const { applyEdits, modify, parseTree } = await loadEditor();
      try {
        const before = readVersion() === "" ? "{}\n" : readText();
        if (parseTree(before, [], { allowTrailingComma: true })?.type !== "object")
          return fail("bad_input", undefined, { path });
        const formattingOptions = { insertSpaces: true, tabSize: 2 };
        const after = edits.reduce(
          (text, { path: place, value }) => applyEdits(text, modify(text, [...place], value, { formattingOptions })),
          before,
        );
        writePrivateFile(path, after);
      } catch (error) {
        return toFailure(error, path);
      }
      look();
      return ok(undefined);
    },
  };
}
