/** Messages of the composer's menu that adds something to the message. */
export const attach = {
  image: "Image or photo…",
  textFile: "Text file from this device…",
  project: "File, session or page…",
  clipboard: "Paste",
  skill: "Skill, prompt or command…",
  command: "Run a command yourself…",
  notAllowed: "The browser doesn't let this page read the clipboard. Paste in the message field instead.",
  nothingToPaste: "The clipboard has no text and no image.",
};
