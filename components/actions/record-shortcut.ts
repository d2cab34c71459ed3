/** Records a shortcut from a key press. Pure. */
import { type KeyPress, pressedKey } from "./keys";

const modifierKeys: ReadonlySet<string> = new Set(["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock", "Fn"]);

/** Returns the shortcut in the format of `keys.ts`; null = only modifiers, or a key that the system uses. */
export function recordShortcut(press: KeyPress, isMac: boolean): string | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing } = press;
  if (isComposing || modifierKeys.has(key) || key === " " || (metaKey && !isMac)) return null;
  const name = keyName(press);
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

function keyName(press: KeyPress): string | null {
  const name = pressedKey(press);
  const isUnnamed = unnamedKeys.has(press.key) && (!press.altKey || name === press.key.toLowerCase());
  return isUnnamed && name !== "`" ? null : name;
}
