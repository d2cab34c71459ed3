/**
 * Finds secrets in a text: known values with their escaped forms, shapes, the home folder. Chunks and private keys are
 * handled in redact-stream.
 */
import type { Steps } from "@/lib/async/steps";
import { type SecretSpan, shapeHoldOffset, shapeSpans } from "./secret-shapes";

export interface SecretMatcher {
  spans(text: string): readonly SecretSpan[];
  /**
   * Returns the offset from which a secret that contains white space may have begun; the text's length when there is
   * none.
   */
  holdOffset(text: string): number;
  /** For a text that begins within a longer one: returns spans that may be the end of a known secret. */
  suffixSpansAtStart(text: string): readonly SecretSpan[];
}

/** Shorter values do not count as secrets: they would be masked in every second word. */
export const secretMinChars = 8;
/** A prefix or suffix of this length of a known secret is masked as well, for cut lines and words. */
const maskedPartChars = 12;

/** White space and everything from the CJK scripts on: no secret shape extends across it. */
export const wordSeparator = /[\s\u2e80-\uffff]/;

export function makeSecretMatcher(options: {
  readonly secrets: readonly string[];
  readonly homes: readonly string[];
}): SecretMatcher {
  const secretForms = [...new Set(options.secrets.flatMap(writtenForms))];
  const homes = [...new Set(options.homes.map((home) => home.replace(/[\\/]+$/, "")))].filter(
    (home) => home.length > 1,
  );
  const spaced = [...secretForms, ...homes].filter((value) => wordSeparator.test(value));
  return {
    spans: (text) => [
      ...shapeSpans(text),
      ...secretForms.flatMap((secret) => knownSpans(text, secret)),
      ...homes.flatMap((home) => homeSpans(text, home)),
    ],
    holdOffset: (text) =>
      Math.min(shapeHoldOffset(text), ...spaced.map((value) => text.length - partialPrefixLength(text, value))),
    suffixSpansAtStart: (text) =>
      spaced.flatMap((value) => {
        const length = partialSuffixLength(text, value);
        return length === 0 ? [] : [{ start: 0, end: length }];
      }),
  };
}

/** Returns the forms of each line of the secret: as it is, and as written in JSON, URLs, markup, headers and dumps. */
function writtenForms(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const long = lines.filter((line) => line.length >= secretMinChars && !/^-----(?:BEGIN|END) /.test(line));
  return long.flatMap((line) => [
    ...new Set([line, line.toUpperCase(), line.toLowerCase()].flatMap(spellings)),
    ...base64Forms(line),
  ]);
}

function spellings(line: string): readonly string[] {
  const hex = Buffer.from(line).toString("hex");
  const percent = hex.replace(/../g, "%$&");
  const address = percentEncoded(line);
  return [
    line,
    JSON.stringify(line).slice(1, -1),
    address,
    address.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    address.replace(/%20/g, "+"),
    line
      .replace(/&/g, "&amp;")
      .replace(/"/g, "&quot;")
      .replace(/'/g, "&#39;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;"),
    hex,
    hex.toUpperCase(),
    percent,
    percent.toUpperCase(),
  ];
}

/**
 * Returns the base64 form at each of the three alignments in a longer text, limited to the characters that the line
 * alone determines.
 */
function base64Forms(line: string): readonly string[] {
  const bytes = Buffer.byteLength(line);
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.from("\0".repeat(offset) + line).toString("base64");
    const own = whole.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes) * 4) / 3));
    return own.length < secretMinChars ? [] : [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function percentEncoded(line: string): string {
  try {
    return encodeURIComponent(line);
  } catch {
    // A lone surrogate does not occur in a URL.
    return line;
  }
}

interface SecretFinder {
  find(text: string): Steps<readonly SecretSpan[]>;
  /** Characters of the longest form. */
  readonly longest: number;
}

/**
 * Finds secrets whose values are given, in all forms, one form in a step; nothing that only looks like one. `whole` = more
 * secrets, of which no part is found alone.
 */
export function makeKnownSecretFinder(secrets: readonly string[], whole: readonly string[] = []): SecretFinder {
  const forms = [...new Set(secrets.flatMap(writtenForms))];
  const wholeForms = [...new Set(whole.flatMap(writtenForms))];
  function* find(text: string): Steps<readonly SecretSpan[]> {
    const found: (readonly SecretSpan[])[] = [];
    for (const form of forms) {
      found.push(knownSpans(text, form));
      yield;
    }
    for (const form of wholeForms) {
      found.push(wholeSpans(text, form));
      yield;
    }
    return found.flat();
  }
  const longest = [...forms, ...wholeForms].reduce((length, form) => Math.max(length, form.length), 0);
  return { find, longest };
}

function wholeSpans(text: string, secret: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + 1))
    spans.push({ start, end: start + secret.length });
  return spans;
}

/** Finds every occurrence of the whole secret, of a long enough prefix, and of a long enough suffix. */
function knownSpans(text: string, secret: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const size = Math.min(secret.length, maskedPartChars);
  const head = secret.slice(0, size);
  for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, start + 1)) {
    let length = size;
    while (length < secret.length && text[start + length] === secret[length]) length += 1;
    spans.push({ start, end: start + length });
  }
  // The suffix of a secret with white space could begin in text that has already been released.
  if (secret.length === size || wordSeparator.test(secret)) return spans;
  const tail = secret.slice(-size);
  for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1)) {
    let length = size;
    while (length < secret.length && text[at + size - length - 1] === secret[secret.length - length - 1]) length += 1;
    spans.push({ start: at + size - length, end: at + size });
  }
  return spans;
}

/**
 * Finds the folder and paths in it; not a folder whose name only begins with it, nor `src/root` where the home is
 * `/root`.
 */
function homeSpans(text: string, home: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const isShort = home.lastIndexOf("/") === 0;
  for (let start = text.indexOf(home); start >= 0; start = text.indexOf(home, start + 1)) {
    const end = start + home.length;
    if (/^(?:[\w-]|\.\w)/.test(text.slice(end, end + 2))) continue;
    if (isShort && start > 0 && /[\w.~-]/.test(text[start - 1] ?? "")) continue;
    spans.push({ start, end, home: true });
  }
  return spans;
}

/** Returns the length of the longest proper prefix of `value` that the text ends with. */
function partialPrefixLength(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}

/** Returns the length of the longest proper suffix of `value` that the text begins with. */
function partialSuffixLength(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1)
    if (text.startsWith(value.slice(-length))) return length;
  return 0;
}
