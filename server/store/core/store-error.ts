/** Maps SQLite and system error codes to error codes of the program. */
import { type AgentError, type ErrorCode, makeError, thrownText } from "@/lib/events/error";
import type { StoreFacts } from "@/lib/events/error-facts";

/** Thrown by every failed store call; the call has written nothing. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly facts: StoreFacts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Converts to plain data for a Result or an event. */
  toAgentError(): AgentError {
    return makeError(this.code, { detail: this.message, facts: this.facts });
  }
}

/** True for errors that retrying cannot fix: the session was purged, or another writer changed its log. */
export const isPermanentError = (error: unknown): boolean =>
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

/** By prefix, because SQLite's extended codes start with the primary one. */
const codeFamilies: readonly (readonly [string, ErrorCode])[] = [
  ["SQLITE_BUSY", "store_locked"],
  ["SQLITE_LOCKED", "store_locked"],
  ["SQLITE_CORRUPT", "store_corrupt"],
  ["SQLITE_READONLY", "store_readonly"],
  ["SQLITE_CANTOPEN", "store_readonly"],
];

const systemErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

const toStoreCode = (systemCode: string): ErrorCode =>
  exactCodes[systemCode] ?? codeFamilies.find(([family]) => systemCode.startsWith(family))?.[1] ?? "store_failed";

/** Converts any thrown value to a StoreError about `path`; a StoreError is returned unchanged. */
export const toStoreError = (error: unknown, path: string): StoreError => {
  if (error instanceof StoreError) return error;
  const systemCode = systemErrorCode(error);
  const message = thrownText(error);
  return new StoreError(toStoreCode(systemCode), message, { path, systemCode }, { cause: error });
};

/** Runs `work`; converts anything it throws to a StoreError about `path`. */
export const withStoreErrors = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw toStoreError(error, path);
  }
};
