/** Reads the YAML of a definition in steps, with the line of each value. Aliases and repeated keys are errors. */
import { type Document, isMap, isNode, isPair, isScalar, type LineCounter, visit } from "yaml";
import type { Steps } from "@/lib/async/steps";
import { boundedYamlSteps } from "./yaml-document";

export type YamlPath = readonly (string | number)[];

export interface LocatedYaml {
  readonly value: unknown;
  /** Line of the value at a path, or of the innermost one above it that exists; from 1. */
  lineOf(path: YamlPath): number;
}

/** `line` = that of the first error, from 1. */
type ParsedYaml = { readonly ok: true; readonly yaml: LocatedYaml } | { readonly ok: false; readonly line: number };

/** A definition of the largest size has no more. */
const maxLexemes = 10_000;

/** Parses a text with one document; an empty one has the value null. */
export function* parseLocatedYaml(text: string): Steps<ParsedYaml> {
  const { document, lines, faults } = yield* boundedYamlSteps(text, maxLexemes);
  const error = document === null ? 0 : (faults[0]?.offset ?? findAlias(document));
  if (document === null || error !== null) return { ok: false, line: Math.max(1, lines.linePos(error ?? 0).line) };
  return { ok: true, yaml: { value: document.toJS(), lineOf: (path) => findLine(document, path, lines) } };
}

/** Place of the first alias; null = there is none. */
function findAlias(document: Document): number | null {
  let found: number | null = null;
  visit(document, {
    Alias(_key, { range }) {
      found = range?.[0] ?? 0;
      return visit.BREAK;
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
