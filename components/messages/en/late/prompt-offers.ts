/** Messages of the prompts of MCP servers in the composer. */
export const promptOffers = {
  menu: "Prompts of servers",
  insert: "Insert",
  fetching: (server: string) => `Asking ${server}…`,
};
