/** The skills as the settings show them. */
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { SkillsState, SkillView } from "@/lib/tools/skills";
import { formatToolSummary } from "@/server/tools/toolbox/describe-tool";
import { skillToolName } from "./skill-tools";
import type { ProjectSkills, Skill } from "./skills";

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

export const viewSkills = ({ isTrusted, problem, places }: ProjectSkills): SkillsState => ({
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
