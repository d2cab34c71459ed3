/** Messages of a call in an answer's text that was not run. */
export const unrunCall = {
  /** Before and after the name of the tool. */
  before: "The model wrote a call of ",
  after: {
    example: " that wasn't run: it looks like an example.",
    sentence: " that wasn't run: it is part of a sentence.",
    explained: " that wasn't run: the text after it explains it.",
  },
  run: "Run it",
  ran: "You ran it",
  notCall: "Not a call",
};
