/** Messages of the panel with the options of a model. */
export const modelUse = {
  back: "Back to models",
  note: (model: string) => `Saved for ${model}. After a change, the model rereads the whole prompt.`,
  auto: "Auto",
  toolCalls: "Tool calls",
  autoMode: (mode: string) => `Whatever works with this model, currently ${mode}.`,
  window: "Context window",
  autoWindow: (window: string) => `Auto (${window})`,
  windowBy: {
    memory: "the most that fits in memory",
    model: "the model's maximum",
    default: "a cautious default",
  },
  inUse: "in use",
  more: (memory: string) => `needs about ${memory} more`,
  less: (memory: string) => `needs about ${memory} less`,
  noFit: "doesn't fit in memory",
  prompt: "Instructions",
  profiles: { auto: "Auto", small: "Short", default: "Normal", full: "Full" },
  promptNotes: {
    small: "Short, for 4k windows.",
    default: "About 1,150 tokens with all tools.",
    full: "Longer, for large models.",
  },
  think: "Thinking",
  thinkChoices: { false: "Off", true: "On", low: "Low", medium: "Medium", high: "High", max: "Max" },
  thinkNote: "Better at hard tasks, slower overall.",
  version: (version: string) => `Ollama ${version}`,
  /** An older Ollama that answers nothing any more; `version` = the first one without that fault. */
  parserHangs: (version: string) =>
    `This Ollama hangs after parser errors; ${version} cures it. Restart Ollama to continue, and update it.`,
};
