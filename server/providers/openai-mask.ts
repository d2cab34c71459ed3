/** Takes a key out of whatever a server says. Pure; called by openai-errors for every word that leaves this room. */
const mask = "***";
/** A key this long is told apart from words by any of its pieces. */
const longKeyChars = 16;
const pieceChars = 8;
const startChars = 4;
/** Keys as servers shorten them themselves: sk-ab***yz. A word is tried from its first letter only, so that a long one costs little. */
const shortened = /(?<![\w-])[\w-]{2,}\*{3,}[\w-]*/g;

/** Each place of `text` where `piece` stands is marked in `hidden`. */
function markAll(text: string, piece: string, hidden: boolean[]): void {
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1))
    hidden.fill(true, at, at + piece.length);
}

/** `text` without the key, without pieces of it, and without what is left of one that the server shortened. */
export function withoutKey(text: string, key: string | null): string {
  const plain = text.replace(shortened, mask);
  if (key === null || key === "") return plain;
  const forms = [...new Set([key, encodeURIComponent(key), Buffer.from(key).toString("base64")])];
  const hidden = Array.from({ length: plain.length }, () => false);
  for (const form of forms) {
    markAll(plain, form, hidden);
    // Words that were cut may end inside the key.
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
