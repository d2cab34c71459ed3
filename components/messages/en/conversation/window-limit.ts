/** Why the window of a conversation cannot be another one. */
export const windowLimit = {
  model: (window: string) => `The model was trained for ${window} tokens at most. Choose one with a larger window.`,
  memory: "A larger window doesn't fit into this machine's memory.",
  smallest: "This is the smallest window. Choose a smaller model.",
};
