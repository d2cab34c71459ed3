/** Why an answer ended before its end. */
export const stoppedAnswer = {
  length: "Answer cut off: the model hit its output limit.",
  error: "The answer failed.",
  aborted: "Stopped.",
  interrupted: "Interrupted.",
};
