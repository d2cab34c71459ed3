/** Messages of the cards that set up a model server or a model. */
export const firstRun = {
  title: "Set up a model",
  found: (host: string) => `Found a server at ${host} (OpenAI API)`,
  foundNote: "Nothing has to be downloaded.",
  useFound: "Use it",
  /** Names the list of a server's models. */
  modelsOf: (server: string) => `Models of ${server}`,
  ollama: "Ollama",
  address: "Use another address",
  otherServer: "Another server",
  anyServer: "Any OpenAI-compatible server",
  addressLabel: "Model server address",
  useAddress: "Use this address",
  addressBad: (text: string) => `This is not an address: ${text}. An address looks like localhost:11434.`,
  noModels: "Ollama is running but has no models yet. Choose one to get started.",
  tour: "See it work first",
  tourNote: "One minute, no model.",
  startTour: "Start the tour",
  /** Starters by what is in the project. */
  starters: {
    tests: (command: string) => `Run ${command} and fix what fails`,
    todos: (count: number, folder: string) =>
      `${count} ${count === 1 ? "TODO" : "TODOs"} in ${folder}: list them and do the most useful one`,
    moreTodos: (count: number, folder: string) =>
      `More than ${count} TODOs in ${folder}: list them and do the most useful one`,
    review: (commit: string) => `Review the last commit: ${commit}`,
  },
  isTour: "Tour: the answers of “scripted” are written in advance, everything else is real.",
  leaveTour: "Leave the tour",
};
