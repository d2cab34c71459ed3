/** Messages of tools of other programs. */
export const externalTools = {
  /** Before the name of the source. */
  from: "From",
  why: {
    first_use: "First call in this project",
    changed_definition: "Changed since you allowed it",
    read_external: "This session has read content from elsewhere",
  },
  /** Before the name of a tool with its parameters. */
  parameters: "Parameters:",
  saysOfItself: "What it says about itself:",
  input: "Input of the call",
  noInput: "The call has no input.",
};
