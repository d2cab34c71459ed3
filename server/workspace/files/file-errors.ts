/** Maps errors of the operating system to error codes, as Results. */
import { type ErrorCode, fail, type Result } from "@/lib/events/error";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import { errnoName, writeErrorCodes } from "@/server/base/system-errors";

const codeByErrno: { readonly [errno: string]: ErrorCode } = {
  ENOENT: "not_found",
  ENOTDIR: "not_folder",
  EISDIR: "is_folder",
  EEXIST: "exists",
  ENOTEMPTY: "exists",
  ...writeErrorCodes,
  EFBIG: "too_large",
  ELOOP: "broken_link",
  ENAMETOOLONG: "bad_path",
  EINVAL: "bad_path",
  EILSEQ: "bad_path",
  ENXIO: "not_a_file",
  ENODEV: "not_a_file",
  EMFILE: "busy",
  ENFILE: "busy",
  EBUSY: "busy",
  ETXTBSY: "busy",
};

/** The path of an open folder, by which its entries are accessed. It means nothing to a reader. */
const descriptorPath = /\/proc\/self\/fd\/\d+[^']*/g;

/**
 * Converts an operating system error to a Result, and a Refusal to the result it carries. Rethrows anything else: it
 * is a bug.
 */
export function toFileFailure(error: unknown, path: string): Result<never> {
  if (error instanceof FileRefusal) return error.result;
  const errno = errnoName(error);
  if (errno === "" || !(error instanceof Error)) throw error;
  // The bytes that were replaced when the name was read lead nowhere.
  if (errno === "ENOENT" && isUnreadableName(path)) return fail("unreadable_name", undefined, { path });
  return fail(codeByErrno[errno] ?? "internal", error.message.replace(descriptorPath, path), { path });
}

/** Runs `work`; converts a thrown operating system error or Refusal to a failure that names `path`. */
export async function catchFileErrors<T>(path: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    return toFileFailure(error, path);
  }
}

/** Exits nested file operations with a result, through their `finally` blocks. Never leaves the workspace layer. */
export class FileRefusal extends Error {
  override readonly name = "Refusal";
  constructor(readonly result: Result<never>) {
    super("refused");
  }
}
