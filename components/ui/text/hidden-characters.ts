/**
 * Finds characters that are invisible or change the display order. Commands, paths and diffs shown for a decision
 * render them as visible marks (visible-text.tsx), so that the user reads the actual content.
 */
type HiddenKind = "control" | "bidi" | "invisible";

export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  /** `name` is an abbreviation (ESC, RLO) or the code point (U+200B). */
  | { readonly kind: HiddenKind; readonly text: string; readonly name: string };

const controlNames = [
  "NUL",
  "SOH",
  "STX",
  "ETX",
  "EOT",
  "ENQ",
  "ACK",
  "BEL",
  "BS",
  "TAB",
  "LF",
  "VT",
  "FF",
  "CR",
  "SO",
  "SI",
  "DLE",
  "DC1",
  "DC2",
  "DC3",
  "DC4",
  "NAK",
  "SYN",
  "ETB",
  "CAN",
  "EM",
  "SUB",
  "ESC",
  "FS",
  "GS",
  "RS",
  "US",
] as const;

const characterNames: Readonly<Record<number, string>> = {
  0x7f: "DEL",
  0xa0: "NBSP",
  0xad: "SHY",
  0x200b: "ZWSP",
  0x200c: "ZWNJ",
  0x200d: "ZWJ",
  0x2028: "LS",
  0x2029: "PS",
  0x61c: "ALM",
  0x200e: "LRM",
  0x200f: "RLM",
  0x202a: "LRE",
  0x202b: "RLE",
  0x202c: "PDF",
  0x202d: "LRO",
  0x202e: "RLO",
  0x2066: "LRI",
  0x2067: "RLI",
  0x2068: "FSI",
  0x2069: "PDI",
  0x2060: "WJ",
  0xfeff: "BOM",
};

// Default ignorable code points, control characters except tab and line feed, spaces other than U+0020, separators,
// private use, lone surrogates.
const hiddenCandidate =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|[^\S \t\n]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2800]/gu;
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const control = /[\p{Cc}\p{Cs}]/u;
const emoji = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]*$/u;

/** Whether a joiner or selector belongs to an emoji, which is visible. */
function belongsToEmoji(text: string, index: number, character: string): boolean {
  if (character !== "\u200d" && character !== "\ufe0f") return false;
  const before = text.slice(Math.max(0, index - 8), index);
  if (character === "\ufe0f") return emoji.test(before) || /[0-9#*]$/.test(before);
  return emoji.test(before) && /^\p{Extended_Pictographic}/u.test(text.slice(index + 1, index + 3));
}

function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return controlNames[code] ?? characterNames[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Splits the text into plain and hidden parts; joined they equal the text. A CR before LF counts as hidden; tab and
 * line feed do not.
 */
export function splitHidden(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let shown = 0;
  for (const match of text.matchAll(hiddenCandidate)) {
    const character = match[0];
    if (belongsToEmoji(text, match.index, character)) continue;
    if (match.index > shown) parts.push({ kind: "text", text: text.slice(shown, match.index) });
    const kind = bidi.test(character) ? "bidi" : control.test(character) ? "control" : "invisible";
    parts.push({ kind, text: character, name: characterName(character) });
    shown = match.index + character.length;
  }
  if (shown < text.length) parts.push({ kind: "text", text: text.slice(shown) });
  return parts;
}

/** Counts the hidden characters. */
export const countHidden = (text: string): number => splitHidden(text).filter((part) => part.kind !== "text").length;

/** Whether the text has characters that change the text direction. */
export const hasBidi = (text: string): boolean => bidi.test(text);
