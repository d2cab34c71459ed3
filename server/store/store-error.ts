/** The one place where SQLite's and the system's error codes become ours. Callers decide by `code`. */
import type { AgentError, ErrorCode } from "@/lib/error";

/** Thrown by every store call that could not do its work; nothing of that call was written. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly facts: { readonly [name: string]: string | number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The same as data, for a Result or an event. */
  toAgentError(): AgentError {
    return { code: this.code, detail: this.message, facts: this.facts };
  }
}

/** What a longer wait cannot heal: the session is gone from the store, or somebody else wrote its log. */
export const isHopeless = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === "not_found" || error.code === "internal");

const exactCodes: Record<string, ErrorCode> = {
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
  SQLITE_FULL: "disk_full",
  // the shared-memory file could not grow: the disk is full
  SQLITE_IOERR_SHMSIZE: "disk_full",
  SQLITE_NOTADB: "store_corrupt",
  SQLITE_PERM: "store_readonly",
  SQLITE_AUTH: "store_readonly",
  EACCES: "store_readonly",
  EPERM: "store_readonly",
  EROFS: "store_readonly",
};

/** SQLite's extended codes begin with the plain one. */
const codeFamilies: readonly (readonly [string, ErrorCode])[] = [
  ["SQLITE_BUSY", "store_locked"],
  ["SQLITE_LOCKED", "store_locked"],
  ["SQLITE_CORRUPT", "store_corrupt"],
  ["SQLITE_READONLY", "store_readonly"],
  ["SQLITE_CANTOPEN", "store_readonly"],
];

const systemCodeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const storeCodeOf = (systemCode: string): ErrorCode =>
  exactCodes[systemCode] ?? codeFamilies.find(([family]) => systemCode.startsWith(family))?.[1] ?? "store_failed";

/** Any thrown value as a StoreError about `path`; a StoreError stays what it is. */
export const toStoreError = (error: unknown, path: string): StoreError => {
  if (error instanceof StoreError) return error;
  const systemCode = systemCodeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return new StoreError(storeCodeOf(systemCode), message, { path, systemCode }, { cause: error });
};

/** Runs `work`; whatever it throws leaves as a StoreError about `path`. */
export const guarded = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, path);
  }
};
