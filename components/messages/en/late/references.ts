/** Messages of the references of a message: files, folders and texts that are sent with it. */
import { tokenCountText } from "../token-count-text";

export const references = {
  menu: "Files and folders to add",
  changes: "Current changes",
  session: "Earlier session",
  sessionNote: "@session: and letters of its title",
  memory: "Memory",
  memoryNote: "@memory: and letters of a file",
  tool: "Tool",
  toolNote: "@tool: and letters of its name",
  git: "Git",
  gitNote: "@git: and staged, changed, or letters of a commit",
  gitStaged: "Staged changes",
  gitChanged: "Changes not staged",
  page: "Web page",
  pageNote: "@https:// and its address",
  readPage: "Read this page",
  webOff: "The web is off. Switch it on in Settings > Web to read pages.",
  nothingFound: "Nothing found",
  list: "Added to the message",
  tokens: tokenCountText,
  /** `tokens` as returned by `tokens`. */
  tooLarge: (tokens: string, max: string) => `${tokens}, at most ${max} fit`,
  addsLines: (tokens: string, first: number, last: number) => `${tokens}, adds lines ${first}–${last}`,
  useLines: (first: number, last: number) => `Use lines ${first}–${last}`,
  remove: (name: string) => `Remove ${name}`,
  insert: "Move into the message",
  /** Label in a sent message. */
  sent: "Sent with this message",
};
