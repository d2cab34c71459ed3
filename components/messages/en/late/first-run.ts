/** Messages of the cards that set up a model server or a model. */
export const firstRun = {
  openAiThere: (address: string) =>
    `The server at ${address} isn't Ollama, but it speaks the OpenAI API. Add it as a connection to use its models.`,
  addConnection: "Add connection",
  address: "Use another address",
  otherServer: "Use another server:",
  anyServer: "Any OpenAI-compatible server",
  addressLabel: "Model server address",
  useAddress: "Use this address",
  addressBad: (text: string) => `This is not an address: ${text}. An address looks like localhost:11434.`,
  noModels: "Ollama is running but has no models yet. Choose one to get started.",
  tour: "A tour without a model:",
  suggested: "Suggested models",
  notes: {
    balanced: "A good all-rounder",
    coding: "Best at code for its size",
    light: "For smaller machines",
    strong: "For machines with lots of memory",
  },
  size: (gigabytes: number) => `${gigabytes}\u00a0GB download`,
  memory: (gigabytes: number) => `needs\u00a0${gigabytes}\u00a0GB of\u00a0memory`,
};
