/** Which texts are masked in what a server answers. Its log masks more: there, a usual word may be a password. Pure. */
import type { Json } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";
import { secretValues } from "@/server/security/redaction/redact";
import { secretMinChars } from "@/server/security/redaction/secret-matcher";
import { hiddenParts } from "./config/hidden-parts";
import { isJsonObject } from "./transport/messages";

export interface ResultSecrets {
  /** Masked also where only their start or end is. */
  readonly values: readonly string[];
  /** Parts of values of several lines, and of JSON. Masked only where they are whole: others may begin like them. */
  readonly lines: readonly string[];
}

/** From this length on, a text is no usual word. */
const longWordChars = 16;
const longLineChars = 20;
const marker = /^-----(?:BEGIN|END) /;
/** A line of JSON without a text of its own. */
const structure = /^(?:"[^"]*"\s*:\s*)?[\s{}[\],]*$/;
/** As in the id of a key. */
const randomText = /^(?=.*\d)(?=.*[A-Za-z])[\w+/=-]{20,}$/;

/** Letters of one word, or digits of a small number. */
const isUsualWord = (value: string): boolean =>
  value.length < longWordChars && /^(?:\p{L}\p{Ll}*|\p{Lu}+|\p{Lo}+|\d{1,11})$/u.test(value);

const isMasked = (value: string): boolean => value.length >= secretMinChars && !isUsualWord(value);

export function resultSecrets(secrets: readonly string[]): ResultSecrets {
  const values: string[] = [];
  const lines: string[] = [];
  for (const secret of secrets.map((one) => one.trim())) {
    const json = /^[[{]/.test(secret) ? parseJson(secret) : undefined;
    if (json !== undefined) lines.push(...secretTexts("", json));
    else if (secret.includes("\n")) lines.push(...longLines(secret));
    else if (isMasked(secret)) values.push(secret);
  }
  return { values, lines: lines.filter(isMasked) };
}

const longLines = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= longLineChars && !marker.test(line) && !structure.test(line));

/** The texts of a JSON value whose names or looks indicate a secret. */
function secretTexts(name: string, value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => secretTexts(name, one));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([member, inner]) => secretTexts(member, inner));
  if (typeof value !== "string") return [];
  if (value.trim().includes("\n")) return longLines(value);
  const variable = name.replace(/([a-z])([A-Z])/g, "$1_$2");
  return hiddenParts(value, secretValues({ [variable]: value }).length > 0 || randomText.test(value)).secrets;
}
