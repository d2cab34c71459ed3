/** Messages of the panel about the context, behind the ring of the composer. */
export const contextPanel = {
  contextUse: (used: string, window: string, percent: string) => `About ${used} of ${window} tokens, ${percent}`,
  contextCounted: (used: string, window: string, percent: string) => `${used} of ${window} tokens counted, ${percent}`,
  contextFailed: "Couldn't load the context breakdown.",
  parts: {
    system: "Instructions",
    tools: "Tools",
    toolbox: "Tools of other programs",
    memory: "Memory",
    snapshot: "Project snapshot",
    summary: "Summary",
    files: "Files",
    messages: "Messages",
    results: "Tool results",
  },
  compactsAt: (tokens: string, percent: string) => `At ${tokens} tokens (${percent}), older messages are summarized.`,
  prefixKept: "Prefix kept in last run",
  focus: "Focus for the summary",
  focusHint: "What to focus on (optional)",
  compactLater: "You can compact when the run ends.",
  showPrompt: "Show prompt",
};
