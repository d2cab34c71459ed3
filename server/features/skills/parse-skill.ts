/** A SKILL.md: name, description and text, with everything about it that the user has to see. Pure. */
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { SkillWarning } from "@/lib/tools/skills";
import { computeHash } from "@/server/base/id";
import { findInvisible } from "@/server/tools/toolbox/foreign-text";
import { readFrontmatter } from "./frontmatter";

/** Largest SKILL.md and largest frontmatter. */
export const skillMaxBytes = 262_144;
const frontmatterMaxBytes = 16_384;
/** Limits of the standard; a longer text is used as well. */
const nameMaxChars = 64;
const descriptionMaxChars = 1_024;
const compatibilityMaxChars = 500;
const textMaxTokens = 5_000;

export interface ParsedSkill {
  /** Lower case letters, digits and single hyphens. */
  readonly name: string;
  readonly description: string;
  readonly compatibility: string;
  readonly isManual: boolean;
  /** Text after the frontmatter, without blank lines around it. */
  readonly body: string;
  readonly textTokens: number;
  /** Problems first: with one of `skillProblemKinds` it cannot be used. */
  readonly warnings: readonly SkillWarning[];
}

/** Parses the bytes of a SKILL.md in a folder of this name. */
export function parseSkill(bytes: Uint8Array, folderName: string): ParsedSkill {
  const failed = (problem: SkillWarning, warnings: readonly SkillWarning[] = []): ParsedSkill => ({
    name: toSkillName(folderName),
    description: "",
    compatibility: "",
    isManual: false,
    body: "",
    textTokens: 0,
    warnings: [problem, ...warnings],
  });
  if (bytes.length > skillMaxBytes) return failed({ kind: "too_large", count: bytes.length, limit: skillMaxBytes });
  const decoded = decodeSkillText(bytes);
  if (decoded === null) return failed({ kind: "not_text" });
  const { text, warnings: encoding } = decoded;
  const split = splitFrontmatter(text);
  if ("kind" in split) return failed(split, encoding);
  const read = readFrontmatter(split.frontmatter, split.firstLine);
  if (!read.ok) return failed(read.problem, encoding);
  const { name, description = "", compatibility = "", isManual, warnings } = read.value;
  const named = checkName(name, folderName);
  const textTokens = estimateTokens(split.body);
  const all: readonly SkillWarning[] = [
    ...(description === "" ? [{ kind: "no_description" } as const] : []),
    ...encoding,
    ...named.warnings,
    ...warnings,
    ...checkLength("long_description", description, descriptionMaxChars),
    ...checkLength("long_compatibility", compatibility, compatibilityMaxChars),
    ...(split.body === "" ? [{ kind: "empty_body" } as const] : []),
    ...(textTokens > textMaxTokens ? [{ kind: "long_body", count: textTokens, limit: textMaxTokens } as const] : []),
    ...findHidden(text),
  ];
  return { name: named.name, description, compatibility, isManual, body: split.body, textTokens, warnings: all };
}

/** Returns the text without a byte order mark and with plain line ends; null = it is not UTF-8 text. */
export function decodeSkillText(
  bytes: Uint8Array,
): { readonly text: string; readonly warnings: readonly SkillWarning[] } | null {
  if (bytes.includes(0)) return null;
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = decoded.startsWith("\uFEFF");
    const whole = hasMark ? decoded.slice(1) : decoded;
    const text = whole.replace(/\r\n?/g, "\n");
    return {
      text,
      warnings: [
        ...(hasMark ? [{ kind: "byte_order_mark" } as const] : []),
        ...(text.length === whole.length && !whole.includes("\r") ? [] : [{ kind: "line_ends" } as const]),
      ],
    };
  } catch {
    return null;
  }
}

interface SplitSkill {
  readonly frontmatter: string;
  /** Line of the file in which it begins. */
  readonly firstLine: number;
  readonly body: string;
}

function splitFrontmatter(text: string): SplitSkill | SkillWarning {
  const start = /^\s*---[ \t]*\n/.exec(text);
  if (start === null) return { kind: "no_frontmatter" };
  const from = start[0].length;
  const end = /^(?:---|\.\.\.)[ \t]*$/m.exec(text.slice(from));
  if (end === null) return { kind: "unclosed_frontmatter" };
  const frontmatter = text.slice(from, from + end.index);
  const bytes = Buffer.byteLength(frontmatter);
  if (bytes > frontmatterMaxBytes) return { kind: "frontmatter_large", count: bytes, limit: frontmatterMaxBytes };
  return {
    frontmatter,
    firstLine: start[0].split("\n").length,
    body: text.slice(from + end.index + end[0].length).trim(),
  };
}

const isSkillName = (name: string): boolean =>
  name.length <= nameMaxChars && /^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u.test(name);

/** Returns the nearest name of the standard's form: `PDF tools` → `pdf-tools`. */
function toSkillName(text: string): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\p{N}]+/gu, "-")
    .slice(0, nameMaxChars)
    .replace(/^-|-$/g, "");
  return plain === "" ? `skill-${computeHash(text).slice(0, 6)}` : plain;
}

function checkName(
  written: string | undefined,
  folderName: string,
): { readonly name: string; readonly warnings: readonly SkillWarning[] } {
  if (written === undefined || written === "")
    return { name: toSkillName(folderName), warnings: [{ kind: "no_name", detail: toSkillName(folderName) }] };
  const name = toSkillName(written);
  const warnings: SkillWarning[] = [];
  if (written.length > nameMaxChars) warnings.push({ kind: "long_name", detail: name, limit: nameMaxChars });
  else if (!isSkillName(written)) warnings.push({ kind: "bad_name", detail: name });
  if (written !== folderName) warnings.push({ kind: "name_differs", detail: folderName });
  return { name, warnings };
}

const checkLength = (
  kind: "long_description" | "long_compatibility",
  { length }: string,
  limit: number,
): readonly SkillWarning[] => (length > limit ? [{ kind, count: length, limit }] : []);

/** Content that a person who reads the text does not see: characters without a shape, and comments. */
function findHidden(text: string): readonly SkillWarning[] {
  const lineAt = (index: number): number => text.slice(0, index).split("\n").length;
  const characters = findInvisible(text);
  const comments = [...text.matchAll(/<!--/g)];
  const [character] = characters;
  const [comment] = comments;
  return [
    ...(character === undefined
      ? []
      : [{ kind: "hidden_characters", count: characters.length, line: lineAt(character) } as const]),
    ...(comment === undefined
      ? []
      : [{ kind: "comments", count: comments.length, line: lineAt(comment.index) } as const]),
  ];
}
