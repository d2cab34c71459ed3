/** Masks the secrets of a server in what it answers. Bytes, and what later requests send back, stay as they are. */
import { runSteps, type Steps } from "@/lib/async/steps";
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import { createAnsiStripper } from "@/lib/text/ansi";
import { makeSecretMask, piecesOf, type SecretMask } from "@/server/security/redaction/mask-secrets";
import type { ForeignContent } from "@/server/tools/toolbox/foreign-result";
import { parseJson } from "@/server/base/parse-json";
import { secretValues } from "@/server/security/redaction/redact";
import { secretMinChars } from "@/server/security/redaction/secret-matcher";
import { hiddenParts } from "./config/hidden-parts";

/** A text with a secret loses its control sequences, which may be inside of it; others stay as they are. */
export function makeServerMask(secrets: readonly string[]): SecretMask {
  const { values, lines } = resultSecrets(secrets);
  const mask = makeSecretMask(values, lines);
  return function* (text) {
    if (values.length + lines.length === 0) return text;
    const plain = yield* stripInSteps(text);
    const masked = yield* mask(plain);
    // A sequence may also have hidden a secret.
    return masked === plain && plain !== text ? yield* mask(text) : masked;
  };
}

function* stripInSteps(text: string): Steps<string> {
  const stripper = createAnsiStripper();
  let plain = "";
  for (const { from, next } of piecesOf(text.length)) {
    plain += stripper.push(text.slice(from, next));
    yield;
  }
  return plain + stripper.end();
}

/** Returns the first `maxChars` of a text, masked before it is cut. */
export const maskStart = (text: string, mask: SecretMask, maxChars: number): string =>
  runSteps(mask(text.slice(0, maxChars * 2))).slice(0, maxChars);

export function* maskContent(content: readonly ForeignContent[], mask: SecretMask): Steps<readonly ForeignContent[]> {
  const masked: ForeignContent[] = [];
  for (const part of content) {
    masked.push(yield* maskPart(part, mask));
    yield;
  }
  return masked;
}

function* maskPart(part: ForeignContent, mask: SecretMask): Steps<ForeignContent> {
  switch (part.type) {
    case "text":
      return { ...part, text: yield* mask(part.text) };
    case "resource":
      return { ...part, uri: yield* mask(part.uri), text: yield* mask(part.text) };
    case "link":
      return { ...part, uri: yield* mask(part.uri), name: yield* mask(part.name) };
    case "blob":
      return { ...part, uri: yield* mask(part.uri) };
    case "image":
    case "audio":
      return part;
  }
}

const textNames: ReadonlySet<string> = new Set(["title", "description"]);
/** Members with values that may be sent to the server. */
const valueNames: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);
/** Members whose own members have names of the server's choice. */
const mapNames: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

/** Masks the titles, descriptions and labels of a definition or a schema, at every level. */
export function* maskDefinition(definition: JsonObject, mask: SecretMask): Steps<JsonObject> {
  const members: [string, Json][] = [];
  for (const [name, value] of Object.entries(definition)) {
    members.push([name, yield* maskMember(name, value, mask)]);
    yield;
  }
  return Object.fromEntries(members);
}

function* maskMember(name: string, value: Json, mask: SecretMask): Steps<Json> {
  if (typeof value === "string") return textNames.has(name) ? yield* mask(value) : value;
  if (valueNames.has(name)) return value;
  if (mapNames.has(name) && isJsonObject(value)) {
    const members: [string, Json][] = [];
    for (const [member, inner] of Object.entries(value)) members.push([member, yield* maskInside(inner, mask)]);
    return Object.fromEntries(members);
  }
  return yield* maskInside(value, mask, name === "enumNames");
}

/** `areLabels` = texts in the value are shown in place of values. */
function* maskInside(value: Json, mask: SecretMask, areLabels = false): Steps<Json> {
  if (areLabels && typeof value === "string") return yield* mask(value);
  if (isJsonObject(value)) return yield* maskDefinition(value, mask);
  if (!Array.isArray(value)) return value;
  const masked: Json[] = [];
  for (const one of value) {
    masked.push(yield* maskInside(one, mask, areLabels));
    yield;
  }
  return masked;
}

/** Texts that are masked in the answers of a server. Its log masks more: there, a usual word may be a password. */
interface ResultSecrets {
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

function resultSecrets(secrets: readonly string[]): ResultSecrets {
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
