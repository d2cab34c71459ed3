/** Finds programs in the folders of a search path. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** Returns the first executable of this name in the absolute folders of `path`, as in PATH; null = there is none. */
export function findInPath(name: string, path: string): string | null {
  for (const folder of path.split(":").filter((one) => one.startsWith("/"))) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
