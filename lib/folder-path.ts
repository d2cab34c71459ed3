/** The path of a folder while it is typed: absolute, or from the home folder (`~`). Pure; for the server and the dialog. */

export interface FolderPath {
  /** Ends with a slash. */
  readonly folder: string;
  /** The name that is being typed; "" = none yet. */
  readonly part: string;
}

/** Sub-folders of the folder in a typed path. */
export interface FolderNames {
  /** As it was typed, with a slash at its end. */
  readonly folder: string;
  /** The folder above it, with a slash at its end; null = there is none. */
  readonly parent: string | null;
  /** Those that begin with the typed part, in order; hidden ones only when it begins with a dot. */
  readonly names: readonly string[];
  /** There are more than `names`. */
  readonly more: boolean;
}

/** null = neither absolute nor from the home folder. */
export function splitFolderPath(typed: string): FolderPath | null {
  const text = typed === "~" ? "~/" : typed;
  if (!text.startsWith("/") && !text.startsWith("~/")) return null;
  const end = text.lastIndexOf("/") + 1;
  return { folder: text.slice(0, end), part: text.slice(end) };
}

/** Whether a folder of this name completes the typed part. Case does not matter. */
export const completes = (name: string, part: string): boolean =>
  (part.startsWith(".") || !name.startsWith(".")) && name.toLowerCase().startsWith(part.toLowerCase());

/** Of the folders that were found, those that still complete what is typed by now. */
export function offeredFolders(typed: string, found: FolderNames | undefined): readonly string[] {
  const path = splitFolderPath(typed);
  if (found === undefined || path?.folder !== found.folder) return [];
  return found.names.filter((name) => completes(name, path.part));
}
