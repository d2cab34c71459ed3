/**
 * Parses a YAML text within limits that keep it short: the `yaml` package needs much time for many values, deep nesting and
 * broken escapes, and its own check of repeated keys compares each key with all others.
 */
import { Composer, type Document, type ErrorCode, isNode, isScalar, Lexer, LineCounter, Parser, visit } from "yaml";
import { runSteps, type Steps } from "@/lib/async/steps";

export interface YamlFault {
  /** "TOO_COMPLEX" = the text is above a limit. */
  readonly code: ErrorCode | "TOO_COMPLEX";
  readonly message: string;
  /** Place in the text. */
  readonly offset: number;
}

export interface BoundedYaml {
  /** null = the text is above a limit. */
  readonly document: Document.Parsed | null;
  readonly lines: LineCounter;
  /** The first errors, in the order of the text. */
  readonly faults: readonly YamlFault[];
}

/** A key with a value has seven. */
const maxLexemes = 5_000;
const maxFaults = 100;
const maxNesting = 32;
const nestedList = new RegExp(`(?:[-?][ \\t]+){${maxNesting}}`);
const lexemesAStep = 50;

/** Parses the only document of a text; one with several has a fault. */
export const parseBoundedYaml = (text: string, lexemeLimit?: number): BoundedYaml =>
  runSteps(boundedYamlSteps(text, lexemeLimit));

export function* boundedYamlSteps(text: string, lexemeLimit = maxLexemes): Steps<BoundedYaml> {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const refuse = (message: string): BoundedYaml => ({
    document: null,
    lines,
    faults: [{ code: "TOO_COMPLEX", message, offset: 0 }],
  });
  if (isNestedDeeply(text)) return refuse("the values are nested too deep");
  const parser = new Parser(lines.addNewLine);
  const tokens: Parameters<Composer["next"]>[0][] = [];
  // An escape is part of a lexeme; each broken one is an error.
  let count = countEscapes(text);
  try {
    for (const lexeme of new Lexer().lex(text)) {
      count += 1;
      if (count > lexemeLimit) return refuse("there are too many values");
      tokens.push(...parser.next(lexeme));
      if (count % lexemesAStep === 0) yield;
    }
    tokens.push(...parser.end());
    yield;
    const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
    const [document, second] = composer.compose(tokens, true, text.length);
    yield;
    if (document === undefined) return refuse("there is no document");
    return { document, lines, faults: findFaults(document, second) };
  } catch {
    // Nested too deeply for the parser.
    return refuse("the values are nested too deep");
  }
}

function isNestedDeeply(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    if (bracket === "[" || bracket === "{") depth += 1;
    else if (depth > 0) depth -= 1;
    if (depth > maxNesting) return true;
  }
  return nestedList.test(text);
}

const countEscapes = (text: string): number => text.split("\\").length - 1;

function findFaults(document: Document.Parsed, second: Document.Parsed | undefined): readonly YamlFault[] {
  const errors = document.errors.map(({ code, message, pos: [offset] }) => ({ code, message, offset }));
  const repeated = findRepeatedKeys(document).map((offset) => ({
    code: "DUPLICATE_KEY" as const,
    message: "Map keys must be unique",
    offset,
  }));
  if (second !== undefined)
    errors.push({ code: "MULTIPLE_DOCS", message: "the text has several documents", offset: second.range[0] });
  return [...errors.slice(0, maxFaults), ...repeated.slice(0, maxFaults)].sort(
    (one, other) => one.offset - other.offset,
  );
}

/** Places of the keys that their map has before. */
function findRepeatedKeys(document: Document): readonly number[] {
  const found: number[] = [];
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) found.push(isNode(key) ? (key.range?.[0] ?? 0) : 0);
        seen.add(name);
      }
    },
  });
  return found;
}
