/** The sources of the catalogue that are part of this program. */

import { subagentSourceId } from "@/lib/tools/subagents";

/** Their ids. No other source has one of them: rules, cards and lists of tools name a source by its id. */
export const ownSourceIds = {
  extensions: "extensions",
  memory: "memory",
  skill: "skill",
  subagent: subagentSourceId,
  web: "web",
} as const;
