/** Finds tools of the catalogue by words of their names and descriptions. Pure. */
import { runSteps, type Steps } from "@/lib/async/steps";
import { runStepsInSlices } from "@/server/base/steps";
import { extractIndexWords } from "@/lib/text/search-words";
import type { Catalogue, CatalogueTool } from "./catalogue";
import { formatSources, groupCallableTools } from "./catalogue-text";
import { formatToolSummary } from "./describe-tool";
import { formatToolboxCall } from "./example-call";
import { toOneLine } from "./foreign-text";
import { countFittingPieces, countPieceTokens } from "./line-tokens";

const maxHits = 8;
const maxAnswerTokens = 300;
/** Words of a query that are looked up. */
const maxQueryWords = 24;
/** Characters of a description that are searched. */
const maxSearchedChars = 160;

/** Points for a word of a name and of a description, each as a whole and as the start of a word. */
const points = { name: 8, nameStart: 5, description: 3, descriptionStart: 1 } as const;
/** A shorter query word is not treated as the start of a word. */
const minStartChars = 2;

interface CatalogueIndex {
  readonly tools: readonly CatalogueTool[];
  /** In order, for the search by the start of a word. */
  readonly words: readonly string[];
  /** Twice the index of a tool, plus 1 for its name. */
  readonly placesByWord: ReadonlyMap<string, readonly number[]>;
}

/** Tools between two places where building an index may be suspended. */
const toolsPerStep = 50;

function* buildIndex(catalogue: Catalogue): Steps<CatalogueIndex> {
  const tools = catalogue.tools.filter(({ obstacle }) => obstacle === null);
  const placesByWord = new Map<string, number[]>();
  const add = (word: string, place: number): void => {
    const places = placesByWord.get(word);
    if (places === undefined) placesByWord.set(word, [place]);
    else places.push(place);
  };
  for (const [toolIndex, { name, description }] of tools.entries()) {
    if (toolIndex % toolsPerStep === 0) yield;
    const nameWords = extractIndexWords(name);
    for (const word of nameWords) add(word, toolIndex * 2 + 1);
    for (const word of extractIndexWords(description.slice(0, maxSearchedChars)))
      if (!nameWords.has(word)) add(word, toolIndex * 2);
  }
  return { tools, words: [...placesByWord.keys()].toSorted(compareWords), placesByWord };
}

const indexes = new WeakMap<Catalogue, CatalogueIndex>();

function indexOf(catalogue: Catalogue): CatalogueIndex {
  const index = indexes.get(catalogue) ?? runSteps(buildIndex(catalogue));
  indexes.set(catalogue, index);
  return index;
}

/** Builds the index of the catalogue in slices, so that a search of thousands of tools does not hold the event loop. */
export async function prepareSearch(catalogue: Catalogue, signal: AbortSignal): Promise<void> {
  if (!indexes.has(catalogue)) indexes.set(catalogue, await runStepsInSlices(buildIndex(catalogue), signal));
}

const compareWords = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Index of the first word that is not before `start`. */
function findFirstWord(words: readonly string[], start: string): number {
  let [from, to] = [0, words.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((words[middle] ?? "") < start) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Words that begin with `start`, itself first. */
function* findWords(words: readonly string[], start: string): Iterable<string> {
  for (let index = findFirstWord(words, start); words[index]?.startsWith(start) === true; index += 1)
    yield words[index] ?? "";
}

/** The best points of each tool for one word of a query. A plural also finds its singular. */
function scoreWord({ words, placesByWord }: CatalogueIndex, word: string): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  const add = (found: string, isWhole: boolean): void => {
    for (const place of placesByWord.get(found) ?? []) {
      const toolIndex = place >> 1;
      const score =
        place % 2 === 1
          ? isWhole
            ? points.name
            : points.nameStart
          : isWhole
            ? points.description
            : points.descriptionStart;
      scores.set(toolIndex, Math.max(score, scores.get(toolIndex) ?? 0));
    }
  };
  const starts = word.length >= minStartChars ? findWords(words, word) : [word];
  for (const found of starts) add(found, found === word);
  if (/[a-z]{3,}s$/.test(word)) add(word.slice(0, -1), false);
  return scores;
}

/** The words to look up. Single characters are, if there is nothing longer. */
function splitQuery(query: string): readonly string[] {
  const words = [...extractIndexWords(query)];
  const longer = words.filter((word) => [...word].length > 1);
  return (longer.length > 0 ? longer : words).slice(0, maxQueryWords);
}

/** Returns the tools that match best: rare words count more than words of many tools, then the order of the catalogue. */
export function findTools(catalogue: Catalogue, query: string, maxTools: number): readonly CatalogueTool[] {
  const index = indexOf(catalogue);
  const totals = new Map<number, number>();
  for (const word of splitQuery(query)) {
    const scores = scoreWord(index, word);
    const rarity = Math.log(1 + index.tools.length / Math.max(1, scores.size));
    for (const [toolIndex, score] of scores) totals.set(toolIndex, (totals.get(toolIndex) ?? 0) + score * rarity);
  }
  return [...totals]
    .toSorted(([one, oneScore], [other, otherScore]) => otherScore - oneScore || one - other)
    .slice(0, maxTools)
    .flatMap(([toolIndex]) => index.tools[toolIndex] ?? []);
}

const heading = 'Call a tool with toolbox {"tool": NAME, "input": {...}}. Best first:';
/** Tokens left for the sources in the answer without a hit. */
const maxSourcesTokens = 200;

/**
 * Returns the answer to a search, in at most 300 tokens and `maxTokens`: the best tools, each on a line with as much detail as
 * there is room for, or what to do where none matches.
 */
export function searchCatalogue(catalogue: Catalogue, words: string, maxTokens = maxAnswerTokens): string {
  const tools = findTools(catalogue, words, maxHits);
  if (tools.length === 0) return formatNoHit(catalogue, words, Math.min(maxSourcesTokens, maxTokens / 2));
  const room = Math.min(maxAnswerTokens, maxTokens) - countPieceTokens(heading);
  const names = tools.map(({ name }) => `\n- ${name}`);
  const lines = names.slice(0, Math.max(1, countFittingPieces(names, room)));
  let left = room - sumTokens(lines);
  for (const [index, tool] of tools.entries()) {
    const name = lines[index];
    if (name === undefined) break;
    const most = left + countPieceTokens(name);
    const longer = [formatToolSummary(tool, "signature"), formatToolSummary(tool, "name")].map((text) => `\n- ${text}`);
    const line = longer.find((one) => countPieceTokens(one) <= most);
    if (line === undefined) continue;
    left = most - countPieceTokens(line);
    lines[index] = line;
  }
  return `${heading}${lines.join("")}`;
}

const sumTokens = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + countPieceTokens(line), 0);

function formatNoHit(catalogue: Catalogue, words: string, maxTokens: number): string {
  const groups = groupCallableTools(catalogue);
  const [first] = groups;
  const start = `No tool matches ${JSON.stringify(toOneLine(words).slice(0, 60))}.`;
  if (first === undefined) return `${start} No other tools are connected.`;
  const call = formatToolboxCall({ tool: first.id });
  return `${start} The sources are: ${formatSources(groups, maxTokens)}. List the tools of one with ${call}.`;
}
