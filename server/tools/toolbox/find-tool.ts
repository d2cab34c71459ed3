/** Finds the tool of the catalogue that a name means, also in another spelling. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { toNameKey, toPlainKey } from "@/lib/text/name-key";
import { countEdits, rankBySimilarity } from "@/lib/text/name-similarity";
import { weakMemo } from "@/server/base/weak-memo";
import { findBuiltinTool } from "../arguments/foreign-names";
import type { Catalogue, CatalogueTool } from "./catalogue";
import { type ExplainedObstacle, explainObstacle } from "./describe-obstacle";
import { formatToolboxCall, shapesOf } from "./example-call";
import { parseExternalArguments } from "./parse-external-arguments";
import { findTools } from "./search-catalogue";

/** Prefixes that other programs write in front of the names of tools. */
const foreignPrefix = /^(?:mcp|functions?|tools?|toolbox|default_api)_/;

/** The keys by which a name may be found: as it is, and without a prefix; each with and without separators. */
function nameKeys(name: string): readonly string[] {
  const key = toNameKey(name);
  const forms = [key];
  for (let form = key; foreignPrefix.test(form); ) forms.push((form = form.replace(foreignPrefix, "")));
  return forms.flatMap((form) => [form, form.replaceAll("_", "")]);
}

type NamedTool = Pick<CatalogueTool, "name" | "source" | "obstacle">;

/** The part of a name that follows its source; "" = the name does not begin with the source. */
const partOf = ({ name, source }: NamedTool): string =>
  name.startsWith(source) && !/^[\p{L}\p{N}]/u.test(name.slice(source.length)) ? name.slice(source.length) : "";

/** By both keys. */
type KeyIndex<T> = ReadonlyMap<string, readonly T[]>;

function groupByKeys<T>(items: readonly T[], textOf: (item: T) => string): KeyIndex<T> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const text = textOf(item);
    for (const key of new Set([toNameKey(text), toPlainKey(text)])) {
      const group = groups.get(key);
      if (key === "") continue;
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}

/** Tools by their names, and by the parts of their names that follow the source. */
const indexNames = <T extends NamedTool>(tools: readonly T[]) => ({
  byName: new Map(tools.map((tool) => [tool.name, tool])),
  byKey: groupByKeys(tools, ({ name }) => name),
  byPart: groupByKeys(tools, partOf),
});

const readNames = weakMemo(({ tools, sources }: Catalogue) => ({
  ...indexNames(tools),
  sources: groupByKeys(sources, ({ id }) => id),
}));

/** Returns the only tool with a key of the name, or the only one that can be called. */
function findInIndex<T extends NamedTool>(name: string, index: KeyIndex<T>): T | undefined {
  for (const key of nameKeys(name)) {
    const tools = index.get(key) ?? [];
    const callable = tools.filter(({ obstacle }) => obstacle === null);
    const [only, second] = callable.length > 0 ? callable : tools;
    if (second === undefined && only !== undefined) return only;
  }
  return undefined;
}

/** A tool by its whole name: exact, else the only one in another spelling. */
export function findToolByName(name: string, catalogue: Catalogue): CatalogueTool | undefined {
  const { byName, byKey } = readNames(catalogue);
  return byName.get(name) ?? findInIndex(name, byKey);
}

/** A tool by its name without its source, if only one has it. A built-in tool of that name comes first. */
function findToolByPart(name: string, catalogue: Catalogue): CatalogueTool | undefined {
  const isBuiltin = nameKeys(name).some((key) => findBuiltinTool(key) === key);
  return isBuiltin ? undefined : findInIndex(name, readNames(catalogue).byPart);
}

/** Returns the tool that a name given to the toolbox means. */
export const findTool = (name: string, catalogue: Catalogue): CatalogueTool | undefined =>
  findToolByName(name, catalogue) ?? findToolByPart(name, catalogue);

/** Returns the id of the source that a name means. */
export function findSourceId(name: string, catalogue: Catalogue): string | undefined {
  const { sources } = readNames(catalogue);
  const alike = nameKeys(name).flatMap((key) => sources.get(key) ?? []);
  return (catalogue.sources.find(({ id }) => id === name) ?? alike[0])?.id;
}

/**
 * Returns the tool for a call by a name of the catalogue that did not go through the toolbox, whether it can be called
 * or not. Names of built-in tools, and names by which other agents call them, only mean a tool whose name they are
 * exactly.
 */
export function resolveDirectCall(name: string, catalogue: Catalogue): CatalogueTool | undefined {
  const builtin = findBuiltinTool(name);
  if (builtin === name || toNameKey(name) === "toolbox") return undefined;
  return builtin === undefined ? findTool(name, catalogue) : readNames(catalogue).byName.get(name);
}

