/** Messages of components/terminal. */
export const terminal = {
  tabs: "Terminals",
  output: (name: string) => `Terminal ${name}`,
  open: "New terminal",
  split: "Split terminal",
  find: "Find in terminal",
  previousMatch: "Previous match",
  nextMatch: "Next match",
  addToMessage: "Add to message",
  rename: "Rename terminal",
  close: (name: string) => `Close ${name}`,
  none: "No terminal is open. A terminal keeps running when you close the browser, and ends with gopi-web.",
  restart: "Start again",
  exited: (code: number) => `The shell has exited with code ${code}.`,
  killed: (signal: number) => `The shell was ended by signal ${signal}.`,
  keys: "Terminal keys",
  control: "Ctrl",
};
