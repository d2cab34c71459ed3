/** Keys of the file tree beside the usual ones of a tree. Pure. */
import { type KeyPress, matchesKeys } from "../actions/keys";

export type TreeOperation = "rename" | "delete" | "cut" | "copy" | "paste" | "undo" | "selectAll" | "clear" | "menu";

const deleteKeys = (isMac: boolean): string => (isMac ? "mod+backspace" : "delete");

/** Keys of each operation; the first ones are shown in menus. */
const operationKeys = (isMac: boolean): readonly (readonly [TreeOperation, string])[] => [
  ["rename", "f2"],
  ["delete", deleteKeys(isMac)],
  ["delete", "delete"],
  ["cut", "mod+x"],
  ["copy", "mod+c"],
  ["paste", "mod+v"],
  ["undo", "mod+z"],
  ["selectAll", "mod+a"],
  ["clear", "escape"],
  ["menu", "contextmenu"],
  ["menu", "shift+f10"],
];

/** Returns the operation of a key press; null = none. */
export const findOperation = (press: KeyPress, isMac: boolean): TreeOperation | null =>
  operationKeys(isMac).find(([, keys]) => matchesKeys(keys, press, isMac))?.[0] ?? null;

/** Returns the keys of an operation, in the format of formatShortcut. */
export const keysOfOperation = (operation: TreeOperation, isMac: boolean): string | undefined =>
  operationKeys(isMac).find(([one]) => one === operation)?.[1];
