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
  /** Parts of a model that are loaded one after the other. */
  stages: { text_model: "language model", spec_model: "draft model", mmproj_model: "image reader" },
  slots: (busy: string, all: string) => `${busy} of ${all} slots busy`,
  deleteLabel: (model: string) => `Delete ${model}`,
  downloadName: "Name, such as hf:ggml-org/gemma-3-4b-it-GGUF",
  downloadNote: "The server fetches it from Hugging Face. Downloads continue after you close this page.",
  runsCommands: (name: string, address: string) =>
    `${name} at ${address} runs shell commands for everyone who reaches it. Start llama-server without --tools, or let it listen on 127.0.0.1 alone.`,
};
