/**
 * What nobody but the owner may read is masked here and nowhere else: secrets that are known, secrets by their shape, private
 * keys, the path of the user's home. Pure; a text in pieces gives what the whole text gives. Called for shares and exports.
 */
import type { Json } from "@/lib/content";
import { makeRedactStream, type RedactStream } from "./redact-stream";
import { makeSecretMatcher } from "./secret-matcher";

export interface RedactorOptions {
  /** Values that are secret, however they look. Of several lines, each line; shorter ones than `secretMinChars` are none. */
  readonly secrets: readonly string[];
  /** Folders that read `~`. */
  readonly homes: readonly string[];
}

/** The text is a part of a longer one: the word at that end is broken and may be a part of a secret. */
export interface CutEdges {
  readonly start?: boolean;
  readonly end?: boolean;
}

export interface Redactor {
  text(raw: string, edges?: CutEdges): string;
  /** Every text in it; names too. */
  json(value: Json): Json;
  /** A text that comes in pieces. `isCut` = it begins in the middle of one. */
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

/** Values of an environment whose names say that they are secret. */
export const secretsOf = (environment: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) && !isHarmless(value) ? [value] : [],
  );

/** A path, a small number or a plain word tells nothing, and would be masked everywhere. */
const isHarmless = (value: string): boolean =>
  /^\d{1,11}$/.test(value) ||
  /^(?:~|\.{1,2})?\/[\w./-]*$/.test(value) ||
  /^(?:true|false|disabled|enabled)$/i.test(value);
