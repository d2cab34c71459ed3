/** Subagents as the server and the interface name them. */

/** Id of the source of its tool, as rules and cards name it. */
export const subagentSourceId = "subagent";

/** Name of the tool that starts a subagent. */
export const spawnToolName = "spawn";
