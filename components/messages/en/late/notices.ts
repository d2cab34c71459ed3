/** Messages of notices that the server opens. */
export const notices = {
  paused: (name: string) => `The automation "${name}" failed several times in a row and is paused.`,
  open: "Open",
};
