/** A source of the catalogue with its instructions and tools, in pages. Pure. */
import type { Catalogue, CatalogueTool } from "./catalogue";
import { formatObstacle } from "./describe-obstacle";
import { formatToolSummary } from "./describe-tool";
import { toPlainLines } from "./foreign-text";

const toolsPerPage = 30;
const maxInstructionChars = 2_048;

/** Returns a page of a source's tools, a line each; the first one has the instructions of the source. */
export function describeSource(catalogue: Catalogue, id: string, page: number): string {
  const tools = catalogue.tools.filter(({ source }) => source === id);
  const pages = Math.max(1, Math.ceil(tools.length / toolsPerPage));
  const shown = Math.min(Math.max(1, Math.floor(page)), pages);
  const { instructions = "" } = catalogue.sources.find((source) => source.id === id) ?? {};
  const count = `${id} has ${tools.length} tool${tools.length === 1 ? "" : "s"}`;
  return [
    pages === 1 ? `${count}.` : `${count}; this is page ${shown} of ${pages}.`,
    ...(shown === 1 ? [toPlainLines(instructions, maxInstructionChars)].filter((text) => text !== "") : []),
    ...tools.slice((shown - 1) * toolsPerPage, shown * toolsPerPage).map(formatLine),
    ...(shown < pages ? [`next page: ${JSON.stringify({ tool: id, input: { page: shown + 1 } })}`] : []),
  ].join("\n");
}

function formatLine(tool: CatalogueTool): string {
  const obstacle = formatObstacle(tool);
  return `- ${obstacle === null ? formatToolSummary(tool, "name") : `${tool.name} (${obstacle})`}`;
}
