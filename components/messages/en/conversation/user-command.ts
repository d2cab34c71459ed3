/** Messages of a command that the user ran. */
export const userCommand = {
  name: "Your command",
  added: "The model gets this with the message that follows.",
  shown: "The model doesn't get this.",
};
