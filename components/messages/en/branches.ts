/** Messages of rewinding and forks. */
const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const branches = {
  message: "Message actions",
  run: "Answer actions",
  copy: "Copy",
  edit: "Edit and resend",
  editing: "Edited message",
  editNote: "Replaces this message. Everything after it is set aside, not lost.",
  send: "Save and send",
  rewind: "Rewind to before this",
  rewindNote: "Everything after it is set aside, not lost",
  fork: "Fork from here",
  forkBefore: "Fork from before this message",
  forkNote: "Starts a new session with everything before this",
  forkAfterNote: "Starts a new session with everything up to here",
  name: "Bookmark this point",
  rename: "Rename bookmark",
  nameLabel: "Bookmark name",
  restore: "Restore files…",
  restoreNote: "As they were before this message",
  again: "Try again",
  againWith: (model: string) => `Try again with ${model}`,
  later: "Available when the run ends",
  aside: (count: number) =>
    `Rewound. ${plural(count, "message", "messages")} and ${count === 1 ? "its results are" : "their results are"} set aside.`,
  asideSome: "Rewound. Everything after this point is set aside.",
  redo: "Redo",
  nothingToRedo: "Nothing to redo.",
  nothingToRewind: "Nothing to rewind.",
  forked: "Forked into a new session.",
};
