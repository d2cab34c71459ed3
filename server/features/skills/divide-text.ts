/**
 * Divides a Markdown text into sections that each fit a number of tokens, in steps: a text may have 100,000 lines. Pure; the
 * same text gives the same sections.
 */
import type { Steps } from "@/lib/async/steps";
import { countPieceTokens } from "@/server/tools/toolbox/line-tokens";
import { cutText, toOneLine } from "@/server/tools/toolbox/foreign-text";

export interface TextSection {
  /** Unique in the text: its heading, with a number for a part of it. */
  readonly title: string;
  readonly text: string;
}

interface HeadedBlock {
  readonly title: string;
  /** 0 = the text before the first heading. */
  readonly level: number;
  readonly lines: readonly string[];
}

const maxTitleChars = 60;
/** A longer line is no heading. */
const maxHeadingChars = 300;
/** Further headings begin no section. */
const maxHeadings = 1_000;
const headingLine = /^(#{1,6})[ \t]+(.+?)[ \t#]*$/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;

/** Lines of a step. */
const linesPerStep = 2_000;

/** Returns the text in one section if it fits, else by headings, and where a section is too long by its lines. */
export function* divideText(text: string, maxTokens: number): Steps<readonly TextSection[]> {
  if (countPieceTokens(text) <= maxTokens) return [{ title: "all", text }];
  yield;
  return nameSections(yield* divideBlocks(yield* splitAtHeadings(text), maxTokens));
}

function* splitAtHeadings(text: string): Steps<readonly HeadedBlock[]> {
  const blocks: { title: string; level: number; lines: string[] }[] = [];
  let fence: string | null = null;
  for (const [at, line] of text.split("\n").entries()) {
    if (at % linesPerStep === 0) yield;
    const mark = fenceLine.exec(line)?.[1];
    if (mark !== undefined) fence = fence === null ? mark : mark.startsWith(fence) ? null : fence;
    const mayBeHeading =
      fence === null && mark === undefined && line.length <= maxHeadingChars && blocks.length <= maxHeadings;
    const heading = mayBeHeading ? headingLine.exec(line) : null;
    const last = blocks.at(-1);
    if (heading !== null || last === undefined) {
      const [, marks = "", title = ""] = heading ?? [];
      blocks.push({ title: cutText(toOneLine(title), maxTitleChars), level: marks.length, lines: [line] });
    } else last.lines.push(line);
  }
  return blocks;
}

function* joinBlocks(blocks: readonly HeadedBlock[]): Steps<string> {
  const parts: string[] = [];
  for (const { lines } of blocks) parts.push(yield* joinLines(lines));
  return parts.join("\n").trim();
}

/** A text has a piece for each step, so that no step looks at all lines. */
function* joinLines(lines: readonly string[]): Steps<string> {
  const parts: string[] = [];
  for (let from = 0; from < lines.length; from += linesPerStep) {
    parts.push(lines.slice(from, from + linesPerStep).join("\n"));
    yield;
  }
  return parts.join("\n");
}

/** Keeps a block together with those below its heading where they fit. */
function* divideBlocks(blocks: readonly HeadedBlock[], maxTokens: number): Steps<readonly TextSection[]> {
  const sections: TextSection[] = [];
  for (let index = 0; index < blocks.length; ) {
    const [block] = blocks.slice(index, index + 1);
    if (block === undefined) break;
    yield;
    let end = index + 1;
    while (block.level > 0 && (blocks[end]?.level ?? 0) > block.level) end += 1;
    const whole = yield* joinBlocks(blocks.slice(index, end));
    yield;
    if (countPieceTokens(whole) <= maxTokens) {
      if (whole !== "") sections.push({ title: block.title, text: whole });
      index = end;
      continue;
    }
    sections.push(...(yield* divideLines(block, maxTokens)));
    index += 1;
  }
  return sections;
}

/** The parts of a block, each of the lines that fit; a line that is too long is cut. */
function* divideLines({ title, lines }: HeadedBlock, maxTokens: number): Steps<readonly TextSection[]> {
  const parts: string[][] = [[]];
  let left = maxTokens;
  for (const [at, whole] of lines.entries()) {
    if (at % linesPerStep === 0) yield;
    for (const { line, tokens } of cutLine(whole, maxTokens)) {
      left -= tokens;
      if (left < 0 && parts.at(-1)?.length !== 0) {
        parts.push([]);
        left = maxTokens - tokens;
      }
      parts.at(-1)?.push(line);
    }
  }
  const sections: TextSection[] = [];
  for (const part of parts) {
    const text = (yield* joinLines(part)).trim();
    if (text !== "") sections.push({ title, text });
  }
  return sections;
}

/** Pieces of a line that fit, with the tokens of each as a line. */
function cutLine(line: string, maxTokens: number): readonly { readonly line: string; readonly tokens: number }[] {
  const tokens = countPieceTokens(`${line}\n`);
  if (tokens <= maxTokens) return [{ line, tokens }];
  // No character has more than this many tokens.
  const chars = Math.max(1, Math.floor(maxTokens / 2) - 1);
  return Array.from({ length: Math.ceil(line.length / chars) }, (_, at) => {
    const piece = line.slice(at * chars, (at + 1) * chars);
    return { line: piece, tokens: countPieceTokens(`${piece}\n`) };
  });
}

/** Sections of one title get numbers; those without one are called by their number alone. */
function nameSections(sections: readonly TextSection[]): readonly TextSection[] {
  const counts = new Map<string, number>();
  for (const { title } of sections) counts.set(title, (counts.get(title) ?? 0) + 1);
  const seen = new Map<string, number>();
  return sections.map(({ title, text }) => {
    const number = (seen.get(title) ?? 0) + 1;
    seen.set(title, number);
    const base = title === "" ? "part" : title;
    return { title: title !== "" && counts.get(title) === 1 ? base : `${base} ${number}`, text };
  });
}

const toKey = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Returns the section that a title means: the whole title, its number in the list, or a part of only one title. */
export function findSection(sections: readonly TextSection[], wanted: string): TextSection | undefined {
  const key = toKey(wanted);
  const exact =
    sections.find(({ title }) => toKey(title) === key) ?? sections.find(({ title }) => toKey(title) === `${key} 1`);
  if (exact !== undefined || key === "") return exact;
  if (/^\d+$/.test(key)) return sections[Number(key) - 1];
  const parts = sections.filter(({ title }) => toKey(title).includes(key));
  return parts.length === 1 ? parts[0] : undefined;
}
