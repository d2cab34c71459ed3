/** Messages of the plan above the composer. */
export const plan = {
  title: "Plan",
  progress: (done: number, total: number) => `${done} of ${total}`,
  allDone: "All steps are done",
  show: "Show plan",
  collapse: "Collapse plan",
  dismiss: "Hide until the plan changes",
  done: "Done",
  open: "To do",
  edit: "Edit plan",
  stepText: (index: number) => `Step ${index}`,
  stepDone: (index: number) => `Step ${index} is done`,
  remove: (index: number) => `Remove step ${index}`,
  add: "Add step",
  /** While a run is open: the model reads it after the current step. */
  send: "Send to the model",
  sendAndContinue: "Send and continue",
  changed: "The plan has changed meanwhile. Sending replaces it with yours; the model's ticks stay.",
  /** First line of the message that the model gets; the list follows. */
  lead: "I changed the plan. Continue with this one:",
};
