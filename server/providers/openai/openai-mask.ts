/** Removes an API key from server texts. Pure. */
import { keyForms, type KeyUse } from "@/lib/models/key-use";

const mask = "***";
/** A key this long differs from ordinary words in every piece of it. */
const longKeyChars = 16;
const pieceChars = 8;
const startChars = 4;
/**
 * Keys shortened by the server itself: sk-ab***yz. Matches start at word boundaries only, so that a long word stays
 * cheap.
 */
const shortenedKey = /(?<![\w-])[\w-]{2,}\*{3,}[\w-]*/g;

/** Marks every occurrence of `piece` in `hidden`. */
function markAll(text: string, piece: string, hidden: boolean[]): void {
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1))
    hidden.fill(true, at, at + piece.length);
}

/** Returns `text` without the key, without pieces of it, and without the rest of a key shortened by the server. */
export function maskKey(text: string, key: string | null, use?: KeyUse): string {
  const plain = text.replace(shortenedKey, mask);
  if (key === null || key === "") return plain;
  const sent = keyForms(key, use);
  const forms = [...new Set([...sent, ...sent.map(encodeURIComponent), Buffer.from(key).toString("base64")])];
  const hidden = Array.from({ length: plain.length }, () => false);
  for (const form of forms) {
    markAll(plain, form, hidden);
    // A truncated text may end inside the key.
    for (let length = Math.min(form.length, plain.length); length >= startChars; length--)
      if (plain.endsWith(form.slice(0, length))) markAll(plain, plain.slice(-length), hidden);
    if (form.length < longKeyChars) continue;
    for (let from = 0; from + pieceChars <= form.length; from++)
      markAll(plain, form.slice(from, from + pieceChars), hidden);
  }
  let clean = "";
  for (let at = 0; at < plain.length; at++)
    if (hidden[at] === false) clean += plain[at];
    else if (hidden[at - 1] !== true) clean += mask;
  return clean;
}
