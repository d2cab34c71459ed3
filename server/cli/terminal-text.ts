/** Makes text of a model, a file or a tool safe to print on a terminal. */

/** Removes terminal-controlling characters from streamed text, keeps everything else. */
export const stripControls = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
