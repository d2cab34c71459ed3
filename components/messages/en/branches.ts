/** Messages of rewinding and forks. */
export const branches = {
  run: "Answer actions",
  fork: "Fork from here",
  forkAfterNote: "Starts a new session with everything up to here",
  name: "Bookmark this point",
  rename: "Rename bookmark",
  again: "Try again",
  againWith: (model: string) => `Try again with ${model}`,
  later: "Available when the run ends",
  nothingToRedo: "Nothing to redo.",
  nothingToRewind: "Nothing to rewind.",
  forked: "Forked into a new session.",
};
