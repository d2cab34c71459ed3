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
  readAgain: "Read again",
  servedBy: "Served by",
  movesOften:
    "The model server has read this session's text again three times or more. If a router stands before several hosts, it doesn't keep sessions on one host. Let it choose the host by the session header, which is under Advanced in the settings of the connection.",
  prefixUnknown: "unknown",
  prefixAbout: (percent: string) => `about ${percent}`,
};
