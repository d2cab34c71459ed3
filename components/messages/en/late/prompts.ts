/** Messages of the page of system prompts. */
export const prompts = {
  rulesTitle: "Rules for the model",
  rulesNote:
    "The beginning of every request. New sessions use what you save here; a session that exists keeps the rules it started with, so that its cache stays valid.",
  profile: "Instructions",
  /** Before choices that change the page alone. */
  shown: "Shown here:",
  profileNotes: {
    small: "For context windows of 4k.",
    default: "For most models.",
    full: "For models of 30B parameters or more, with a window of at least 32k.",
  },
  rules: "Rules",
  /** `total` = with the call format and the tools. */
  size: (rules: string, total: string, budget: string) =>
    `${rules} tokens, with the tools ${total} of ${budget} recommended.`,
  tooLong: "The model reads all of this before its first answer. On slow machines each session starts later.",
  changed: "Changed by you",
  save: "Save",
  saved: "Saved. New sessions use these rules.",
  discard: "Discard changes",
  useShipped: "Use the original",
  useShippedTitle: "Replace your rules with the original ones?",
  useShippedNote: "Your text is deleted.",
  showShipped: "Show the original",
  failed: "Couldn't load the prompts.",
  conflict: "The file was changed by another program. Reload it, or copy your text first.",
  reload: "Reload",
  file: (path: string) => `Stored in ${path}`,
  callsTitle: "How tools are called",
  callsNote:
    "Added below the rules. Which form a model gets depends on what it supports; you can choose it for each model.",
  callsForm: "Form of tool calls",
  toolsTitle: "Tools",
  toolTokens: (tokens: string) => `${tokens} tokens`,
  useTool: (name: string) => `Use ${name}`,
  toolboxNote: "Leads to the tools of MCP servers and everything else that is added. Off: none of them can be used.",
};
