/** Faults of a model server, and the reaction of the session. */
export const serverFaults = {
  textCalls:
    "The model server couldn't read this model's answer twice in a row. For the rest of this session, calls are read from its text.",
  lostArguments:
    "Tool calls of this model arrive without their arguments: its server's parser probably loses them. Reading the calls from the model's text avoids that.",
  toolsLeftOut: (tools: string) =>
    `The model server refused the definition of ${tools}. This session continues without it.`,
  /** The file that OPENAI_API_KEY_FILE names. */
  keyFile: {
    unreadable: (path: string) =>
      `The key file ${path} can't be read. Check that it exists and that gopi-web's user may read it.`,
    too_large: (path: string) => `The key file ${path} is too large. Let it contain nothing but the key.`,
  },
  noModelHost: (status: string) =>
    `The router at this address can't reach a model host (${status}). Check that a host behind it is running, then try again.`,
  tryAgainAt: (time: string) => `The model server asks for a longer wait. Try again at ${time}.`,
  /** A wait that the server requested, and after it. */
  askingAgain: (duration: string) => `It asked to wait. Trying again in ${duration}`,
  askingAgainFrom: (duration: string, position: number) =>
    `It asked to wait, at position ${position} of its queue. Trying again in ${duration}`,
  asked: "It asked to wait",
  readText: "Read calls from its text",
};
