/**
 * The catalogue as the model reads it: the sources, and as many of their tools in as much detail as there is room for.
 * The same catalogue gives the same text. Pure.
 */
import type { Catalogue, CatalogueTool } from "./catalogue";
import { formatToolSummary } from "./describe-tool";
import { firstSentence, toOneLine, cutText } from "./foreign-text";
import { countFittingPieces, countPieceTokens } from "./line-tokens";

/** Windows up to this size have the small share. Tokens. */
const smallWindowTokens = 8_192;
const maxShareTokens = 1_200;
const maxInstructionChars = 120;

/** Returns the most tokens the catalogue may take of a context window. */
export const catalogueShare = (window: number): number =>
  Math.min(maxShareTokens, Math.floor(window / (window <= smallWindowTokens ? 64 : 32)));

const heading =
  'More tools: call toolbox {"tool": NAME, "input": {...}}. {"tool": NAME} shows its parameters, {"search": words} finds tools.';
const shortHeading = 'More tools: toolbox {"search": words}, then {"tool": NAME, "input": {...}}.';
const shortestHeading = 'More tools: toolbox {"search": words}.';

/** A source with the tools that can be called. */
interface SourceGroup {
  readonly id: string;
  readonly instructions: string;
  readonly tools: readonly CatalogueTool[];
}

/** Returns the sources with a tool that can be called, in the order of the catalogue. */
export function groupCallableTools(catalogue: Catalogue): readonly SourceGroup[] {
  const bySource = new Map<string, CatalogueTool[]>(catalogue.sources.map(({ id }) => [id, []]));
  for (const tool of catalogue.tools) if (tool.obstacle === null) bySource.get(tool.source)?.push(tool);
  return catalogue.sources.flatMap(({ id, instructions }) => {
    const tools = bySource.get(id) ?? [];
    return tools.length === 0 ? [] : [{ id, instructions, tools }];
  });
}

const formatSource = ({ id, tools }: SourceGroup): string => `${id} ${tools.length}`;

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Formats sources as `filesystem 14, playwright 25 and 3 more sources`, in at most `maxTokens`. */
export function formatSources(groups: readonly SourceGroup[], maxTokens: number): string {
  const names = groups.map(formatSource);
  const all = names.join(", ");
  if (countPieceTokens(all) <= maxTokens) return all;
  const rest = (count: number): string => ` and ${countOf(groups.length - count, "more source")}`;
  const fitting = countFittingPieces(
    names.map((name) => `, ${name}`),
    maxTokens - countPieceTokens(rest(0)),
  );
  if (fitting > 0) return `${names.slice(0, fitting).join(", ")}${rest(fitting)}`;
  const toolCount = groups.reduce((sum, { tools }) => sum + tools.length, 0);
  return `${countOf(groups.length, "source")}, ${countOf(toolCount, "tool")}`;
}

/** Level of detail about a tool: 1 = its name, 2 = its sentence too, 3 = its signature too. */
type Rung = 1 | 2 | 3;

/** The part of the text for a tool. A name is in the list of its source, the others are lines. */
function formatTool(tool: CatalogueTool, rung: Rung): string {
  if (rung === 3) return `\n- ${formatToolSummary(tool, "signature")}`;
  return rung === 1 || firstSentence(tool.description) === ""
    ? `, ${tool.name}`
    : `\n- ${formatToolSummary(tool, "name")}`;
}

const formatInstructions = ({ instructions }: SourceGroup): string => {
  const text = cutText(toOneLine(instructions), maxInstructionChars);
  return text === "" ? "" : ` (${text})`;
};

interface Selection {
  readonly rungs: Map<CatalogueTool, Rung>;
  readonly instructed: Set<SourceGroup>;
}

/**
 * Selects what fits: each rung in the order of `ranked` before the next, the instructions of sources after the names.
 * Ends with the first part that does not fit, so more room never shows less.
 */
function selectParts(groups: readonly SourceGroup[], ranked: readonly CatalogueTool[], maxTokens: number): Selection {
  const selection: Selection = { rungs: new Map(), instructed: new Set() };
  let left = maxTokens;
  const fillRung = (rung: Rung): boolean =>
    ranked.every((tool) => {
      const before = selection.rungs.get(tool);
      left -= countPieceTokens(formatTool(tool, rung));
      if (before !== undefined) left += countPieceTokens(formatTool(tool, before));
      if (left >= 0) selection.rungs.set(tool, rung);
      return left >= 0;
    });
  const addInstructions = (): boolean =>
    groups.every((group) => {
      left -= countPieceTokens(formatInstructions(group));
      if (left >= 0) selection.instructed.add(group);
      return left >= 0;
    });
  if (fillRung(1) && addInstructions() && fillRung(2)) fillRung(3);
  return selection;
}

function formatGroup(group: SourceGroup, { rungs, instructed }: Selection): string {
  const parts = group.tools.flatMap((tool) => {
    const rung = rungs.get(tool);
    return rung === undefined ? [] : [formatTool(tool, rung)];
  });
  const isLine = (part: string): boolean => part.startsWith("\n");
  const names = parts.filter((part) => !isLine(part)).join("");
  return [
    `\n${formatSource(group)}`,
    instructed.has(group) ? formatInstructions(group) : "",
    names.replace(/^,/, ":"),
    ...parts.filter(isLine),
  ].join("");
}

const rankOf = (tool: CatalogueTool, isUsed: (name: string) => boolean): number =>
  tool.isPinned ? 0 : isUsed(tool.name) ? 1 : 2;

/**
 * Returns the text of the catalogue in at most `maxTokens`; null = no tool can be called, or there is no room for a
 * line. Pinned tools come first, then those for which `isUsed` is true, each in the order of the catalogue.
 */
export function renderCatalogue(
  catalogue: Catalogue,
  maxTokens: number,
  isUsed: (name: string) => boolean,
): string | null {
  const groups = groupCallableTools(catalogue);
  if (groups.length === 0) return null;
  const sources = groups.map((group) => `\n${formatSource(group)}`).join("");
  const base = [heading, shortHeading].find((one) => countPieceTokens(one) + countPieceTokens(sources) <= maxTokens);
  if (base === undefined) return renderSourceCounts(groups, maxTokens);
  const tools = groups.flatMap((group) => group.tools);
  const ranked = [0, 1, 2].flatMap((rank) => tools.filter((tool) => rankOf(tool, isUsed) === rank));
  const room = maxTokens - countPieceTokens(base) - countPieceTokens(sources);
  const selection = selectParts(groups, base === heading ? ranked : [], room);
  if (selection.rungs.size === 0) return `${base}\n${groups.map(formatSource).join(", ")}`;
  return `${base}${groups.map((group) => formatGroup(group, selection)).join("")}`;
}

/** The text where not all sources fit. */
function renderSourceCounts(groups: readonly SourceGroup[], maxTokens: number): string | null {
  const room = maxTokens - countPieceTokens(`${shortHeading}\n`);
  const text = `${shortHeading}\n${formatSources(groups, room)}`;
  const [fitting = null] = [text, shortestHeading].filter((one) => countPieceTokens(one) <= maxTokens);
  return fitting;
}
