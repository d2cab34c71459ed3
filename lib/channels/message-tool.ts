/** Names of the tool by which a model writes to persons. */

export const messageToolName = "message";

/** The channel that is the owner's open pages. */
export const webChannel = "web";
