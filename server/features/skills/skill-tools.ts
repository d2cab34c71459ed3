/** Skills as tools of the catalogue: a call gives a text. It needs no approval, whatever the skill says. */
import { basename, resolve } from "node:path";
import { isJsonObject, type Json } from "@/lib/events/content";
import { type ErrorCode, ok, type Result } from "@/lib/events/error";
import type { ToolAccess } from "@/lib/permissions/policy";
import { serverLimits } from "@/lib/settings/server-limits";
import { type Tool, ToolError } from "@/server/tools/core/tool";
import { windowResultLimits, windowShareTokens } from "@/server/tools/core/window-share";
import type { CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { cutText, firstSentence, toOneLine } from "@/server/tools/toolbox/foreign-text";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { parseExternalArguments } from "@/server/tools/toolbox/parse-external-arguments";
import { runStepsInSlices } from "@/server/base/steps";
import { isInFolder } from "@/server/base/is-in-folder";
import { decodeSkillText, type ParsedSkill } from "./parse-skill";
import { renderSkill, renderSkillFile } from "./skill-text";
import { readFileInside } from "@/server/workspace/files/read-file-inside";
import { listSkillFiles } from "./skill-files";
import type { Skill } from "./skills";

/** Said of all skills in the catalogue. */
export const skillInstructions = "Guides for kinds of work. Get the one that fits before you begin.";

export const skillToolName = (name: string): string => `${ownSourceIds.skill}:${name}`;

const parameters: Json = {
  type: "object",
  properties: {
    section: { type: "string", description: "a section of a long text" },
    file: { type: "string", description: "a file in the folder of the skill" },
  },
};

const textOf = (input: Json, key: "section" | "file"): string | undefined => {
  const value = isJsonObject(input) ? input[key] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
};

/** Reads the skill's file now. */
type ReadSkill = (skill: Skill) => Promise<Result<ParsedSkill>>;

const manualDetail = (name: string): string => `only the user puts it into use, with /${skillToolName(name)}`;

/** Returns the entry of the catalogue of a skill that is not shadowed and can be used. */
export function makeSkillTool(skill: Skill, read: ReadSkill): CatalogueTool {
  const name = skillToolName(skill.name);
  const { description } = skill;
  const obstacle: CatalogueTool["obstacle"] =
    skill.status === "off"
      ? { kind: "off" }
      : skill.isManual
        ? { kind: "unusable", detail: manualDetail(skill.name) }
        : null;
  const tool: Tool = {
    name,
    kind: "lookup",
    description: () => firstSentence(description, serverLimits.nativeDescriptionChars),
    parameters,
    limits: () => windowResultLimits,
    parse: (input) => parseExternalArguments({ name, parameters }, input),
    target: (input) =>
      cutText(toOneLine(`${name} ${textOf(input, "file") ?? textOf(input, "section") ?? ""}`.trim()), 200),
    access: (input) => accessOf(skill, textOf(input, "file")),
    locks: () => ({ paths: [], shell: false }),
    create: ({ windowTokens }) => ({
      async run(input, _call, signal) {
        const maxTokens = windowShareTokens(windowTokens);
        const [file, section] = [textOf(input, "file"), textOf(input, "section")];
        const text =
          file === undefined
            ? await readText(skill, read, section, maxTokens, signal)
            : await readFile(skill, file, section, maxTokens, signal);
        return { output: [{ type: "text", text }], facts: {} };
      },
    }),
  };
  return {
    name,
    source: ownSourceIds.skill,
    description,
    // The first sentence says what the skill does, the next one often when to use it.
    details: description,
    parameters,
    obstacle,
    isPinned: false,
    tool,
    ...(skill.status === "off" ? {} : { attachment: makeAttachment(skill, read) }),
  };
}

/**
 * The text of the skill is what the user put there to be used. Other files of its folder are read under the rules for files:
 * the folder may have protected ones. A path out of the folder is refused by the tool itself.
 */
function accessOf({ folder }: Skill, file: string | undefined): readonly ToolAccess[] {
  const target = file === undefined ? folder : resolve(folder, file);
  return target !== folder && isInFolder(target, folder) ? [{ kind: "read", target }] : [];
}

const makeAttachment =
  (skill: Skill, read: ReadSkill): CatalogueTool["attachment"] =>
  async ({ windowTokens, hasToolbox }, signal) => {
    const current = await read(skill);
    if (!current.ok) return current;
    const path = hasToolbox ? undefined : skill.file;
    return ok(
      await renderCurrent({ ...skill, path }, current.value, undefined, windowShareTokens(windowTokens), signal),
    );
  };

async function renderCurrent(
  { name, folder, realFolder, file, path }: Skill & { readonly path?: string | undefined },
  { body }: ParsedSkill,
  section: string | undefined,
  maxTokens: number,
  signal: AbortSignal,
): Promise<string> {
  const { files, more } = await listSkillFiles(realFolder, basename(file), signal);
  const text = { tool: skillToolName(name), folder, body, files, moreFiles: more, path };
  return runStepsInSlices(renderSkill(text, section, maxTokens), signal);
}

async function readText(
  skill: Skill,
  read: ReadSkill,
  section: string | undefined,
  maxTokens: number,
  signal: AbortSignal,
): Promise<string> {
  const current = await read(skill);
  signal.throwIfAborted();
  if (current.ok) return renderCurrent(skill, current.value, section, maxTokens, signal);
  const name = skillToolName(skill.name);
  throw current.error.code === "bad_input"
    ? new ToolError("bad_input", `${name} cannot be used any more: its SKILL.md has an error. Tell the user.`)
    : new ToolError("gone", `${name} is not there any more. Go on without it, or tell the user.`);
}

/** Sentences by which the model corrects its next call after a file could not be read. */
const fileFailures: Partial<Record<ErrorCode, string>> = {
  outside: "is outside the folder of the skill. Only files inside it can be read this way.",
  bad_path: "is not a path. Give a path relative to the folder of the skill.",
  not_a_file: "is not a file. Give the path of a file inside the folder of the skill.",
  too_large: "is too large. Read a part of it with read or bash.",
};

async function readFile(
  { name, folder, realFolder }: Skill,
  path: string,
  section: string | undefined,
  maxTokens: number,
  signal: AbortSignal,
): Promise<string> {
  const tool = skillToolName(name);
  const shown = JSON.stringify(cutText(toOneLine(path), 120));
  const content = await readFileInside(realFolder, path);
  if (!content.ok) {
    const { code } = content.error;
    const reason = fileFailures[code] ?? "does not exist in the folder of the skill. The skill's text lists its files.";
    throw new ToolError(code, `${shown} ${reason}`);
  }
  const decoded = decodeSkillText(content.value);
  if (decoded === null) throw new ToolError("binary", `${shown} is not text. Use it with bash, at ${folder}.`);
  const steps = renderSkillFile({ tool, file: path, text: decoded.text.trim() }, section, maxTokens);
  return runStepsInSlices(steps, signal);
}
