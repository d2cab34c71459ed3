/**
 * The stored head of a compaction: the exact blocks from which the model continues, within an eighth of the window.
 * The summary is the last block, so that a user's edit can replace it. Pure.
 */
import { type Block, joinTextBlocks, type ReferenceBlock } from "@/lib/events/content";
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import { compactionText } from "@/server/prompts/compaction";
import type { ContextBlock } from "../context/context-source";

interface CompactionHeadParts {
  readonly original: string;
  /** null = it is the first instruction, or it is among the retained messages. */
  readonly newest: string | null;
  /** One line each, last changed first. */
  readonly files: readonly string[];
  readonly todo: readonly string[];
  /** Names, last used first. */
  readonly skills: readonly string[];
  readonly summary: string;
  /** Repeated context blocks and pinned files. Not counted here: they have their own share. */
  readonly contexts: readonly (ContextBlock | ReferenceBlock)[];
}

export interface BuiltCompactionHead {
  readonly blocks: readonly Block[];
  /** The instruction was truncated. */
  readonly truncated: { readonly original: boolean; readonly newest: boolean };
}

/** Shares of the head: an instruction alone, each of two instructions, each list. The summary gets the rest. */
const aloneShare = 0.4;
const pairedShare = 0.28;
const listShare = 0.22;
/** Share of the names of skills, which the checklist has less. */
const skillShare = 0.05;

/** `maxTokens` in tokens of `scale`. */
export function buildCompactionHead(
  parts: CompactionHeadParts,
  maxTokens: number,
  scale?: TokenScale,
): BuiltCompactionHead {
  const instructionTokens = maxTokens * (parts.newest === null ? aloneShare : pairedShare);
  const original = formatHeadSection("original", fitStart(parts.original, instructionTokens, scale));
  const newest =
    parts.newest === null ? "" : formatHeadSection("newest", fitStart(parts.newest, instructionTokens, scale));
  const names = fitNames(parts.skills, maxTokens * skillShare, scale);
  const skills = names === "" ? "" : `${compactionText("skills")} ${names}`;
  const todoTokens = maxTokens * listShare - estimateTokens(skills, scale);
  const todo = formatHeadSection("todo", fitLines(parts.todo.map(toListItem), todoTokens, scale));
  const files = formatHeadSection("files", fitFileList(parts.files, maxTokens * listShare, scale));
  const preserved = [compactionText("head"), original, newest, skills, todo, files]
    .filter((part) => part !== "")
    .join("\n\n");
  const blocks: readonly Block[] = [...parts.contexts, { type: "text", text: preserved }];
  return {
    blocks: appendSummary(blocks, parts.summary, maxTokens, scale),
    truncated: {
      original: estimateTokens(parts.original, scale) > instructionTokens,
      newest: parts.newest !== null && estimateTokens(parts.newest, scale) > instructionTokens,
    },
  };
}

/** Returns the head with another summary. */
export const replaceSummary = (
  head: readonly Block[],
  summary: string,
  maxTokens: number,
  scale?: TokenScale,
): readonly Block[] => appendSummary(head.slice(0, -1), summary, maxTokens, scale);

/** Tokens that count toward the share of the head. */
export const countHeadTokens = (blocks: readonly Block[], scale?: TokenScale): number =>
  estimateTokens(joinTextBlocks(blocks), scale);

function appendSummary(
  blocks: readonly Block[],
  summary: string,
  maxTokens: number,
  scale?: TokenScale,
): readonly Block[] {
  const heading = compactionText("summary");
  const available = maxTokens - countHeadTokens(blocks, scale) - estimateTokens(`\n\n${heading}\n`, scale) - 2;
  return [...blocks, { type: "text", text: `${heading}\n${fitStart(summary.trim(), available, scale)}` }];
}

const formatHeadSection = (name: string, body: string): string =>
  body === "" ? "" : `${compactionText(name)}\n${body}`;
const toListItem = (line: string): string => (line.startsWith("-") ? line : `- ${line}`);

/** Returns the text if it fits, else its start followed by a truncation note; "" if not even the note fits. */
export function fitStart(text: string, maxTokens: number, scale?: TokenScale): string {
  if (estimateTokens(text, scale) <= maxTokens) return text;
  const note = compactionText("cut");
  const available = maxTokens - estimateTokens(`\n${note}`, scale);
  if (available <= 0) return "";
  let chars = text.length;
  const sizeOf = (): number => estimateTokens(text.slice(0, chars), scale);
  for (let tokens = sizeOf(); tokens > available && chars > 0; tokens = sizeOf())
    chars = Math.min(chars - 1, Math.floor((chars * available * 0.98) / tokens));
  if (chars > 0 && /[\uD800-\uDBFF]/.test(text[chars - 1] ?? "")) chars -= 1;
  return `${text.slice(0, chars).trimEnd()}\n${note}`;
}

/** Returns the leading lines that fit. */
function fitLines(all: readonly string[], maxTokens: number, scale?: TokenScale): string {
  const included: string[] = [];
  let left = maxTokens;
  for (const line of all) {
    left -= estimateTokens(`${line}\n`, scale);
    if (left < 0) break;
    included.push(line);
  }
  return included.join("\n");
}

/** Returns the leading names that fit, joined by commas. */
function fitNames(all: readonly string[], maxTokens: number, scale?: TokenScale): string {
  let names = "";
  for (const name of all) {
    const longer = names === "" ? name : `${names}, ${name}`;
    if (estimateTokens(longer, scale) > maxTokens) break;
    names = longer;
  }
  return names;
}

/** Lists files with their line counts, else names only, else the last changed names and the number of the others. */
function fitFileList(files: readonly string[], maxTokens: number, scale?: TokenScale): string {
  const whole = files.map(toListItem).join("\n");
  if (estimateTokens(whole, scale) <= maxTokens) return whole;
  const names = files.map((file) => file.replace(/ \([^()]*\)$/, ""));
  const short = names.join(", ");
  if (estimateTokens(short, scale) <= maxTokens) return short;
  const included: string[] = [];
  let left = maxTokens - estimateTokens(compactionText("more", { count: names.length }), scale);
  for (const name of names) {
    left -= estimateTokens(`${name}, `, scale);
    if (left < 0) break;
    included.push(name);
  }
  return `${included.join(", ")} ${compactionText("more", { count: names.length - included.length })}`;
}
