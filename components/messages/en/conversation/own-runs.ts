/** A command of the agent that the user runs as his own, by why it did not run as the agent's. */
export const ownRuns = {
  sandbox: {
    run: "Run outside once",
    ran: "You ran it outside the sandbox",
    queued: "Runs outside the sandbox after this run",
    title: "Run outside the sandbox?",
    note: "This runs once as your own command, with your permissions. What it changes outside the project can't be undone. The model gets the output with your next message.",
  },
  name: {
    run: "Run it myself",
    ran: "You ran it",
    queued: "Runs after this run",
    title: "Run this command yourself?",
    note: "This runs once as your own command, with your permissions and without the sandbox. What it changes outside the project can't be undone. The model gets the output with your next message.",
  },
};
