/** Compares real paths. */
import { sep } from "node:path";

/** Whether a real path is a folder or below it. */
export const isInFolder = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
