/** The commands of skills, and the skills as a source of the catalogue. Nothing is read before it is needed. */
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { SkillContent, SkillsState, SkillView } from "@/lib/tools/skills";
import { untilAborted } from "@/server/base/abort";
import { shippedSkillsFolder } from "@/server/prompts/prompts";
import type { Feature, FeatureHost } from "../feature";
import { decodeSkillText, skillMaxBytes } from "./parse-skill";
import { readFileInside } from "@/server/workspace/files/read-file-inside";
import { listSkillFiles } from "./skill-files";
import { makeSkills, type Skill, type ProjectSkills, type Skills } from "./skills";
import { makeSwitchedOff } from "./switched-off";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { formatToolSummary } from "@/server/tools/toolbox/describe-tool";
import { skillToolName, makeSkillTool, skillInstructions } from "./skill-tools";
import { weakMemo } from "@/server/base/weak-memo";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { ownSourceIds } from "@/lib/tools/own-sources";

/** One skill of each name: the one that is used, else the first that is switched off. */
function selectSkills({ places }: ProjectSkills): readonly Skill[] {
  const byName = new Map<string, Skill>();
  const all = places.flatMap(({ skills }) => skills);
  for (const status of ["on", "off"] as const)
    for (const skill of all) if (skill.status === status && !byName.has(skill.name)) byName.set(skill.name, skill);
  return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The skills of a project as a source of the catalogue. */
export function makeSkillSource(skills: Skills): CatalogueSource {
  const toolsOf = new Map<ProjectId, (found: ProjectSkills) => readonly CatalogueTool[]>();
  const makeTools = (projectId: ProjectId) =>
    weakMemo((found: ProjectSkills) =>
      selectSkills(found).map((skill) => makeSkillTool(skill, (one) => skills.read(projectId, one))),
    );
  const none: readonly CatalogueTool[] = [];
  return {
    id: ownSourceIds.skill,
    instructions: skillInstructions,
    tools(projectId) {
      const found = skills.peek(projectId);
      if (found === null) return none;
      const tools = toolsOf.get(projectId) ?? makeTools(projectId);
      toolsOf.set(projectId, tools);
      return tools(found);
    },
    async prepare(projectId, signal) {
      await skills.refresh(projectId, signal);
    },
  };
}

function viewSkill(skill: Skill): SkillView {
  const { folder, name, description, compatibility, status, shadowedBy, isManual, textTokens, warnings } = skill;
  const line = formatToolSummary({ name: skillToolName(name), description, parameters: {} }, "name");
  return {
    folder,
    name,
    description,
    compatibility,
    status,
    ...(shadowedBy === undefined ? {} : { shadowedBy }),
    isManual,
    lineTokens: estimateTokens(`\n- ${line}`),
    textTokens,
    warnings,
  };
}

/** The skills as the settings show them. */
const viewSkills = ({ isTrusted, problem, places }: ProjectSkills): SkillsState => ({
  isTrusted,
  ...(problem === null ? {} : { problem }),
  places: places.map(({ kind, path, root, skills, warnings }) => ({
    kind,
    path,
    exists: root !== null,
    skills: skills.map(viewSkill).toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    warnings,
  })),
});

export function skillsFeature({ home, environment, projects }: Pick<FeatureHost, "home" | "environment" | "projects">) {
  const stop = new AbortController();
  const switchedOff = makeSwitchedOff(join(home, "skills.json"));
  const skills = makeSkills({
    home,
    userHome: environment.HOME ?? homedir(),
    environment,
    shippedFolder: shippedSkillsFolder(),
    projects,
    readSwitchedOff: switchedOff.read,
    stop: stop.signal,
  });
  const catalogueSources = [makeSkillSource(skills)];
  const find = async (projectId: ProjectId, folder: string): Promise<Result<Skill>> => {
    const read = skills.peek(projectId) ?? (await skills.refresh(projectId, stop.signal));
    if ("ok" in read && !read.ok) return read;
    const { places } = "ok" in read ? read.value : read;
    const found = places.flatMap((place) => place.skills).find((skill) => skill.folder === folder);
    return found === undefined ? fail("not_found") : ok(found);
  };
  const list = async (projectId: ProjectId) => {
    const read = await skills.refresh(projectId, stop.signal);
    return read.ok ? ok(viewSkills(read.value)) : read;
  };
  return {
    commands: {
      "skills.list": ({ projectId }) => list(projectId),
      async "skills.read"({ projectId, folder }) {
        const skill = await find(projectId, folder);
        return skill.ok ? readContent(skill.value, stop.signal) : skill;
      },
      async "skills.set"({ projectId, folder, isOff }) {
        const skill = await find(projectId, folder);
        if (!skill.ok) return skill;
        const set = switchedOff.set(folder, isOff);
        return set.ok ? list(projectId) : set;
      },
    },
    catalogueSources,
    get readRoots() {
      return skills.homeRoots();
    },
    async start(signal) {
      await untilAborted(signal);
      stop.abort();
    },
  } satisfies Feature;
}

/** The file as it is, also of a skill that cannot be used. */
async function readContent({ realFolder, file }: Skill, signal: AbortSignal): Promise<Result<SkillContent>> {
  const bytes = await readFileInside(realFolder, basename(file), skillMaxBytes);
  if (!bytes.ok) return fail(bytes.error.code === "too_large" ? "too_large" : "gone");
  const decoded = decodeSkillText(bytes.value);
  if (decoded === null) return fail("binary");
  const { files, more } = await listSkillFiles(realFolder, basename(file), signal);
  return ok({ text: decoded.text, files, moreFiles: more });
}
