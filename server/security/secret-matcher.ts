/**
 * Where secrets stand in a text: known values with their escaped forms, shapes, the home folder. Knows nothing of pieces and
 * private keys, which are redact-stream's.
 */
import { type Span, shapeHeldFrom, shapeSpans } from "./secret-shapes";

export interface SecretMatcher {
  spans(text: string): readonly Span[];
  /** From here on a secret may have begun that reaches over white space; the text's length when nowhere. */
  heldFrom(text: string): number;
  /** The text begins within a longer one: what may be the end of a known secret. */
  startSpans(text: string): readonly Span[];
}

/** Shorter values are not taken for secrets: they would be masked in every second word. */
export const secretMinChars = 8;
/** So much of the start or the end of a known secret is one as well: where a line was cut, or a word. */
const partChars = 12;

/** White space and everything from the CJK scripts on: no secret by its shape reaches over it. */
export const separator = /[\s\u2e80-\uffff]/;

export function makeSecretMatcher(options: {
  readonly secrets: readonly string[];
  readonly homes: readonly string[];
}): SecretMatcher {
  const known = [...new Set(options.secrets.flatMap(formsOf))];
  const homes = [...new Set(options.homes.map((home) => home.replace(/[\\/]+$/, "")))].filter(
    (home) => home.length > 1,
  );
  const spaced = [...known, ...homes].filter((value) => separator.test(value));
  return {
    spans: (text) => [
      ...shapeSpans(text),
      ...known.flatMap((secret) => knownSpans(text, secret)),
      ...homes.flatMap((home) => homeSpans(text, home)),
    ],
    heldFrom: (text) => Math.min(shapeHeldFrom(text), ...spaced.map((value) => text.length - begun(text, value))),
    startSpans: (text) =>
      spaced.flatMap((value) => {
        const length = ended(text, value);
        return length === 0 ? [] : [{ start: 0, end: length }];
      }),
  };
}

/** Each line of it: as it is, and as JSON, addresses, markup, headers and dumps write it. */
function formsOf(secret: string): readonly string[] {
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
  const address = encoded(line);
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

/** At each of the three places it may have in a longer text: the characters that it alone decides. */
function base64Forms(line: string): readonly string[] {
  const bytes = Buffer.byteLength(line);
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.from("\0".repeat(offset) + line).toString("base64");
    const own = whole.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes) * 4) / 3));
    return own.length < secretMinChars ? [] : [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function encoded(line: string): string {
  try {
    return encodeURIComponent(line);
  } catch {
    // Half of a pair: it stands in no address.
    return line;
  }
}

/** Every place of the whole secret, of a long enough start of it, and of a long enough end. */
function knownSpans(text: string, secret: string): readonly Span[] {
  const spans: Span[] = [];
  const size = Math.min(secret.length, partChars);
  const head = secret.slice(0, size);
  for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, start + 1)) {
    let length = size;
    while (length < secret.length && text[start + length] === secret[length]) length += 1;
    spans.push({ start, end: start + length });
  }
  // The end of one with white space could begin in text that has been let go already.
  if (secret.length === size || separator.test(secret)) return spans;
  const tail = secret.slice(-size);
  for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1)) {
    let length = size;
    while (length < secret.length && text[at + size - length - 1] === secret[secret.length - length - 1]) length += 1;
    spans.push({ start: at + size - length, end: at + size });
  }
  return spans;
}

/** The folder and what is in it; not one whose name only begins like it, nor `src/root` where the home is `/root`. */
function homeSpans(text: string, home: string): readonly Span[] {
  const spans: Span[] = [];
  const isShort = home.lastIndexOf("/") === 0;
  for (let start = text.indexOf(home); start >= 0; start = text.indexOf(home, start + 1)) {
    const end = start + home.length;
    if (/^(?:[\w-]|\.\w)/.test(text.slice(end, end + 2))) continue;
    if (isShort && start > 0 && /[\w.~-]/.test(text[start - 1] ?? "")) continue;
    spans.push({ start, end, home: true });
  }
  return spans;
}

/** How much of the start of `value` the text ends with; less than all of it. */
function begun(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}

/** How much of the end of `value` the text begins with; less than all of it. */
function ended(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1)
    if (text.startsWith(value.slice(-length))) return length;
  return 0;
}
