/** Subagents as the server and the interface name them. */

/** Name of the tool that starts a subagent. */
export const spawnToolName = "spawn";
