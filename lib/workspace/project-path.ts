/** Parts of paths within a project: `/` separates the names, and the root is the empty path. */

/** Path of the folder that contains `path`; "" = the root. */
export const parentFolder = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
/** Last name of `path`. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const joinPath = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
