/** Messages of the cards that set up a model server or a model. */
export const firstRun = {
  title: "Set up a model",
  found: (host: string) => `Found a server at ${host} (OpenAI API)`,
  foundNote: "Its models are used over this address. Nothing is downloaded.",
  useFound: "Use it",
  /** Names the list of a server's models. */
  modelsOf: (server: string) => `Models of ${server}`,
  address: "Use another address",
  otherServer: "Another server",
  otherServerNote: "On this machine, your network or the internet.",
  anyServer: "Any OpenAI-compatible server",
  addressLabel: "Model server address",
  useAddress: "Use this address",
  addressBad: (text: string) => `This is not an address: ${text}. An address looks like localhost:11434.`,
  noModels: "Ollama is running but has no models yet. Choose one to get started.",
  tour: "A tour without a model:",
};
