/** The project snapshot at the start of a session: environment, tree and guide, bounded by the window. */
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { fitTree } from "./fit-tree";

interface ProjectFacts {
  readonly root: string;
  readonly platform: string;
  /** Date of the session start (2026-11-22), never updated, so that the prompt prefix does not change. */
  readonly date: string;
  /** From .git/HEAD; null = no repository. */
  readonly branch: string | null;
  /** AGENTS.md, else README.md. */
  readonly guide: { readonly name: string; readonly text: string } | null;
  /** At most 5 levels and 50 entries per folder. null = not listed yet; renderTreeSection follows later. */
  readonly tree: string | null;
}

/** Maximum size of the tree (value of the Kore agent); in small windows half of the budget. */
const treeMaxTokens = 500;
/** A README is written for people, and its start describes the project. AGENTS.md is included as far as it fits. */
const readmeMaxTokens = 1_000;
/** Headings, blank lines between the parts, and rounding errors of sums. */
const frameTokens = 16;

/** Renders the facts within `maxTokens`. The tree gets at most half of the budget; the guide gets the rest. */
export function renderSnapshot(facts: ProjectFacts, maxTokens: number): string {
  const branch = facts.branch === null ? "" : `\nGit branch: ${facts.branch}`;
  const environment = `Project folder: ${facts.root}\nSystem: ${facts.platform}\nDate: ${facts.date}${branch}`;
  const available = Math.max(0, maxTokens - estimateTokens(environment) - frameTokens);
  const tree = renderTreeSection(facts.tree ?? "", Math.floor(available / 2));
  const left = available - estimateTokens(tree);
  return [environment, tree, renderGuide(facts.guide, left)].filter((part) => part !== "").join("\n\n");
}

/** Renders the tree with its heading, within `maxTokens` and `treeMaxTokens`; "" if nothing fits. */
export function renderTreeSection(tree: string, maxTokens: number): string {
  const fitting = tree === "" ? "" : fitTree(tree, Math.min(treeMaxTokens, maxTokens));
  return fitting === "" ? "" : `Files:\n${fitting}`;
}

function renderGuide(guide: ProjectFacts["guide"], available: number): string {
  const text = guide?.text.trim() ?? "";
  if (guide === null || text === "") return "";
  const most = /^readme/i.test(guide.name) ? Math.min(available, readmeMaxTokens) : available;
  const shown = fitLeadingLines(text, guide.name, most - estimateTokens(`${guide.name}:\n`));
  if (shown !== "") return `${guide.name}:\n${shown}`;
  const hint = `${guide.name} is too long to be shown here: read it.`;
  return estimateTokens(hint) <= available ? hint : "";
}

/** The leading lines that fit and a note with the line of the cut; "" if no line fits. */
function fitLeadingLines(text: string, name: string, maxTokens: number): string {
  if (estimateTokens(text) <= maxTokens) return text;
  const lines = text.split("\n");
  const cutAt = (count: number): string =>
    `${lines.slice(0, count).join("\n").trimEnd()}\n[${name} is cut here, after line ${count} of ${lines.length}: read it for the rest]`;
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(cutAt(middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : cutAt(low);
}
