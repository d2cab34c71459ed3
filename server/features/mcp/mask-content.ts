/** Masks the secrets of a server in what it answers. Bytes, names and addresses of lists stay as they are. */
import { runSteps, type Steps } from "@/lib/async/steps";
import type { Json } from "@/lib/events/content";
import { stripAnsi } from "@/lib/text/ansi";
import { makeSecretMask, type SecretMask } from "@/server/security/redaction/mask-secrets";
import { secretMinChars } from "@/server/security/redaction/secret-matcher";
import type { ForeignContent } from "@/server/tools/toolbox/foreign-result";
import { isJsonObject, type JsonObject } from "./transport/messages";

/** Shorter ones are not masked, as in its log. A text with a secret loses its control sequences, which may be inside of it. */
export function makeServerMask(secrets: readonly string[]): SecretMask {
  const long = secrets.filter((secret) => secret.length >= secretMinChars);
  const mask = makeSecretMask(long);
  return (text) => mask(long.length === 0 ? text : stripAnsi(text));
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

/** Entries of a list; their names and addresses are what later requests send. */
export function* maskEntries(entries: readonly JsonObject[], mask: SecretMask): Steps<readonly JsonObject[]> {
  const masked: JsonObject[] = [];
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    const isSame = (yield* mask(text)) === text;
    masked.push(isSame ? entry : maskMembers(entry, (found) => runSteps(mask(found))));
    yield;
  }
  return masked;
}

const identifiers: ReadonlySet<string> = new Set(["name", "uri", "type", "$ref"]);

const maskMembers = (entry: JsonObject, mask: (text: string) => string): JsonObject =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      identifiers.has(name) && typeof value === "string" ? value : maskTexts(value, mask),
    ]),
  );

/** Masks every text of a value; names of members stay. */
export function maskTexts(value: Json, mask: (text: string) => string): Json {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskTexts(one, mask));
  return isJsonObject(value) ? maskMembers(value, mask) : value;
}
