/** The sources of the catalogue that are part of this program. */

/** Their ids. No other source has one of them: rules, cards and lists of tools name a source by its id. */
export const ownSourceIds = { memory: "memory", skill: "skill", subagent: "subagent", web: "web" } as const;
