/** Messages of the details of a run. */
export const runDetails = {
  reasoningOnly: "Only the model's earlier thinking was left out. Nothing was summarized.",
  label: "Run details",
  steps: "Steps",
  firstToken: "Time to first token",
  load: "Loading model",
  read: "Reading",
  write: "Writing",
  prefix: "Prefix kept",
  prefixUnknown: "unknown",
  prefixAbout: (percent: string) => `about ${percent}`,
};