/** Least similarity of a name that is preferred to a tool found by words. */
const minSimilarity = 0.5;

/** Names that differ in at most so many characters are spellings of one name. */
const maxTypos = 2;

/** Whether a name differs from that of a tool, with or without its source, by a separator, the case or a letter or two. */
export function isMisspelled(name: string, tool: CatalogueTool): boolean {
  const written = toPlainKey(name);
  return [tool.name, partOf(tool)]
    .map(toPlainKey)
    .some((text) => text.length > 2 * maxTypos && countEdits(written, text) <= maxTypos);
}

const strongSeparator = /__|[./:]|->/;

/** The source whose id is the longest start of the name, or the name itself. */
function findSourceAtStart<T extends { readonly id: string }>(name: string, sources: readonly T[]): T | undefined {
  const keys = nameKeys(name);
  return sources
    .filter(({ id }) => keys.some((key) => key === toPlainKey(id) || `${key}_`.startsWith(`${toNameKey(id)}_`)))
    .toSorted((one, other) => other.id.length - one.id.length)[0];
}

/** Returns the id of the source that the name of an unknown tool begins with. */
export const findSourceOfName = (name: string, { sources, unlisted }: Catalogue): string | undefined =>
  strongSeparator.test(name) ? findSourceAtStart(name, [...sources, ...(unlisted?.() ?? [])])?.id : undefined;

/** Returns why a name cannot be called that a source has without listing it in the catalogue; null = none has it. */
export function explainName(name: string, { unlisted, sources: listed }: Catalogue): ExplainedObstacle | null {
  const sources = unlisted?.() ?? [];
  const tools = sources.flatMap(({ id, page, tools }) => tools.map((tool) => ({ ...tool, source: id, page })));
  const index = indexNames(tools);
  const tool = index.byName.get(name) ?? findInIndex(name, index.byKey) ?? findInIndex(name, index.byPart);
  if (tool !== undefined) return explainObstacle(tool);
  const begins = findSourceAtStart(name, [...listed, ...sources]);
  const source = sources.find(({ id, obstacle }) => id === begins?.id && obstacle !== null);
  if (source === undefined || listed.some(({ id }) => id === source.id)) return null;
  return explainObstacle({ ...source, name: source.id, source: source.id });
}

/**
 * Returns why a call of the name cannot run: because of its tool, or because no source lists it. Names of built-in tools,
 * and names that mean one, are not explained. Null = nothing is known against it.
 */
export function explainCall(
  name: string,
  tool: CatalogueTool | undefined,
  catalogue: Catalogue,
): ExplainedObstacle | null {
  if (tool !== undefined) return explainObstacle(tool);
  return findBuiltinTool(name) === undefined ? explainName(name, catalogue) : null;
}

/**
 * Returns the tools whose names are most similar: by pairs of characters, else by words. `source` = only of that one;
 * absent = of all.
 */
export function findNearestTools(
  name: string,
  catalogue: Catalogue,
  source: string | undefined,
  maxTools = 3,
): readonly CatalogueTool[] {
  const callable = catalogue.tools.filter(
    (tool) => tool.obstacle === null && (source === undefined || tool.source === source),
  );
  const ranked = rankBySimilarity(name, callable, (tool) => [tool.name, partOf(tool)]);
  const near = ranked.flatMap(({ item, score }) => (score >= minSimilarity ? [item] : []));
  const found = source === undefined ? findTools(catalogue, name, maxTools) : [];
  const others = [...found, ...ranked.map(({ item }) => item)];
  return [...new Set([...near.slice(0, maxTools), ...others])].slice(0, maxTools);
}

/** Whether an input fits a tool that declares all its members. */
export function fitsTool(tool: CatalogueTool, input: Json | undefined): boolean {
  if (!isJsonObject(input) || Object.keys(input).length === 0) return false;
  const shapes = shapesOf(tool);
  return Object.keys(input).every((name) => shapes.has(name)) && parseExternalArguments(tool, input).ok;
}

/**
 * Returns the sentence for a call of a built-in tool whose input fits a tool of the catalogue with a longer name: some
 * model servers cut the name of an offered tool out of the name the model wrote. Null = there is no such tool.
 */
export function suggestLongerName(builtin: string, input: Json, catalogue: Catalogue): string | null {
  const tool = catalogue.tools.find(
    (one) => one.obstacle === null && one.name !== builtin && one.name.includes(builtin) && fitsTool(one, input),
  );
  if (tool === undefined) return null;
  return `If you mean ${tool.name}, call it like this: ${formatToolboxCall({ tool: tool.name, input })}`;
}
