/** Reads the YAML of a definition in steps, with the line of each value. Aliases and repeated keys are errors. */
import { Composer, type Document, isMap, isNode, isPair, isScalar, LineCounter, Lexer, Parser, visit } from "yaml";
import type { Steps } from "@/lib/async/steps";
import { isComplexYaml } from "@/server/base/yaml-complexity";

export type YamlPath = readonly (string | number)[];

export interface LocatedYaml {
  readonly value: unknown;
  /** Line of the value at a path, or of the innermost one above it that exists; from 1. */
  lineOf(path: YamlPath): number;
}

/** `line` = that of the first error, from 1. */
type ParsedYaml = { readonly ok: true; readonly yaml: LocatedYaml } | { readonly ok: false; readonly line: number };

/** A definition of the largest size has no more. */
const maxMarks = 12_000;
const lexemesAStep = 50;

/** Parses a text with one document; an empty one has the value null. */
export function* parseLocatedYaml(text: string): Steps<ParsedYaml> {
  if (isComplexYaml(text, maxMarks)) return { ok: false, line: 1 };
  const lines = new LineCounter();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens: Parameters<Composer["next"]>[0][] = [];
  let count = 0;
  try {
    for (const lexeme of new Lexer().lex(text)) {
      tokens.push(...parser.next(lexeme));
      count += 1;
      if (count % lexemesAStep === 0) yield;
    }
    tokens.push(...parser.end());
    yield;
    const composer = new Composer({ schema: "core", uniqueKeys: false, logLevel: "silent" });
    const documents = [...composer.compose(tokens, true, text.length)];
    yield;
    const [document, second] = documents;
    if (document === undefined) return { ok: false, line: 1 };
    const error = document.errors[0]?.pos[0] ?? second?.range[0] ?? findForbidden(document);
    if (error !== null) return { ok: false, line: Math.max(1, lines.linePos(error).line) };
    return { ok: true, yaml: { value: document.toJS(), lineOf: (path) => findLine(document, path, lines) } };
  } catch {
    // Nested too deeply for the parser.
    return { ok: false, line: 1 };
  }
}

/** Place of the first alias or repeated key; null = there is none. */
function findForbidden(document: Document): number | null {
  let found: number | null = null;
  visit(document, {
    Alias(_key, { range }) {
      found = range?.[0] ?? 0;
      return visit.BREAK;
    },
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) {
          found = isNode(key) ? (key.range?.[0] ?? 0) : 0;
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return found;
}

function findLine(document: Document, path: YamlPath, lines: LineCounter): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const key of path) {
    const next: unknown = isMap(node) ? findPair(node.items, key) : getItem(node, key);
    if (next === undefined) break;
    const place = isPair(next) ? next.key : next;
    if (isNode(place)) offset = place.range?.[0] ?? offset;
    node = isPair(next) ? next.value : next;
  }
  return Math.max(1, lines.linePos(offset).line);
}

const findPair = (items: readonly unknown[], name: string | number): unknown =>
  items.find((pair) => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(name));

const getItem = (node: unknown, index: string | number): unknown =>
  typeof node === "object" && node !== null && "items" in node && Array.isArray(node.items)
    ? node.items[Number(index)]
    : undefined;
