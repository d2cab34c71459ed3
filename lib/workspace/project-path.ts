/** Parts of paths within a project: `/` separates the names, and the root is the empty path. */

/** Path of the folder that contains `path`; "" = the root. */
export const parentFolder = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
/** Last name of `path`. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
/** Returns the folders that contain `path`, innermost first; the last one is the root. */
export const foldersAbove = (path: string): readonly string[] =>
  path === "" ? [] : [parentFolder(path), ...foldersAbove(parentFolder(path))];
export const joinPath = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
/**
 * Returns the project path that an address in a file of `folder` names: relative to the folder, or from the root if it
 * starts with `/`; null = it is outside the project, or the root itself.
 */
export function resolveAddress(folder: string, address: string): string | null {
  const names: string[] = [];
  for (const name of (address.startsWith("/") ? address : `${folder}/${address}`).split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return null;
    } else if (name !== "" && name !== ".") names.push(name);
  }
  return names.length === 0 ? null : names.join("/");
}

/** Whether `path` is `folder` or in it; "" = the root, which contains every path. */
export const isWithin = (folder: string, path: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);

/** Returns the paths that are not in another one of them, each once, in their order. */
export function topPaths(paths: readonly string[]): readonly string[] {
  const all = new Set(paths);
  const isInAnother = (path: string): boolean => {
    for (let folder = parentFolder(path); folder !== ""; folder = parentFolder(folder))
      if (all.has(folder)) return true;
    return false;
  };
  return [...all].filter((path) => !isInAnother(path));
}

/** Lower-case letters after the last dot of the name; "" = it has none. */
export const extensionOf = (path: string): string => /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
