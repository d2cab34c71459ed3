/** The project snapshot at the start of a session: environment, tree and guide, bounded by the window. */
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { fitTree } from "./fit-tree";

interface ProjectText {
  readonly name: string;
  readonly text: string;
}

interface ProjectFacts {
  readonly root: string;
  readonly platform: string;
  /** Date of the session start (2026-11-22), never updated, so that the prompt prefix does not change. */
  readonly date: string;
  /** From .git/HEAD; null = no repository. */
  readonly branch: string | null;
  /** Instructions for agents, else the README. */
  readonly guide: ProjectText | null;
  /** README and configuration, sent as far as tokens remain. */
  readonly extras?: readonly ProjectText[];
  /** At most 5 levels and 50 entries per folder. null = not listed yet; renderTreeSection follows later. */
  readonly tree: string | null;
}

/** Maximum size of the tree (value of the Kore agent); in small windows half of the budget. */
const treeMaxTokens = 500;
/** A README is written for people, and its start describes the project. A guide is included as far as it fits. */
const readmeMaxTokens = 1_000;
const configMaxTokens = 500;
/** A longer file is left out if less than this remains. */
const extraMinTokens = 100;
/** Headings, blank lines between the parts, and rounding errors of sums. */
const frameTokens = 16;

/** Renders the facts within `maxTokens`. The tree gets at most half of the budget; the guide gets the rest. */
export function renderSnapshot(facts: ProjectFacts, maxTokens: number): string {
  const branch = facts.branch === null ? "" : `\nGit branch: ${facts.branch}`;
  const environment = `Project folder: ${facts.root}\nSystem: ${facts.platform}\nDate: ${facts.date}${branch}`;
  const available = Math.max(0, maxTokens - estimateTokens(environment) - frameTokens);
  const tree = renderTreeSection(facts.tree ?? "", Math.floor(available / 2));
  const left = available - estimateTokens(tree);
  const guide = renderGuide(facts.guide, left);
  const extras = renderExtras(facts.extras ?? [], left - estimateTokens(guide));
  return [environment, tree, guide, ...extras].filter((part) => part !== "").join("\n\n");
}

/** The first files that fit, each cut to its share; one of which only a few lines would fit is left out. */
function renderExtras(extras: readonly ProjectText[], available: number): readonly string[] {
  let left = available;
  return extras.flatMap(({ name, text }) => {
    const most = Math.min(left - frameTokens, isReadme(name) ? readmeMaxTokens : configMaxTokens);
    const whole = text.trim();
    if (most < extraMinTokens && estimateTokens(whole) > most) return [];
    const shown = fitLeadingLines(whole, name, most - estimateTokens(`${name}:\n`));
    if (shown === "") return [];
    const part = `${name}:\n${shown}`;
    left -= estimateTokens(part) + frameTokens;
    return [part];
  });
}

export const isReadme = (name: string): boolean => /^readme/i.test(name);

/** Renders the tree with its heading, within `maxTokens` and `treeMaxTokens`; "" if nothing fits. */
export function renderTreeSection(tree: string, maxTokens: number): string {
  const fitting = tree === "" ? "" : fitTree(tree, Math.min(treeMaxTokens, maxTokens));
  return fitting === "" ? "" : `Files:\n${fitting}`;
}

function renderGuide(guide: ProjectFacts["guide"], available: number): string {
  const text = guide?.text.trim() ?? "";
  if (guide === null || text === "") return "";
  const most = isReadme(guide.name) ? Math.min(available, readmeMaxTokens) : available;
  const shown = fitLeadingLines(text, guide.name, most - estimateTokens(`${guide.name}:\n`));
  if (shown !== "") return `${guide.name}:\n${shown}`;
  const hint = `${guide.name} is too long to be shown here: read it.`;
  return estimateTokens(hint) <= available ? hint : "";
}

/** No text but white space has so many characters a token: longer ones are not counted. */
const maxCharsPerToken = 64;

/**
 * The leading lines that fit and a note with the line of the cut; "" if no line fits. Apart from splitting, the time depends
 * on what fits, not on the length of the text: a file of megabytes would hold the server.
 */
export function fitLeadingLines(text: string, name: string, maxTokens: number): string {
  if (text.length <= maxTokens * maxCharsPerToken && estimateTokens(text) <= maxTokens) return text;
  const lines = text.split("\n");
  const cutAt = (count: number): string =>
    `${lines.slice(0, count).join("\n").trimEnd()}\n[${name} is cut here, after line ${count} of ${lines.length}: read it for the rest]`;
  const fits = (count: number): boolean => {
    const cut = cutAt(count);
    return cut.length <= maxTokens * maxCharsPerToken && estimateTokens(cut) <= maxTokens;
  };
  let low = 0;
  let high = 1;
  while (high < lines.length && fits(high)) {
    low = high;
    high *= 2;
  }
  high = Math.min(high, lines.length) - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : cutAt(low);
}
