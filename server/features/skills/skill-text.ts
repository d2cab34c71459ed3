/** The text of a skill as the model gets it: as a whole where it fits, else its sections. Pure. */
import type { Steps } from "@/lib/async/steps";
import { formatToolboxCall } from "@/server/tools/toolbox/example-call";
import { cutText, escapeElements, removeInvisible, toOneLine } from "@/server/tools/toolbox/foreign-text";
import { countFittingPieces, countPieceTokens } from "@/server/tools/toolbox/line-tokens";
import { divideText, findSection, type TextSection } from "./divide-text";

/** Files that are named. */
const filesShown = 30;
/** Shares of an answer: the names of the files, the titles of the sections, a single section. */
const shares = { files: 1 / 6, titles: 1 / 4, section: 1 / 2 } as const;

interface SkillText {
  /** As in `skill:pdf`. */
  readonly tool: string;
  readonly folder: string;
  readonly body: string;
  readonly files: readonly string[];
  readonly moreFiles: number;
  /** Absolute path of its SKILL.md, for a model without the toolbox; absent = it has the toolbox. */
  readonly path?: string | undefined;
}

/** Returns the text in at most `maxTokens`. `section` = a title, or a part of one; undefined = the start. */
export function* renderSkill(
  { tool, folder, body, files, moreFiles, path }: SkillText,
  section: string | undefined,
  maxTokens: number,
): Steps<string> {
  const text = toSafeText(body);
  yield;
  const head = [
    `[from ${tool}]`,
    `Folder: ${folder}`,
    formatFiles(path === undefined ? tool : null, files, moreFiles, maxTokens * shares.files),
  ];
  return yield* renderDivided(
    {
      head: head.filter((line) => line !== "").join("\n"),
      mark: `[from ${tool}`,
      callOf: (title) =>
        path === undefined
          ? formatToolboxCall({ tool, input: { section: title } })
          : `read ${JSON.stringify({ path })}`,
      text: text === "" ? "(This skill has no text.)" : text,
    },
    section,
    maxTokens,
  );
}

const toSafeText = (text: string): string => escapeElements(removeInvisible(text));

/** Returns the text of a file of a skill in the same way. */
export function* renderSkillFile(
  { tool, file, text }: { readonly tool: string; readonly file: string; readonly text: string },
  section: string | undefined,
  maxTokens: number,
): Steps<string> {
  const mark = `[from ${tool}, file ${toOneLine(file)}`;
  return yield* renderDivided(
    {
      head: `${mark}]`,
      mark,
      callOf: (title) => formatToolboxCall({ tool, input: { file, section: title } }),
      text: text === "" ? "(empty file)" : toSafeText(text),
    },
    section,
    maxTokens,
  );
}

/** `tool` = null: the model has no toolbox. */
function formatFiles(tool: string | null, files: readonly string[], more: number, maxTokens: number): string {
  if (files.length === 0) return "";
  const call =
    tool === null ? "in this folder, for the tool read" : formatToolboxCall({ tool, input: { file: "..." } });
  const names = files.slice(0, filesShown).map((file) => `, ${cutText(toOneLine(file), 120)}`);
  const shown = countFittingPieces(names, Math.max(24, maxTokens));
  const left = files.length - shown + more;
  const rest = left === 0 ? "" : `${shown === 0 ? "" : " and "}${left} more`;
  return `Files (${call}; run scripts with bash): ${names.slice(0, shown).join("").replace(/^, /, "")}${rest}`;
}

interface DividedText {
  readonly head: string;
  /** Start of the mark of a section. */
  readonly mark: string;
  callOf(title: string): string;
  readonly text: string;
}

function* renderDivided(
  { head, mark, callOf, text }: DividedText,
  wanted: string | undefined,
  maxTokens: number,
): Steps<string> {
  const room = maxTokens - countPieceTokens(`${head}\n\n`);
  const isWhole = countPieceTokens(text) <= room;
  if (isWhole && (wanted === undefined || wanted.trim() === "")) return `${head}\n\n${text}`;
  yield;
  const sections = yield* divideText(text, Math.floor(maxTokens * shares.section));
  const titles = formatTitles(sections, maxTokens * shares.titles);
  if (wanted !== undefined && wanted.trim() !== "") {
    const found = findSection(sections, wanted);
    if (found === undefined)
      return `${mark}]\nThere is no section ${JSON.stringify(cutText(toOneLine(wanted), 60))}. The sections: ${titles}`;
    const next = sections[sections.indexOf(found) + 1];
    const after = next === undefined ? "" : `\n\nNext: ${callOf(next.title)}`;
    return `${mark}, section ${found.title}]\n${found.text}${after}`;
  }
  const [first] = sections;
  const note = `Too long to be given whole. Get a section with ${callOf(first?.title ?? "1")}. Sections: ${titles}`;
  return `${head}\n${note}${takeFirst(sections, room - countPieceTokens(`\n${note}`))}`;
}

/** The titles in their order; a section can be requested by its number too. */
function formatTitles(sections: readonly TextSection[], maxTokens: number): string {
  const names = sections.map(({ title }, index) => `; ${index + 1} ${title}`);
  const shown = Math.max(1, countFittingPieces(names, maxTokens));
  const rest = shown === names.length ? "" : `; ... ${names.length}`;
  return `${names.slice(0, shown).join("").slice(2)}${rest}`;
}

/** The first sections that fit. */
function takeFirst(sections: readonly TextSection[], maxTokens: number): string {
  const texts = sections.map(({ text }) => `\n\n${text}`);
  return texts.slice(0, countFittingPieces(texts, maxTokens)).join("");
}
