/** Messages for reading changes: the list of files, the layout of diffs, what has been seen. */
export const review = {
  files: "Changed files",
  filter: "Filter files",
  noMatch: "No file matches.",
  layout: "Layout of changes",
  layouts: {
    auto: "Side by side where there is room",
    unified: "One column",
    split: "Side by side",
    wraps: "Wrap long lines",
  },
  seen: (path: string) => `Seen: ${path}`,
  seenLabel: "Seen",
};
