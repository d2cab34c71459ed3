/** What the model is told of the project at the start of a session: environment, guide, tree; bounded by the window. */
import { estimateTokens } from "@/lib/text/estimate-tokens";

export interface ProjectFacts {
  readonly root: string;
  readonly platform: string;
  /** Of .git/HEAD; null = no repository. */
  readonly branch: string | null;
  /** AGENTS.md, else README.md. */
  readonly guide: { readonly name: string; readonly text: string } | null;
  readonly tree: string;
}

/** Half of the room goes to the guide at most; the tree gets what is left, cut at line ends. */
export function snapshotText(facts: ProjectFacts, maxTokens: number): string {
  const environment = `Project folder: ${facts.root}\nSystem: ${facts.platform}${facts.branch === null ? "" : `\nGit branch: ${facts.branch}`}`;
  const room = Math.max(0, maxTokens - estimateTokens(environment));
  const guide =
    facts.guide === null ? "" : `${facts.guide.name}:\n${headWithin(facts.guide.text.trim(), Math.floor(room / 2))}`;
  const tree = `Files:\n${headWithin(facts.tree, Math.min(treeTokens, room - estimateTokens(guide)))}`;
  return [environment, tree, guide].filter((part) => part !== "").join("\n\n");
}

/** Kore's figure for the tree that is always there. */
const treeTokens = 500;

/** The first lines that fit; says so when some did not. */
function headWithin(text: string, maxTokens: number): string {
  if (estimateTokens(text) <= maxTokens) return text;
  const lines: string[] = [];
  let left = maxTokens - 4;
  for (const line of text.split("\n")) {
    left -= estimateTokens(`${line}\n`);
    if (left < 0) break;
    lines.push(line);
  }
  return [...lines, "..."].join("\n");
}
