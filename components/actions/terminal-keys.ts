/** Keys that the page handles although a terminal has the focus. */
import type { Keymap } from "./keymap";
import { isMacPlatform, type KeyPress, matchesKeys } from "./keys";

/** Ctrl+Shift+F, or Command+F on a Mac: Ctrl+F belongs to the shell. */
export const isFindKey = (press: KeyPress, mac = isMacPlatform()): boolean =>
  matchesKeys(mac ? "mod+f" : "mod+shift+f", press, mac);

/** Ctrl+Shift+C copies where Ctrl+C interrupts; on a Mac Command+C is the browser's. */
export const isCopyKey = (press: KeyPress): boolean => matchesKeys("ctrl+shift+c", press, isMacPlatform());

/**
 * The action's shortcut shows and hides the terminal everywhere; every other key belongs to the terminal. On a Mac no program in a terminal receives Command, so that its shortcuts
 * work as everywhere.
 */
export const isPageKey = (press: KeyPress, keymap: Keymap, mac = isMacPlatform()): boolean =>
  matchesKeys(keymap.get("terminal") ?? "", press, mac) || isFindKey(press, mac) || (mac && press.metaKey);
