/** Origins of a user message that was not written in the browser. */
export const origins = {
  cli: () => "From the terminal",
  agent: () => "Task from the session that started it",
  channel: (name: string) => `From ${name}`,
  automation: (name: string) => `Automation “${name}”`,
  workflow: (name: string) => `Workflow “${name}”`,
};
