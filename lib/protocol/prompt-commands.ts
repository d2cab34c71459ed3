/** Commands for the system prompts. */
import * as z from "zod/mini";
import { profiles, type PromptsState, promptRulesMaxChars } from "../models/prompts";
import { defineCommand, noInput } from "./command-input";

const rules = z.string().check(z.maxLength(promptRulesMaxChars));

export const promptCommands = {
  "prompts.read": defineCommand<PromptsState>()(noInput),
  /**
   * Replaces the rules of a profile for new sessions; `text` null = those that gopi-web ships. `before` = the rules as they
   * were shown. Fails with changed_meanwhile, no_permission, disk_full.
   */
  "prompts.write": defineCommand<PromptsState>()(
    z.object({ profile: z.enum(profiles), text: z.nullable(rules), before: rules }),
  ),
};
