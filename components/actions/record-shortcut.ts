/** Records a shortcut from a key press. Pure. */
import { isOtherAlphabet, type KeyPress } from "./keys";

const modifierKeys: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock", "Fn"]);

/** Returns the shortcut in the format of `keys.ts`; null = only modifiers, or a key that the system uses. */
export function recordShortcut(press: KeyPress, isMac: boolean): string | null {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey, isComposing } = press;
  if (isComposing || modifierKeys.has(key) || key === " " || (metaKey && !isMac)) return null;
  const name = keyName(key, code, altKey);
  if (name === null) return null;
  const isSign = name.length === 1 && !/[a-z0-9]/.test(name);
  const parts = [
    (isMac ? metaKey : ctrlKey) ? "mod" : "",
    isMac && ctrlKey ? "ctrl" : "",
    altKey ? "alt" : "",
    shiftKey && !isSign ? "shift" : "",
    name,
  ];
  return parts.filter((part) => part !== "").join("+");
}

/** Keys of an input method or a dead key, and "+", which separates the parts of a shortcut. */
const unnamedKeys: ReadonlySet<string> = new Set(["Dead", "Unidentified", "Process", "+"]);

/** With Alt the character may differ from the key. */
function keyName(key: string, code: string, altKey: boolean): string | null {
  if (code === "Backquote") return "`";
  const physical = /^(?:Key|Digit)(\w)$/.exec(code)?.[1];
  if ((altKey || isOtherAlphabet(key)) && physical !== undefined) return physical.toLowerCase();
  return unnamedKeys.has(key) ? null : key.toLowerCase();
}
