/**
 * Reads JSON as people write it in configuration files: with comments and trailing commas. Reports positions. Plain JSON,
 * which may be large, is read by the built-in parser; its lines are looked up only when they are needed.
 */
import type { Json } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";
import { isJsonObject } from "../transport/messages";

/** Where the text is not JSON. Line and column count from 1. */
export interface JsonSyntaxError {
  readonly line: number;
  readonly column: number;
  /** What had to be there: `a value`, `,` … */
  readonly expected: string;
}

interface RepeatedMember {
  readonly name: string;
  /** From 1. */
  readonly line: number;
}

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: Json;
      /**
       * Returns the line of a member, from 1; that of the nearest outer one if there is no such member. 1 in plain JSON of
       * more than a million characters.
       */
      lineOf(path: readonly string[]): number;
      /**
       * Returns the members of an object that another one of the same name follows: `value` has the last one alone. None in
       * plain JSON of more than 60,000 characters.
       */
      repeatedIn(path: readonly string[]): readonly RepeatedMember[];
    }
  | { readonly ok: false; readonly error: JsonSyntaxError };

const maxLevels = 100;
const maxLinedChars = 1_000_000;
/** Reading more for repeated names alone would hold the event loop. */
const maxRepeatChars = 60_000;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const string = /"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"/y;
const blank = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;

class JsonProblem extends Error {
  constructor(
    readonly at: number,
    readonly expected: string,
  ) {
    super(expected);
  }
}

export function parseJsonWithComments(source: string): ParsedJson {
  const text = source.replace(/^\uFEFF/, " ");
  const value = parseJson(text);
  if (value === undefined || isDeeper(text, maxLevels)) return readWithPositions(text);
  let read: ParsedJson | null = null;
  const readSlowly = (): ParsedJson => (read ??= readWithPositions(text));
  return {
    ok: true,
    value,
    lineOf(path) {
      const slow = text.length > maxLinedChars ? null : readSlowly();
      return slow?.ok === true ? slow.lineOf(path) : 1;
    },
    repeatedIn(path) {
      const isRead = text.length <= maxRepeatChars && mayRepeat(text, memberAt(value, path));
      const slow = isRead ? readSlowly() : null;
      return slow?.ok === true ? slow.repeatedIn(path) : [];
    },
  };
}

const memberAt = (value: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (outer, name) => (isJsonObject(outer) && Object.hasOwn(outer, name) ? outer[name] : undefined),
    value,
  );

/** Whether the name of a member is more than once in the text, anywhere. */
const mayRepeat = (text: string, object: Json | undefined): boolean =>
  isJsonObject(object) &&
  Object.keys(object).some((name) => {
    const written = JSON.stringify(name);
    return text.indexOf(written) !== text.lastIndexOf(written);
  });

/** Whether valid JSON has more than `levels` objects and lists in one another. */
function isDeeper(text: string, levels: number): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === sign.quote) at = endOfString(text, at);
    else if (code === sign.brace || code === sign.bracket) open += 1;
    else if (code === sign.closingBrace || code === sign.closingBracket) open -= 1;
    if (open > levels) return true;
  }
  return false;
}

const sign = { quote: 0x22, bracket: 0x5b, backslash: 0x5c, closingBracket: 0x5d, brace: 0x7b, closingBrace: 0x7d };

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== sign.quote) at += text.charCodeAt(at) === sign.backslash ? 2 : 1;
  return at;
}

function readWithPositions(text: string): ParsedJson {
  const reader = new JsonReader(text);
  const positionOf = makePositions(text);
  try {
    const value = reader.readAll();
    return {
      ok: true,
      value,
      lineOf(path) {
        for (let length = path.length; length > 0; length -= 1) {
          const at = reader.positions.get(JSON.stringify(path.slice(0, length)));
          if (at !== undefined) return positionOf(at).line;
        }
        return 1;
      },
      repeatedIn: (path) =>
        (reader.repeated.get(JSON.stringify(path)) ?? []).map(({ name, at }) => ({
          name,
          line: positionOf(at).line,
        })),
    };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return { ok: false, error: { ...positionOf(error.at), expected: error.expected } };
  }
}

/** Returns what finds the line and column of an offset. The lines are looked up once, when the first is needed. */
function makePositions(text: string): (at: number) => { readonly line: number; readonly column: number } {
  let starts: readonly number[] | null = null;
  return (at) => {
    starts ??= lineStarts(text);
    let line = 0;
    for (let after = starts.length; after - line > 1; ) {
      const middle = (line + after) >> 1;
      if ((starts[middle] ?? 0) <= at) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: at - (starts[line] ?? 0) + 1 };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}

class JsonReader {
  /** Offset of each member of an object, by its path as JSON. */
  readonly positions = new Map<string, number>();
  /** Members that another one of the same name follows, by the path of their object as JSON. */
  readonly repeated = new Map<string, readonly { readonly name: string; readonly at: number }[]>();
  #at = 0;
  readonly #path: string[] = [];

  constructor(readonly text: string) {}

  readAll(): Json {
    const value = this.#value();
    this.#skip();
    if (this.#at < this.text.length) throw new JsonProblem(this.#at, "the end");
    return value;
  }

  #skip(): void {
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.text)?.[0].length ?? 0;
  }

  /** Takes the sign if it is next. */
  #take(sign: string): boolean {
    this.#skip();
    if (!this.text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #value(): Json {
    this.#skip();
    if (this.#path.length > maxLevels) throw new JsonProblem(this.#at, `at most ${maxLevels} levels`);
    if (this.#take("{")) return this.#object();
    if (this.#take("[")) return this.#array();
    const found = this.#match(string) ?? this.#match(literal);
    if (found === null) throw new JsonProblem(this.#at, "a value");
    return this.#parse(found);
  }

  #parse(found: string): Json {
    try {
      return JSON.parse(found);
    } catch {
      throw new JsonProblem(this.#at - found.length, "a text without invalid escapes");
    }
  }

  #object(): Json {
    const members: [string, Json][] = [];
    const place = JSON.stringify(this.#path);
    const starts = new Map<string, number>();
    const repeated: { readonly name: string; readonly at: number }[] = [];
    while (!this.#take("}")) {
      if (members.length > 0 && !this.#take(",")) throw new JsonProblem(this.#at, ", or }");
      if (members.length > 0 && this.#take("}")) break;
      this.#skip();
      const start = this.#at;
      const name = this.#match(string);
      if (name === null) throw new JsonProblem(this.#at, "a name in quotes");
      if (!this.#take(":")) throw new JsonProblem(this.#at, ":");
      const parsed = String(this.#parse(name));
      const earlier = starts.get(parsed);
      if (earlier !== undefined) repeated.push({ name: parsed, at: earlier });
      starts.set(parsed, start);
      this.#path.push(parsed);
      this.positions.set(JSON.stringify(this.#path), start);
      members.push([parsed, this.#value()]);
      this.#path.pop();
    }
    this.repeated.set(place, repeated);
    return Object.fromEntries(members);
  }

  #array(): Json {
    const values: Json[] = [];
    while (!this.#take("]")) {
      if (values.length > 0 && !this.#take(",")) throw new JsonProblem(this.#at, ", or ]");
      if (values.length > 0 && this.#take("]")) break;
      this.#path.push(`${values.length}`);
      values.push(this.#value());
      this.#path.pop();
    }
    return values;
  }
}
