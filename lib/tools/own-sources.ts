/** The sources of the catalogue that are part of this program. */
import { subagentSourceId } from "./subagents";

/** Their ids. No other source has one of them: rules, cards and lists of tools name a source by its id. */
export const ownSourceIds = {
  channels: "channels",
  extensions: "extensions",
  memory: "memory",
  skill: "skill",
  subagent: subagentSourceId,
  web: "web",
} as const;

const ids: ReadonlySet<string> = new Set(Object.values(ownSourceIds));

/** Whether a source is part of this program. */
export const isOwnSource = (source: string): boolean => ids.has(source);
