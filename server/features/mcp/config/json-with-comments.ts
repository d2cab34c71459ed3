/**
 * Reads JSON as people write it in configuration files: with comments and trailing commas. Reports positions. The tree with
 * the positions is built when one is needed; plain JSON, which may be large, is read by the built-in parser.
 */
import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Json } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";

/** Position at which the text is not JSON. Line and column count from 1. */
export interface JsonSyntaxError {
  readonly line: number;
  readonly column: number;
  /** Name of the expected token or value: `a value`, `,` … */
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
/** Building the tree of more for repeated names alone would hold the event loop. */
const maxRepeatChars = 60_000;

export function parseJsonWithComments(source: string): ParsedJson {
  const text = source.replace(/^\uFEFF/, " ");
  const positionOf = makePositions(text);
  const tooDeepAt = findLevelBeyond(text, maxLevels);
  if (tooDeepAt !== null)
    return { ok: false, error: { ...positionOf(tooDeepAt), expected: `at most ${maxLevels} levels` } };
  const plain = parseJson(text);
  const errors: ParseError[] = [];
  const parse = (): Node | undefined => parseTree(text, errors, { allowTrailingComma: true });
  let tree = plain === undefined ? parse() : undefined;
  const [error] = errors;
  if (error !== undefined) return { ok: false, error: { ...positionOf(error.offset), expected: expectedFor(errors) } };
  return {
    ok: true,
    value: plain === undefined ? getNodeValue(tree ?? emptyNode) : plain,
    lineOf(path) {
      if (plain !== undefined && text.length > maxLinedChars) return 1;
      tree ??= parse();
      return positionOf(findMember(tree, path).member?.offset ?? 0).line;
    },
    repeatedIn(path) {
      if (plain !== undefined && text.length > maxRepeatChars) return [];
      tree ??= parse();
      const { value: object } = findMember(tree, path);
      const members = object?.type === "object" ? (object.children ?? []) : [];
      const last = new Map(members.map((member) => [nameOf(member), member]));
      return members.flatMap((member) => {
        const name = nameOf(member);
        return last.get(name) === member ? [] : [{ name, line: positionOf(member.offset).line }];
      });
    },
  };
}

const emptyNode: Node = { type: "object", offset: 0, length: 0, children: [] };

const nameOf = ({ children }: Node): string => String(children?.[0]?.value);

/**
 * Returns the member at the path, or the nearest one above it that is there, and the value at the path. Of members of one
 * name the last counts.
 */
function findMember(
  root: Node | undefined,
  path: readonly string[],
): { readonly member?: Node; readonly value?: Node } {
  let member: Node | undefined;
  let value = root;
  for (const name of path) {
    const { type, children = [] } = value ?? emptyNode;
    const next = type === "array" ? children[Number(name)] : children.findLast((each) => nameOf(each) === name);
    value = type === "array" ? next : next?.children?.[1];
    if (next === undefined) break;
    member = next;
  }
  return { member, value };
}

/** Returns where the text has more than `levels` objects and lists in one another; null = nowhere. */
function findLevelBeyond(text: string, levels: number): number | null {
  const scanner = createScanner(text, true);
  let open = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    const sign = text.charAt(at);
    if (sign === "{" || sign === "[") open += 1;
    if (sign === "}" || sign === "]") open -= 1;
    if (open > levels) return at;
  }
  return null;
}

/** Returns what finds the line and column of an offset. The lines are looked up once, when the first is needed. */
function makePositions(text: string): (at: number) => { readonly line: number; readonly column: number } {
  let starts: readonly number[] | null = null;
  return (at) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    const line = starts.findLastIndex((start) => start <= at);
    return { line: line + 1, column: at - (starts[line] ?? 0) + 1 };
  };
}

const expectations: { readonly [error: string]: string } = {
  PropertyNameExpected: "a name in quotes",
  ValueExpected: "a value",
  ColonExpected: ":",
  CommaExpected: ",",
  CloseBraceExpected: "}",
  CloseBracketExpected: "]",
  UnexpectedEndOfComment: "*/",
  UnexpectedEndOfString: "a closing quote",
  InvalidEscapeCharacter: "a text without invalid escapes",
  InvalidUnicode: "a text without invalid escapes",
  InvalidCharacter: "a text without invalid escapes",
};

/** Returns the expected token; the parser reports a symbol that is no JSON at all before it. */
function expectedFor(errors: readonly ParseError[]): string {
  const named = errors.map(({ error }) => printParseErrorCode(error)).find((name) => name !== "InvalidSymbol");
  return expectations[named ?? ""] ?? "the end";
}
