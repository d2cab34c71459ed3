/** Commands for skills. */
import * as z from "zod/mini";
import type { SkillContent, SkillsState } from "../tools/skills";
import { defineCommand, path, projectId } from "./command-input";

const folder = path.check(z.minLength(1));

export const skillCommands = {
  /** Reads the folders of skills now. Fails with the codes of opening a project. */
  "skills.list": defineCommand<SkillsState>()(z.object({ projectId })),
  /** Returns the text and the files of a listed skill. Fails with not_found, gone, binary, too_large. */
  "skills.read": defineCommand<SkillContent>()(z.object({ projectId, folder })),
  /** Switches a listed skill. Fails with not_found, no_permission, disk_full. */
  "skills.set": defineCommand<SkillsState>()(z.object({ projectId, folder, isOff: z.boolean() })),
};
