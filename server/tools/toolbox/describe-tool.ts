/** Short descriptions of the tools of the catalogue for the model. Pure. */
import { isJsonObject, type Json } from "@/lib/events/content";
import { formatSchemaMembers, readSchemaMembers, type SchemaMember } from "@/server/prompts/prompts";
import type { DescribedTool } from "./example-call";
import { cutText, escapeElements, firstSentence, toOneLine } from "./foreign-text";
import { countFittingPieces, countPieceTokens } from "./line-tokens";

const maxSignatureChars = 200;
/** Skills say in their description what they do and when to use them, at most 1,024 characters by their standard. */
const maxDetailChars = 280;
/** Longer types are shortened in a long signature, and in the line of a parameter. */
const maxTypeChars = 24;
const maxLineTypeChars = 120;

function shortenType(type: string, maxChars: number): string {
  if (type.length <= maxChars) return type;
  const [first = ""] = type.split(" | ");
  if (first.length < type.length && first.length <= maxChars) return `${first} | ...`;
  return type.startsWith("[") ? "[...]" : "{...}";
}

/**
 * Formats a tool as `github__create_issue(owner, repo, body?, labels?: [text])`. In a longer text types are shorter, then
 * the last optional parameters are left out.
 */
export function signatureOf({ name, parameters }: Pick<DescribedTool, "name" | "parameters">): string {
  const maxChars = maxSignatureChars - name.length - 2;
  const members = readSchemaMembers(parameters);
  const short = members.map((member) => ({ ...member, type: shortenType(member.type, maxTypeChars) }));
  const whole = [members, short].map(formatSchemaMembers).find((text) => text.length <= maxChars);
  return toOneLine(`${name}(${whole ?? formatFirstMembers(short, maxChars)})`);
}

/** Formats as many members as fit, required ones first, and `...` for the others. */
function formatFirstMembers(members: readonly SchemaMember[], maxChars: number): string {
  const ranked = [true, false].flatMap((required) => members.filter((member) => member.required === required));
  let left = maxChars - "...".length;
  const over = ranked.findIndex((member) => {
    left -= formatSchemaMembers([member]).length + 2;
    return left < 0;
  });
  return `${ranked
    .slice(0, over)
    .map((member) => `${formatSchemaMembers([member])}, `)
    .join("")}...`;
}

/**
 * Formats the line of a tool in a list: `NAME: first sentence`, or with the signature in place of the name. Of a tool with
 * details the longer line has them.
 */
export const formatToolSummary = (tool: DescribedTool, form: "name" | "signature"): string =>
  escapeElements(summarize(tool, form));

function summarize(tool: DescribedTool, form: "name" | "signature"): string {
  if (form === "signature" && tool.details !== undefined)
    return `${tool.name}: ${cutText(toOneLine(tool.details), maxDetailChars)}`;
  const sentence = firstSentence(tool.description);
  const start = form === "name" ? tool.name : signatureOf(tool);
  return sentence === "" ? start : `${start}: ${sentence}`;
}

const maxDescriptionTokens = 300;
/** For the line that counts what is left out. */
const reservedTokens = 16;

/** Describes a parameter: the line, and what it says about itself. */
const describeMember = (
  member: SchemaMember,
  schema: Json | undefined,
): { readonly line: string; readonly text: string } => {
  const description = isJsonObject(schema) ? schema.description : undefined;
  const type = shortenType(member.type, maxLineTypeChars);
  return {
    line: `\n- ${toOneLine(`${member.name} (${type}, ${member.required ? "required" : "optional"})`)}`,
    text: typeof description === "string" && description !== "" ? `: ${toOneLine(description)}` : "",
  };
};

/**
 * Returns the signature of a tool and a line for each parameter. What exceeds `maxTokens` is left out: descriptions,
 * then optional parameters, from the last one on.
 */
export function describeParameters(tool: DescribedTool, maxTokens = maxDescriptionTokens): string {
  const signature = signatureOf(tool);
  const members = readSchemaMembers(tool.parameters);
  if (members.length === 0) return `${signature}\nIt takes no input.`;
  const { properties } = isJsonObject(tool.parameters) ? tool.parameters : {};
  const described = members.map((member) => ({
    member,
    ...describeMember(member, isJsonObject(properties) ? properties[member.name] : undefined),
  }));
  const ranked = [true, false].flatMap((required) => described.filter(({ member }) => member.required === required));
  const room = maxTokens - countPieceTokens(signature);
  const lines = ranked.map(({ line }) => line);
  const all = countFittingPieces(lines, room);
  const shownCount = all === lines.length ? all : countFittingPieces(lines, room - reservedTokens);
  const shown = new Set(ranked.slice(0, shownCount));
  const leftOut = ranked.slice(shownCount);
  let left = room - (leftOut.length === 0 ? 0 : reservedTokens);
  for (const { line } of shown) left -= countPieceTokens(line);
  const texts = new Map(
    [...shown].flatMap((one) => {
      const tokens = countPieceTokens(one.text);
      if (tokens > left) return [];
      left -= tokens;
      return [[one, one.text] as const];
    }),
  );
  const body = described.flatMap((one) => (shown.has(one) ? [`${one.line}${texts.get(one) ?? ""}`] : []));
  return `${signature}${body.join("")}${formatLeftOut(leftOut.map(({ member }) => member))}`;
}

function formatLeftOut(members: readonly SchemaMember[]): string {
  if (members.length === 0) return "";
  const kind = members.some(({ required }) => required) ? "" : "optional ";
  return `\n${members.length} more ${kind}parameter${members.length === 1 ? "" : "s"} left out`;
}
