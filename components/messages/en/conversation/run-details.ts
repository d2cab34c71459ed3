/** Messages of the details of a run. */
export const runDetails = {
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
