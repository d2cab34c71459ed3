/**
 * Masks what only the owner may read: known secrets, secrets recognised by their shape, private keys, the path of the
 * user's home. Pure; a text in chunks gives the same result as the whole text.
 */
import type { Json } from "@/lib/events/content";
import { makeRedactStream, type RedactStream } from "./redact-stream";
import { makeSecretMatcher } from "./secret-matcher";

interface RedactorOptions {
  /**
   * Values that are secret, whatever they look like. Of a value with several lines, each line; lines shorter than
   * `secretMinChars` are not masked.
   */
  readonly secrets: readonly string[];
  /** Folders that are replaced by `~`. */
  readonly homes: readonly string[];
}

/**
 * Ends at which the text was cut out of a longer one: the word at such an end is incomplete and may be part of a
 * secret.
 */
interface CutEdges {
  readonly start?: boolean;
  readonly end?: boolean;
}

export interface Redactor {
  text(raw: string, edges?: CutEdges): string;
  /** Masks every string in the value, names included. */
  json(value: Json): Json;
  /** Masks a text that arrives in chunks. `isCut` = it begins in the middle of a longer text. */
  stream(isCut: boolean): RedactStream;
}

export function makeRedactor(options: RedactorOptions): Redactor {
  const matcher = makeSecretMatcher(options);
  const text = (raw: string, edges: CutEdges = {}): string => {
    const stream = makeRedactStream(matcher, edges.start === true);
    return stream.feed(raw) + stream.end(edges.end === true);
  };
  const json = (value: Json): Json => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [text(name), json(inner)]));
  };
  return { text, json, stream: (isCut) => makeRedactStream(matcher, isCut) };
}

const secretName =
  /(?:^|_)(?:API)?(?:TOKENS?|KEYS?|SECRETS?|PASS(?:WORD|WD|PHRASE)?|PAT|CREDENTIALS?)(?:_(?:ID|BASE64|VALUE|\d+))?$/i;

/** Returns the values of environment variables whose names indicate a secret. */
export const secretValues = (environment: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) && !isHarmlessValue(value) ? [value] : [],
  );

/** A path, a small number or a plain word reveals nothing, and would be masked everywhere. */
const isHarmlessValue = (value: string): boolean =>
  /^\d{1,11}$/.test(value) ||
  /^(?:~|\.{1,2})?\/[\w./-]*$/.test(value) ||
  /^(?:true|false|disabled|enabled)$/i.test(value);
