/** What a model server got wrong, and what the session does about it. */
export const serverFaults = {
  textCalls:
    "The model server couldn't read this model's answer twice in a row. For the rest of this session, calls are read from its text.",
  lostArguments:
    "Tool calls of this model arrive without their arguments: its server's parser probably loses them. Reading the calls from the model's text avoids that.",
  toolsLeftOut: (tools: string) =>
    `The model server refused the definition of ${tools}. This session continues without it.`,
  readText: "Read calls from its text",
};
