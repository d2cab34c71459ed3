/** Messages of trials of tools in the settings. */
export const trials = {
  tryIt: "Try",
  tryOf: (name: string) => `Try ${name}`,
  tryNote: "Fill in what you need; a field that is empty is not sent. Lists and objects are written as JSON.",
  required: "required",
  /** Choice of a field that leaves it out. */
  notSent: "Not sent",
  /** Choice of a required field before one is made. */
  choose: "Choose",
  /** Requirements on the value of a field. */
  problems: {
    missing: (field: string) => `${field} is required.`,
    whole_number: (field: string) => `${field} must be a whole number.`,
    number: (field: string) => `${field} must be a number.`,
    boolean: (field: string) => `${field} must be true or false.`,
    list: (field: string) => `${field} must be a list in JSON, such as ["a", "b"].`,
    object: (field: string) => `${field} must be an object in JSON, such as {"a": 1}.`,
    json: (field: string) => `${field} must be JSON.`,
  },
  noFields: "This tool needs no input.",
  review: "Show call",
  reviewNote: "Call sends this to the server. Questions that it asks meanwhile are declined.",
  reviewScript: "Call runs the script of the extension with this:",
  send: "Call",
  stop: "Stop",
  stopped: "Stopped. What the tool had done until then is not undone.",
  answer: "Answer",
  reportedFailure: "The tool reports that it failed.",
  images: "Images of the answer",
  image: (number: number) => `Image ${number}`,
  unusable: "This tool can't be called now. Check that it is switched on and approved.",
  changed: "The tool has changed since the call was shown. Show the call again.",
};
