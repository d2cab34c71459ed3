/**
 * The stored head of a compaction: what the model goes on from, exact bytes, within an eighth of the window. The summary is its
 * last block, so that the user's own words can take its place. Pure; used by compact and by the edit of a summary.
 */
import { type Block, textOf } from "@/lib/content";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import { compactionText } from "../prompts/compaction";

export type ContextBlock = Extract<Block, { type: "context" }>;

export interface HeadParts {
  readonly original: string;
  /** null = it is the first request, or stands among the messages that stay. */
  readonly newest: string | null;
  /** One line each, the last changed first. */
  readonly files: readonly string[];
  readonly todo: readonly string[];
  readonly summary: string;
  /** Project and mode, when the messages that stay do not tell them. Not counted: they have a share of their own. */
  readonly contexts: readonly ContextBlock[];
}

export interface Head {
  readonly blocks: readonly Block[];
  /** The user's words did not fit whole. */
  readonly cut: { readonly original: boolean; readonly newest: boolean };
}

/** Shares of the head: the user's words alone and beside each other, the lists. The summary has what is left. */
const aloneShare = 0.4;
const besideShare = 0.28;
const listShare = 0.22;

/** `maxTokens` as the scale counts. */
export function buildHead(parts: HeadParts, maxTokens: number, scale?: TokenScale): Head {
  const words = maxTokens * (parts.newest === null ? aloneShare : besideShare);
  const original = section("original", fit(parts.original, words, scale));
  const newest = parts.newest === null ? "" : section("newest", fit(parts.newest, words, scale));
  const todo = section("todo", lines(parts.todo.map(asItem), maxTokens * listShare, scale));
  const files = section("files", fileList(parts.files, maxTokens * listShare, scale));
  const kept = [compactionText("head"), original, newest, todo, files].filter((part) => part !== "").join("\n\n");
  const blocks: readonly Block[] = [...parts.contexts, { type: "text", text: kept }];
  return {
    blocks: withSummary(blocks, parts.summary, maxTokens, scale),
    cut: {
      original: estimateTokens(parts.original, scale) > words,
      newest: parts.newest !== null && estimateTokens(parts.newest, scale) > words,
    },
  };
}

/** A head with other words for its summary. */
export const editedHead = (
  head: readonly Block[],
  summary: string,
  maxTokens: number,
  scale?: TokenScale,
): readonly Block[] => withSummary(head.slice(0, -1), summary, maxTokens, scale);

/** Tokens of what counts for the share of the head. */
export const headTokens = (blocks: readonly Block[], scale?: TokenScale): number =>
  estimateTokens(textOf(blocks), scale);

function withSummary(
  blocks: readonly Block[],
  summary: string,
  maxTokens: number,
  scale?: TokenScale,
): readonly Block[] {
  const heading = compactionText("summary");
  const room = maxTokens - headTokens(blocks, scale) - estimateTokens(`\n\n${heading}\n`, scale) - 2;
  return [...blocks, { type: "text", text: `${heading}\n${fit(summary.trim(), room, scale)}` }];
}

const section = (name: string, body: string): string => (body === "" ? "" : `${compactionText(name)}\n${body}`);
const asItem = (line: string): string => (line.startsWith("-") ? line : `- ${line}`);

/** The start of a text within its tokens, the cut said; whole when it fits. */
export function fit(text: string, maxTokens: number, scale?: TokenScale): string {
  if (estimateTokens(text, scale) <= maxTokens) return text;
  const note = compactionText("cut");
  const room = maxTokens - estimateTokens(`\n${note}`, scale);
  if (room <= 0) return "";
  let chars = text.length;
  const sizeOf = (): number => estimateTokens(text.slice(0, chars), scale);
  for (let tokens = sizeOf(); tokens > room && chars > 0; tokens = sizeOf())
    chars = Math.min(chars - 1, Math.floor((chars * room * 0.98) / tokens));
  if (chars > 0 && /[\uD800-\uDBFF]/.test(text[chars - 1] ?? "")) chars -= 1;
  return `${text.slice(0, chars).trimEnd()}\n${note}`;
}

/** Lines from the first on, as many as fit. */
function lines(all: readonly string[], maxTokens: number, scale?: TokenScale): string {
  const taken: string[] = [];
  let left = maxTokens;
  for (const line of all) {
    left -= estimateTokens(`${line}\n`, scale);
    if (left < 0) break;
    taken.push(line);
  }
  return taken.join("\n");
}

/** With their figures, else by name alone, else the last changed ones and how many there are besides. */
function fileList(files: readonly string[], maxTokens: number, scale?: TokenScale): string {
  const whole = files.map(asItem).join("\n");
  if (estimateTokens(whole, scale) <= maxTokens) return whole;
  const names = files.map((file) => file.replace(/ \([^()]*\)$/, ""));
  const short = names.join(", ");
  if (estimateTokens(short, scale) <= maxTokens) return short;
  const taken: string[] = [];
  let left = maxTokens - estimateTokens(compactionText("more", { count: names.length }), scale);
  for (const name of names) {
    left -= estimateTokens(`${name}, `, scale);
    if (left < 0) break;
    taken.push(name);
  }
  return `${taken.join(", ")} ${compactionText("more", { count: names.length - taken.length })}`;
}
