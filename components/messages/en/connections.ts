/** Messages about connections on the first screen: where a session's data goes. */
export const connections = {
  ollama: "Ollama",
  cloud: "data leaves this machine",
  offline: "not reachable",
  custom: "OpenAI-compatible server",
  environment: "From the environment",
  engine: "Built-in engine",
  engineNote: "What you send stays on this machine.",
  localNote: "What you send stays on this machine or your network.",
  cloudNote: "What you send leaves this machine.",
};
