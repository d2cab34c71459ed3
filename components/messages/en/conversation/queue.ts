/** The messages that wait above the message field. */
export const queue = {
  label: "Queued messages",
  times: {
    steer: "At the next step",
    followUp: "After this run",
    summary: "After the summary",
    idle: "Waiting",
  },
  takeBack: "Alt+Up to edit",
  edit: "Edit message",
  remove: "Remove message",
  send: "Send now",
};
