/** Shortcuts as text ("mod+k"): matching of key events, and display for the platform. Pure. */

/** The relevant part of a KeyboardEvent. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
  /** 229 = an input method took the key; Safari reports it after the composition has ended. */
  readonly keyCode?: number;
}

interface ShortcutPattern {
  readonly key: string;
  readonly mod: boolean;
  /** Ctrl on every platform. */
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

function parseShortcut(keys: string): ShortcutPattern {
  const parts = keys.toLowerCase().split("+");
  return {
    key: parts.at(-1) ?? "",
    mod: parts.includes("mod"),
    ctrl: parts.includes("ctrl"),
    alt: parts.includes("alt"),
    shift: parts.includes("shift"),
  };
}

/**
 * `mod` is Ctrl, or Command on a Mac. With Alt, letters and digits match by physical key, since Alt may change the
 * character.
 */
export function matchesKeys(keys: string, press: KeyPress, isMac: boolean): boolean {
  if (press.isComposing || press.keyCode === 229) return false;
  const pattern = parseShortcut(keys);
  const needsCtrl = pattern.ctrl || (pattern.mod && !isMac);
  const needsMeta = pattern.mod && isMac;
  if (press.ctrlKey !== needsCtrl || press.metaKey !== needsMeta || press.altKey !== pattern.alt) return false;
  const isSign = pattern.key.length === 1 && !/[a-z0-9]/.test(pattern.key);
  // For punctuation the character determines Shift, which differs by keyboard.
  if (!isSign && press.shiftKey !== pattern.shift) return false;
  return press.key.toLowerCase() === pattern.key || physicalMatch(pattern, press);
}

/**
 * The key left of 1 is a dead key, or has another character, on many keyboards. Letters of other alphabets have no Latin
 * character at all.
 */
const physicalMatch = ({ key, alt }: ShortcutPattern, { key: character, code }: KeyPress): boolean =>
  ((alt || isOtherAlphabet(character)) && physicalKey(code) === key) || (key === "`" && code === "Backquote");

/** Whether the key prints a letter that is not Latin: Cyrillic, Greek, Hebrew. */
export const isOtherAlphabet = (character: string): boolean => /^(?!\p{Script=Latin})\p{L}$/u.test(character);

const physicalKey = (code: string): string => code.replace(/^(Key|Digit)/, "").toLowerCase();

const macSigns: Readonly<Record<string, string>> = {
  mod: "⌘",
  ctrl: "⌃",
  alt: "⌥",
  shift: "⇧",
  enter: "↵",
  escape: "Esc",
};
const otherSigns: Readonly<Record<string, string>> = {
  mod: "Ctrl",
  ctrl: "Ctrl",
  alt: "Alt",
  shift: "Shift",
  enter: "Enter",
  escape: "Esc",
};

/** ⌘K on a Mac, Ctrl+K elsewhere. */
export function formatShortcut(keys: string, isMac: boolean): string {
  const signs = isMac ? macSigns : otherSigns;
  const parts = keys.split("+").map((part) => signs[part.toLowerCase()] ?? capitalize(part));
  return parts.join(isMac ? "" : "+");
}

const capitalize = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1);

/** Whether Command is the modifier. */
export const isMacPlatform = (): boolean =>
  typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform);
