/**
 * Finds private keys in a text, from BEGIN to END. An END without a BEGIN masks the lines above it that look like the
 * rest of a key, line by line. A text that may still become a key is held back.
 */
import { serverLimits } from "@/lib/settings/server-limits";
import { wordSeparator } from "./secret-matcher";
import type { SecretSpan } from "./secret-shapes";

const marker = /-----(BEGIN|END) ([A-Z0-9 ]{0,60})-----/g;
const partialMarker = /-----(?:BEGIN|END) [A-Z0-9 ]{0,60}-{0,4}$/;
const keyName = /PRIVATE KEY/;
/** Length of the longest marker. */
export const markerMaxChars = 80;
/** Lines of keys are shorter than this, whatever prefix they have (a line number, a file name). */
const keyLineMaxChars = 200;
const bodyWord = /[A-Za-z0-9+/]{24,}={0,2}[^\sA-Za-z0-9]{0,3}$/;
/** The last line of a key can have any length. */
const lastWord = /[A-Za-z0-9+/]{1,}={0,2}[^\sA-Za-z0-9]{0,3}$/;

interface PrivateKeySpans {
  readonly spans: readonly SecretSpan[];
  /** Start of a key that has a BEGIN but no END yet. */
  readonly openAt: number | null;
}

/**
 * Finds the keys in a text. `isOpen`: the text begins within a key; `isCut`: it begins within some masked span;
 * `column`: UTF-16 units of its first line that precede the text.
 */
export function findPrivateKeys(text: string, isOpen: boolean, isCut: boolean, column: number): PrivateKeySpans {
  const spans: SecretSpan[] = [];
  let openAt = isOpen ? 0 : null;
  let before = -1;
  for (const match of text.matchAll(marker)) {
    const [all, label, name = ""] = match;
    const end = match.index + all.length;
    const isKey = keyName.test(name);
    if (label === "BEGIN" && isKey) openAt ??= match.index;
    else if (label === "END" && isKey) {
      if (openAt !== null) spans.push({ start: openAt, end });
      else spans.push(...loneEndSpans(text, match.index, end, { isCut: isCut && spans.length === 0, column, before }));
      openAt = null;
    }
    before = match.index;
  }
  return { spans, openAt };
}

function loneEndSpans(
  text: string,
  at: number,
  end: number,
  { isCut, column, before }: { readonly isCut: boolean; readonly column: number; readonly before: number },
): readonly SecretSpan[] {
  if (isCut) return [{ start: 0, end }];
  const lineStart = text.lastIndexOf("\n", at) + 1;
  const own = { start: findWordStart(text, at), end };
  const isAlone = at - lineStart > keyLineMaxChars || before >= lineStart;
  return isAlone ? [own] : [...keyLinesAbove(text, lineStart, column), own];
}

export function findWordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !wordSeparator.test(text[start - 1] ?? "")) start -= 1;
  return start;
}

/** Returns the last words of the lines directly above that look like lines of a key, the lowest first. */
function keyLinesAbove(text: string, lineStart: number, column: number): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let bodies = 0;
  for (let next = lineStart; next > 1; ) {
    const end = text[next - 2] === "\r" ? next - 2 : next - 1;
    const start = text.lastIndexOf("\n", next - 2) + 1;
    const from = Math.max(start, findWordStart(text, end));
    const isLong = end - start + (start === 0 ? column : 0) > keyLineMaxChars;
    const word = text.slice(from, end);
    const isBody = bodyWord.test(word);
    if (isLong || lineStart - from > serverLimits.redactHoldChars) break;
    if (!isBody && (spans.length > 0 || !lastWord.test(word))) break;
    bodies += isBody ? 1 : 0;
    spans.push({ start: from, end });
    next = start;
  }
  return bodies === 0 ? [] : spans;
}

/** Returns the offset from which the text may become part of a key; its length when there is none. */
export function keyHoldOffset(text: string, column: number): number {
  const begun = partialMarker.exec(text.slice(-markerMaxChars));
  const marked = begun === null ? text.length : Math.max(0, text.length - markerMaxChars) + begun.index;
  const lineStart = text.lastIndexOf("\n") + 1;
  const line = text.slice(lineStart);
  const isDecided = line.length > keyLineMaxChars + markerMaxChars || line.search(marker) >= 0;
  const body = isDecided ? [] : keyLinesAbove(text, lineStart, column);
  return Math.min(marked, body.at(-1)?.start ?? text.length);
}
