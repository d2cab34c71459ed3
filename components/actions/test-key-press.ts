/** Key presses for tests. */
import type { KeyPress } from "./keys";

/** Returns a press of `key` without modifiers, except those in `fields`. */
export const keyPress = (key: string, fields: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...fields,
});
