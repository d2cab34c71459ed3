/** Names of the folders that tours create. Pure. */
import { basename, dirname } from "node:path";
import { temporaryPrefix } from "@/server/workspace/shell/cleanup-journal";

export const tourFolderPrefix = `${temporaryPrefix}tour-`;
export const tourProjectName = "cart";

/** Process id and the system's random end; anything else with the prefix is a copy that the user made. */
const folderName = new RegExp(`^${tourFolderPrefix}\\d+-[A-Za-z0-9]{6}$`);

export const isTourFolder = (name: string): boolean => folderName.test(name);

/** Whether the folder of the project was created by a tour. */
export const isTourProject = ({ path }: { readonly path: string }): boolean =>
  basename(path) === tourProjectName && isTourFolder(basename(dirname(path)));
