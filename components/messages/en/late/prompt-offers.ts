/** Messages of the prompts of MCP servers in the composer. */
export const promptOffers = {
  menu: "Prompts of servers",
  insert: "Insert",
  fetching: (server: string) => `Asking ${server}…`,
  cut: (lines: number) =>
    lines === 1
      ? "The prompt is too long for the model's window. Its first line was inserted."
      : `The prompt is too long for the model's window. Its first ${lines} lines were inserted.`,
};
