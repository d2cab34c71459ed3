/** Errors of the operating system. */
import type { ErrorCode } from "@/lib/events/error";

/** Returns the system's name of an error (`ENOENT`), or "" if it has none. */
export function errnoName(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Why a file cannot be written, by the system's name of the error. */
export const writeErrorCodes: Readonly<Record<string, ErrorCode>> = {
  EACCES: "no_permission",
  EPERM: "no_permission",
  EROFS: "no_permission",
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
};
