/**
 * Reads JSON as people write it in configuration files: with comments and trailing commas. Reports positions. Plain JSON,
 * which may be large, is read by the built-in parser; its lines are looked up only when they are needed.
 */
import type { Json } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";

/** Where the text is not JSON. Line and column count from 1. */
export interface JsonSyntaxError {
  readonly line: number;
  readonly column: number;
  /** What had to be there: `a value`, `,` … */
  readonly expected: string;
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
    }
  | { readonly ok: false; readonly error: JsonSyntaxError };

const maxLevels = 100;
const maxLinedChars = 1_000_000;
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
  const lineOf = (path: readonly string[]): number => {
    if (text.length > maxLinedChars) return 1;
    read ??= readWithPositions(text);
    return read.ok ? read.lineOf(path) : 1;
  };
  return { ok: true, value, lineOf };
}

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
  try {
    const value = reader.readAll();
    return {
      ok: true,
      value,
      lineOf(path) {
        for (let length = path.length; length > 0; length -= 1) {
          const at = reader.positions.get(JSON.stringify(path.slice(0, length)));
          if (at !== undefined) return positionOf(text, at).line;
        }
        return 1;
      },
    };
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    return { ok: false, error: { ...positionOf(text, error.at), expected: error.expected } };
  }
}

function positionOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

class JsonReader {
  /** Offset of each member of an object, by its path as JSON. */
  readonly positions = new Map<string, number>();
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
    while (!this.#take("}")) {
      if (members.length > 0 && !this.#take(",")) throw new JsonProblem(this.#at, ", or }");
      if (members.length > 0 && this.#take("}")) break;
      this.#skip();
      const start = this.#at;
      const name = this.#match(string);
      if (name === null) throw new JsonProblem(this.#at, "a name in quotes");
      if (!this.#take(":")) throw new JsonProblem(this.#at, ":");
      this.#path.push(String(this.#parse(name)));
      this.positions.set(JSON.stringify(this.#path), start);
      const value = this.#value();
      members.push([this.#path.pop() ?? "", value]);
    }
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
