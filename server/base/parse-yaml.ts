/**
 * Parses a YAML text, with the position of each value, within limits that keep it short: the `yaml` package needs much time
 * for many values, deep nesting and broken escapes, and its own check of repeated keys compares each key with all others.
 */
import {
  Composer,
  type Document,
  type ErrorCode,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  visit,
  type YAMLMap,
} from "yaml";
import { weakMemo } from "./weak-memo";

export type DocumentPath = readonly (string | number)[];

/** Both from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export interface YamlFault extends TextPosition {
  /** "TOO_COMPLEX" = the text is above a limit. */
  readonly code: ErrorCode | "TOO_COMPLEX";
  readonly message: string;
}

export interface LocatedYaml {
  /** Throws for aliases that expand without end, or have no anchor. */
  readonly value: unknown;
  /** null = the text is above a limit. */
  readonly document: Document.Parsed | null;
  /** The first errors, in the order of the text. */
  readonly faults: readonly YamlFault[];
  /** Line of the key or item at a path, or of the innermost one above it that exists; from 1. */
  lineOf(path: DocumentPath): number;
  /** `offset` = place in the text. */
  positionAt(offset: number): TextPosition;
}

type ComposedYaml = readonly [document: Document.Parsed, second: Document.Parsed | undefined];
type MakeFault = (code: YamlFault["code"], message: string, offset: number) => YamlFault;

/** A key with a value has seven; an escape is one more. */
const defaultMaxLexemes = 5_000;
const maxFaults = 100;
const maxNesting = 32;
const nestedInLine = new RegExp(`(?:[-?:][ \\t]+){${maxNesting}}`);

/** Parses a definition, in less than 50 ms: it may have more values than another file, and an alias is an error. */
export const parseDefinitionYaml = (text: string): LocatedYaml => parseYaml(text, 10_000, true);

/** Parses the only document of a text; one with several has a fault, an empty one has the value null. */
export function parseYaml(text: string, maxLexemes = defaultMaxLexemes, refusesAliases = false): LocatedYaml {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const positionAt = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const fault: MakeFault = (code, message, offset) => ({ code, message, ...positionAt(offset) });
  const composed = composeYaml(text, maxLexemes, lines);
  const isComposed = typeof composed !== "string";
  const document = isComposed ? composed[0] : null;
  let value: unknown;
  return {
    document,
    get value() {
      value ??= document?.toJS();
      return value;
    },
    faults: isComposed ? findFaults(composed, fault, refusesAliases) : [fault("TOO_COMPLEX", composed, 0)],
    positionAt,
    lineOf: (path) => positionAt(findOffset(document, path)).line,
  };
}

/** Returns the document, and the one after it; a text = why there is none. */
function composeYaml(text: string, maxLexemes: number, lines: LineCounter): string | ComposedYaml {
  const tooDeep = "the values are nested too deep";
  if (isNestedDeeply(text)) return tooDeep;
  const parser = new Parser(lines.addNewLine);
  const tokens: Parameters<Composer["next"]>[0][] = [];
  // An escape is part of a lexeme; each broken one is an error.
  let count = countEscapes(text);
  const { stackTraceLimit } = Error;
  try {
    // The stacks of errors take most of the time of a text with many.
    Error.stackTraceLimit = 0;
    for (const lexeme of new Lexer().lex(text)) {
      count += 1;
      if (count > maxLexemes) return "there are too many values";
      tokens.push(...parser.next(lexeme));
    }
    tokens.push(...parser.end());
    const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
    const [document, second] = composer.compose(tokens, true, text.length);
    return document === undefined ? "there is no document" : [document, second];
  } catch {
    // Nested too deeply for the parser.
    return tooDeep;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function isNestedDeeply(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    if (bracket === "[" || bracket === "{") depth += 1;
    else if (depth > 0) depth -= 1;
    if (depth > maxNesting) return true;
  }
  return nestedInLine.test(text);
}

const countEscapes = (text: string): number => text.split("\\").length - 1;

function findFaults([document, second]: ComposedYaml, fault: MakeFault, refusesAliases: boolean): readonly YamlFault[] {
  const errors = document.errors
    .slice(0, maxFaults)
    .map(({ code, message, pos: [offset] }) => fault(code, message, offset));
  if (second !== undefined) errors.push(fault("MULTIPLE_DOCS", "the text has several documents", second.range[0]));
  const repeated: YamlFault[] = [];
  const aliases: YamlFault[] = [];
  visit(document, {
    Alias(_key, { range }) {
      aliases.push(fault("BAD_ALIAS", "there is an alias", range?.[0] ?? 0));
    },
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
        if (seen.has(name)) repeated.push(fault("DUPLICATE_KEY", "Map keys must be unique", offset));
        seen.add(name);
      }
    },
  });
  const faults = [...errors, ...repeated.slice(0, maxFaults)];
  if (faults.length === 0 && refusesAliases) return aliases.slice(0, 1);
  return faults.sort((one, other) => one.line - other.line || one.column - other.column);
}

/** Indexes the pairs of a map by key; if a key occurs twice, the first pair counts. */
const pairsByKey = weakMemo(
  ({ items }: YAMLMap) =>
    new Map(items.toReversed().flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : []))),
);

function findOffset(document: Document | null, path: DocumentPath): number {
  let node: unknown = document?.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const key of path) {
    const next: unknown = isMap(node)
      ? pairsByKey(node).get(String(key))
      : isSeq(node)
        ? node.items[Number(key)]
        : undefined;
    if (next === undefined) break;
    const place = isPair(next) ? next.key : next;
    if (isNode(place)) offset = place.range?.[0] ?? offset;
    node = isPair(next) ? next.value : next;
  }
  return offset;
}
