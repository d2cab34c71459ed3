/** Decides which files of an upload are sent, and how the user's answers apply. Pure. */
import { limits } from "@/lib/settings/settings";
import type { ExistingPath } from "@/lib/workspace/project-files";
import { joinPath } from "@/lib/workspace/project-path";
import { isUploadName, type UploadConflict } from "@/lib/workspace/upload";
import type { UploadChoice, UploadQuestion } from "../../state/uploads";
import type { UploadFile } from "./upload-source";

export interface PlannedUpload {
  readonly name: string;
  readonly file: File;
  readonly conflict: UploadConflict;
  /** Version of the file that the user agreed to replace; null = none is replaced. */
  readonly version: string | null;
}

export interface UploadReply {
  readonly choice: UploadChoice;
  /** It also applies to the further files that exist. */
  readonly isForAll: boolean;
}

/** Returns why a file is not sent; null = it is. */
export const findUploadProblem = ({ name, file }: Pick<UploadFile, "name"> & { readonly file: Pick<File, "size"> }) =>
  isUploadName(name) ? (file.size > limits.uploadBytes ? ("too_large" as const) : null) : ("bad_path" as const);

/**
 * Asks about each file that exists, until an answer is for all; returns the files to send, or null if one question was
 * not answered.
 */
export async function planUploads(
  files: readonly UploadFile[],
  folder: string,
  existing: readonly ExistingPath[],
  ask: (question: Omit<UploadQuestion, "answer">) => Promise<UploadReply | null>,
): Promise<readonly PlannedUpload[] | null> {
  const found = new Map(existing.map((entry) => [entry.path, entry]));
  const planned: PlannedUpload[] = [];
  let forAll: UploadChoice | null = null;
  let others = files.filter(({ name }) => found.has(joinPath(folder, name))).length;
  for (const { name, file } of files) {
    const entry = found.get(joinPath(folder, name));
    if (entry === undefined) {
      planned.push({ name, file, conflict: "fail", version: null });
      continue;
    }
    others -= 1;
    // A folder is not replaced, also not by an answer for all.
    const isAnswered: boolean = forAll !== null && !(entry.isFolder && forAll === "replace");
    const answer: UploadReply | null =
      isAnswered && forAll !== null ? { choice: forAll, isForAll: true } : await ask({ ...entry, others });
    if (answer === null) return null;
    if (answer.isForAll) forAll = answer.choice;
    const version = answer.choice === "replace" ? entry.version : null;
    if (answer.choice !== "skip") planned.push({ name, file, conflict: answer.choice, version });
  }
  return planned;
}

/** Returns the paths that an upload adds to its folder, each once: files, and the folders that contain the others. */
export const uploadedEntries = (folder: string, paths: readonly string[]): readonly string[] => [
  ...new Set(
    paths.map((path) => {
      const below = folder === "" ? path : path.slice(folder.length + 1);
      return joinPath(folder, below.split("/", 1).join(""));
    }),
  ),
];
