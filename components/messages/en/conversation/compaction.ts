/** Messages of a summary in the conversation. */
export const compaction = {
  running: (tokens: string) => `Summarizing the older part of ${tokens} tokens…`,
  done: (before: string, after: string) => `Compacted ${before} → ${after} tokens`,
  failed: "Couldn't summarize the older part",
  summary: "Summary",
  why: {
    threshold: "the context window was filling up",
    window: "the server refused the request as too long",
    user: "requested by you",
  },
  focus: (text: string) => `Focus: ${text}.`,
  mechanical: "The model gave no summary, so gopi-web made this list itself.",
  shortened: (tokens: string) => `Older results were shortened to ${tokens} tokens each.`,
  edited: "Edited by you.",
  edit: "Edit summary",
  editNote: "From your next message on, the model reads your version.",
  editLater: "You can edit the summary when the run ends.",
};
