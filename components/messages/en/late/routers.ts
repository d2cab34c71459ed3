/** Models of servers that load them on demand. */
export const routers = {
  states: {
    unloaded: "Not loaded",
    loading: "Loading",
    loaded: "In memory",
    sleeping: "Sleeping",
    downloading: "Downloading",
    failed: "Failed to load",
  },
  exitCode: (code: string) => `exit code ${code}`,
  window: (tokens: string) => `window of ${tokens}`,
  windowLater: "window known after loading",
  load: "Load",
  loadLabel: (model: string) => `Load ${model}`,
  unload: "Unload",
  unloadLabel: (model: string) => `Unload ${model}`,
  filter: "Filter models",
  noMatch: "No model matches.",
};
