/** Completion of a typed folder path, absolute or relative to the home folder (`~`). */

interface FolderPath {
  /** Ends with a slash. */
  readonly folder: string;
  /** Partial name after the last slash; "" = none. */
  readonly part: string;
}

/** Subfolders that complete a typed path. */
export interface FolderNames {
  /** Folder part as typed, with a trailing slash. */
  readonly folder: string;
  /** Parent folder with a trailing slash; null = none. */
  readonly parent: string | null;
  /** Names that start with the typed part, sorted; hidden ones only if it starts with a dot. */
  readonly names: readonly string[];
  /** There are more than `names`. */
  readonly more: boolean;
}

/** Splits a typed path; null if it is neither absolute nor starts with `~/`. */
export function splitFolderPath(typed: string): FolderPath | null {
  const text = typed === "~" ? "~/" : typed;
  if (!text.startsWith("/") && !text.startsWith("~/")) return null;
  const end = text.lastIndexOf("/") + 1;
  return { folder: text.slice(0, end), part: text.slice(end) };
}

/**
 * True if the folder name starts with the typed part, ignoring case. Hidden folders match only a part that starts with
 * a dot.
 */
export const isFolderCompletion = (name: string, part: string): boolean =>
  (part.startsWith(".") || !name.startsWith(".")) && name.toLowerCase().startsWith(part.toLowerCase());

/** Filters the names found earlier by the currently typed text; empty if the folder differs. */
export function filterFolderNames(typed: string, found: FolderNames | undefined): readonly string[] {
  const path = splitFolderPath(typed);
  if (found === undefined || path?.folder !== found.folder) return [];
  return found.names.filter((name) => isFolderCompletion(name, path.part));
}
