/** Rejects shortcuts that cannot work in a browser tab. Pure. */

/** `reserved`: the browser or the system uses it. `editing`: it edits text. `plain`: it would prevent typing. */
export type ShortcutProblem = "reserved" | "editing" | "plain";

const reservedKeys = ["mod+t", "mod+n", "mod+w", "mod+shift+t", "mod+shift+n", "mod+shift+w", "mod+tab"];
const reservedElsewhere = [
  "alt+arrowleft",
  "alt+arrowright",
  "alt+home",
  "mod+shift+tab",
  "mod+pageup",
  "mod+pagedown",
  "mod+f4",
  "alt+f4",
  "alt+tab",
  "mod+alt+delete",
];
const reservedOnMac = ["mod+q", "mod+h", "mod+m", "mod+`", "mod+alt+escape", "ctrl+tab", "ctrl+shift+tab"];
const editingKeys = ["mod+c", "mod+v", "mod+x", "mod+a", "mod+z", "mod+y", "mod+shift+z", "mod+shift+c", "mod+shift+v"];
/** With any modifiers they move the caret, delete or send. */
const editingNames = /(?:^|\+)(?:backspace|delete|enter|home|end|arrow\w+)$/;

/** Whether the text has the format of `keys.ts`, as a user may write it into the settings by hand. */
export const isShortcut = (keys: string): boolean => /^(?:(?:mod|ctrl|alt|shift)\+)*(?:[^\s+]|[a-z]\w+)$/.test(keys);

export function findShortcutProblem(keys: string, isMac: boolean): ShortcutProblem | null {
  if ([...reservedKeys, ...(isMac ? reservedOnMac : reservedElsewhere)].includes(keys)) return "reserved";
  if (editingKeys.includes(keys) || editingNames.test(keys)) return "editing";
  const hasModifier = /(?:^|\+)(?:mod|ctrl|alt)\+/.test(keys);
  return hasModifier || /(?:^|\+)f\d{1,2}$/.test(keys) ? null : "plain";
}
