/** A source of the catalogue with its instructions and tools, in pages that fit a result. Pure. */
import type { Catalogue, CatalogueTool } from "./catalogue";
import { formatObstacle } from "./describe-obstacle";
import { formatToolSummary } from "./describe-tool";
import { escapeElements, toPlainLines } from "./foreign-text";
import { countFittingPieces, countPieceTokens, cutToTokens } from "./line-tokens";

const toolsPerPage = 30;
const maxInstructionChars = 2_048;
/** Share of the first page that the instructions have where not all tools fit. */
const instructionsShare = 1 / 4;

/**
 * Returns a page of a source's tools, a line each, in at most `maxTokens` estimated tokens; the first one has the
 * instructions of the source. How to get the next page is in the first line, which a shorter result has, too.
 */
export function describeSource(catalogue: Catalogue, id: string, page: number, maxTokens: number): string {
  const tools = catalogue.tools.filter(({ source }) => source === id);
  const { instructions = "" } = catalogue.sources.find((source) => source.id === id) ?? {};
  const lines = tools.map((tool) => `\n${escapeElements(formatLine(tool))}`);
  // No head is longer than that of the page with the longest number.
  const room = maxTokens - countPieceTokens(formatHead(id, tools.length, tools.length, tools.length + 1));
  const about = fitInstructions(escapeElements(toPlainLines(instructions, maxInstructionChars)), lines, room);
  const pages = dividePages(lines, room - countPieceTokens(about), room);
  const shown = Math.min(Math.max(1, Math.floor(page)), pages.length);
  const head = formatHead(id, tools.length, shown, pages.length);
  return [head, ...(shown === 1 ? [about] : []), ...(pages[shown - 1] ?? [])].join("");
}

function formatHead(id: string, tools: number, page: number, pages: number): string {
  const count = `${id} has ${tools} tool${tools === 1 ? "" : "s"}`;
  if (pages === 1) return `${count}.`;
  const next = page < pages ? `; next page: ${JSON.stringify({ tool: id, input: { page: page + 1 } })}` : ".";
  return `${count}; this is page ${page} of ${pages}${next}`;
}

/** The instructions give way to the tools of the first page; "" = there is no room for them. */
function fitInstructions(text: string, lines: readonly string[], room: number): string {
  const left = lines.slice(0, toolsPerPage).reduce((sum, line) => sum - countPieceTokens(line), room);
  const cut = cutToTokens(text, Math.max(left, room * instructionsShare) - countPieceTokens("\n"));
  return cut === "" ? "" : `\n${cut}`;
}

/** Divides lines into pages that fit, at least one line each; `firstRoom` is that of the first page. */
function dividePages(lines: readonly string[], firstRoom: number, room: number): readonly (readonly string[])[] {
  const pages: (readonly string[])[] = [];
  for (let from = 0; from < lines.length || pages.length === 0; from += pages.at(-1)?.length ?? 0) {
    const most = lines.slice(from, from + toolsPerPage);
    const count = countFittingPieces(most, pages.length === 0 ? firstRoom : room);
    pages.push(most.slice(0, Math.max(1, count)));
  }
  return pages;
}

function formatLine(tool: CatalogueTool): string {
  const obstacle = formatObstacle(tool);
  return `- ${obstacle === null ? formatToolSummary(tool, "name") : `${tool.name} (${obstacle})`}`;
}
