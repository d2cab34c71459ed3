/** The skills of a project as a source of the catalogue. */
import type { ProjectId } from "@/lib/events/id";
import { weakMemo } from "@/server/base/weak-memo";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { makeSkillTool, skillInstructions } from "./skill-tools";
import type { ProjectSkills, Skill, Skills } from "./skills";

/** One skill of each name: the one that is used, else the first that is switched off. */
function selectSkills({ places }: ProjectSkills): readonly Skill[] {
  const byName = new Map<string, Skill>();
  const all = places.flatMap(({ skills }) => skills);
  for (const status of ["on", "off"] as const)
    for (const skill of all) if (skill.status === status && !byName.has(skill.name)) byName.set(skill.name, skill);
  return [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

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
