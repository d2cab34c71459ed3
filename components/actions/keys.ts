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

/** `mod` is Ctrl, or Command on a Mac. */
export function matchesKeys(keys: string, press: KeyPress, isMac: boolean): boolean {
  if (press.isComposing || press.keyCode === 229) return false;
  const pattern = parseShortcut(keys);
  const needsCtrl = pattern.ctrl || (pattern.mod && !isMac);
  const needsMeta = pattern.mod && isMac;
  if (press.ctrlKey !== needsCtrl || press.metaKey !== needsMeta || press.altKey !== pattern.alt) return false;
  const isSign = pattern.key.length === 1 && !/[a-z0-9]/.test(pattern.key);
  // For punctuation the character determines Shift, which differs by keyboard.
  if (!isSign && press.shiftKey !== pattern.shift) return false;
  return press.key.toLowerCase() === pattern.key || pressedKey(press) === pattern.key;
}

/** Signs that another alphabet replaces by letters, by their keys on a US keyboard. */
const signKeys: Readonly<Record<string, string>> = {
  BracketLeft: "[",
  BracketRight: "]",
  Backslash: "\\",
  Semicolon: ";",
  Quote: "'",
  Comma: ",",
  Period: ".",
  Slash: "/",
};

/**
 * Returns the key of a shortcut: the character if it is an ASCII letter, whatever Caps Lock is, else the key at its place
 * on a US keyboard, since other alphabets have no such letter, and Alt and AZERTY have signs in place of letters and
 * digits. Without Alt a sign stays a sign: Dvorak has the comma at the place of W.
 */
export function pressedKey({ key, code, altKey }: Pick<KeyPress, "key" | "code" | "altKey">): string {
  // A dead key on many keyboards, or another character.
  if (code === "Backquote") return "`";
  const isSign = /^[!-~]$/.test(key) && !/[a-z]/i.test(key);
  const [, letter, digit] = /^(?:Key(\w)|Digit(\d))$/.exec(code) ?? [];
  const place = (isSign && !altKey ? undefined : letter?.toLowerCase()) ?? digit;
  const name = place ?? (/^\p{L}$/u.test(key) ? signKeys[code] : undefined);
  return /^[a-z]$/i.test(key) ? key.toLowerCase() : (name ?? key.toLowerCase());
}

/**
 * Gives the letter of a shortcut the case that Shift alone makes. CodeMirror compares characters, and Caps Lock reverses
 * their case.
 */
export function ignoreCapsLock(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, shiftKey } = event;
  if ((ctrlKey || metaKey) && /^[a-z]$/i.test(key))
    Object.defineProperty(event, "key", { value: shiftKey ? key.toUpperCase() : key.toLowerCase() });
}

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
