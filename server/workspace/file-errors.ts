/** The one place where the operating system's errors become our codes. Used by every file of this room. */
import { type ErrorCode, fail, type Result } from "@/lib/error";

const codes: { readonly [errno: string]: ErrorCode } = {
  ENOENT: "not_found",
  ENOTDIR: "not_folder",
  EISDIR: "is_folder",
  EEXIST: "exists",
  ENOTEMPTY: "exists",
  EACCES: "no_permission",
  EPERM: "no_permission",
  EROFS: "no_permission",
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
  EFBIG: "too_large",
  ELOOP: "broken_link",
  ENAMETOOLONG: "bad_path",
  EINVAL: "bad_path",
  EILSEQ: "bad_path",
  ENXIO: "not_a_file",
  ENODEV: "not_a_file",
  ERR_FS_CP_FIFO_PIPE: "not_a_file",
  ERR_FS_CP_SOCKET: "not_a_file",
  ERR_FS_CP_UNKNOWN: "not_a_file",
  ERR_FS_CP_EEXIST: "exists",
  EMFILE: "busy",
  ENFILE: "busy",
  EBUSY: "busy",
  ETXTBSY: "busy",
};

/** The system's name of an error (`ENOENT`), or "" when it has none. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A failure of the operating system as a Result; a Refusal as the result it carries; anything else is a bug and is thrown on. */
export function fileFailure(error: unknown, path: string): Result<never> {
  if (error instanceof Refusal) return error.result;
  const errno = errnoOf(error);
  if (errno === "" || !(error instanceof Error)) throw error;
  return fail(codes[errno] ?? "internal", error.message, { path });
}

/** Runs `work`; what the operating system or a Refusal threw comes back as a failure that names `path`. */
export async function asResult<T>(path: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    return fileFailure(error, path);
  }
}

/** Leaves nested file work early, through its `finally` blocks, with a result. Never leaves this room. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(readonly result: Result<never>) {
    super("refused");
  }
}
