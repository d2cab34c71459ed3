/** Messages of the actions of a message, and after a rewind. */
const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const messageActions = {
  message: "Message actions",
  copy: "Copy",
  edit: "Edit and resend",
  editing: "Edited message",
  editNote: "Replaces this message. Everything after it is set aside, not lost.",
  send: "Save and send",
  rewind: "Rewind to before this",
  rewindNote: "Everything after it is set aside, not lost",
  forkBefore: "Fork from before this message",
  forkNote: "Starts a new session with everything before this",
  nameLabel: "Bookmark name",
  restore: "Restore files…",
  restoreNote: "As they were before this message",
  aside: (count: number) =>
    `Rewound. ${plural(count, "message", "messages")} and ${count === 1 ? "its results are" : "their results are"} set aside.`,
  asideSome: "Rewound. Everything after this point is set aside.",
  redo: "Redo",
};
