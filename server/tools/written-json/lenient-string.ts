/** Reads strings as models write them: every kind of quote, raw line breaks, escapes that JSON does not define. */
import { matchAt } from "@/server/base/match-at";

/** opener, closer, and whether backslash escapes apply */
const quotePairs: readonly (readonly [open: string, close: string, escapes: boolean])[] = [
  ['"""', '"""', true],
  ["'''", "'''", true],
  ['"', '"', true],
  ["'", "'", true],
  ["`", "`", true],
  ["“", "”", true],
  ["‘", "’", true],
  ["<escape>", "<escape>", false],
  ['<|"|>', '<|"|>', false],
];

const escapeForRegExp = (text: string): string => text.replaceAll(/[|\\^$.*+?()[\]{}]/g, "\\$&");

const closingPatterns = new Map(
  quotePairs.map(([, close, escapes]) => [
    close,
    new RegExp(escapes ? `${escapeForRegExp(close)}|\\\\` : escapeForRegExp(close), "g"),
  ]),
);

const escapedCharacters: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "/": "/",
  "\\": "\\",
  '"': '"',
  "'": "'",
  "`": "`",
};

/** Undefined escapes keep their backslash, as in Python: `\.` in a pattern stays as written. */
function unescape(body: string): string {
  if (!body.includes("\\")) return body;
  return body.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|([^]))/g,
    (whole, code: string | undefined, one: string | undefined) =>
      code === undefined ? (escapedCharacters[one ?? ""] ?? whole) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const stringPrefix = /[rR](?=["'])/y;

type LenientString =
  | { readonly kind: "string"; readonly value: string; readonly end: number }
  | { readonly kind: "cut"; readonly end: number };

/** Reads the string that opens at `at`; null = no quote there, or a template that only a program can evaluate. */
export function readString(text: string, at: number): LenientString | null {
  const raw = matchAt(stringPrefix, text, at) !== null;
  const start = raw ? at + 1 : at;
  const quote = quotePairs.find(([open]) => text.startsWith(open, start));
  if (quote === undefined || text.startsWith("```", start)) return null;
  const [open, close, escapes] = quote;
  const next = closingPatterns.get(close);
  if (next === undefined) return null;
  let from = start + open.length;
  for (;;) {
    next.lastIndex = from;
    const found = next.exec(text);
    if (found === null) return { kind: "cut", end: text.length };
    if (found[0] !== close) {
      from = found.index + 2;
      continue;
    }
    const body = text.slice(start + open.length, found.index);
    if (open === "`" && body.includes("${")) return null;
    return { kind: "string", value: raw || !escapes ? body : unescape(body), end: found.index + close.length };
  }
}
