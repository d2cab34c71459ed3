/** Messages of the pinned files of a session. */
import { tokenCountText } from "../token-count-text";

export const pins = {
  title: "Pinned files",
  /** Tokens of all files that are sent, and their budget. */
  budget: (tokens: string, most: string) => `${tokens} of ${most} tokens`,
  tokens: tokenCountText,
  /** Note of a chip, and its explanation. */
  states: {
    new: "next message",
    changed: "changed",
    evicted: "not sent",
  },
  explained: {
    sent: "The model has this file.",
    new: "Sent with your next message.",
    changed: "The file has changed. Its new content is sent with your next message.",
    evicted: "Pinned files exceed their share of the context, and this one was used longest ago. Unpin another file.",
  },
  unreadable: { not_found: "deleted", too_large: "too large", binary: "not text", other: "not readable" },
  open: (path: string) => `Open ${path}`,
  /** Name of a button. */
  pin: (path: string) => `Pin ${path} to the context`,
  unpin: (path: string) => `Unpin ${path}`,
  notPinned: (path: string, reason: string) => `${path} is not pinned. ${reason}`,
  tooLarge: (path: string, tokens: string, most: string) =>
    `${path} is not pinned: it has ${tokens} tokens, and all pinned files together may have ${most}. Add lines of it with @ instead.`,
  /** After `done`, the sentence about the import. */
  notImported: (done: string, count: number, most: number) =>
    `${done}. A session has at most ${most} pinned files: ${count === 1 ? "1 was" : `${count} were`} left out.`,
  noFile: "Open a file, or write its path after /pin.",
  noLongerSent: (count: number, files: string) =>
    count === 1
      ? `Context full: 1 pinned file is no longer sent: ${files}`
      : `Context full: ${count} pinned files are no longer sent: ${files}`,
};
