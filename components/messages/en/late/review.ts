/** Messages for reading changes and deciding about them: the list of files, the layout of diffs, the review by hunk. */
const ofLines = (verb: string, count: number | null): string =>
  count === null ? verb : count === 1 ? `${verb} 1 line` : `${verb} ${count} lines`;
const comments = (count: number): string => (count === 1 ? "1 comment" : `${count} comments`);

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
  undecided: "To review",
  progress: (decided: number, total: number) => `${decided} of ${total} decided`,
  waiting: (count: number) =>
    count === 1 ? "1 decision waits for the end of the turn" : `${count} decisions wait for the end of the turn`,
  none: "Nothing to review. Changes that the agent makes are listed here until you accept or reject them.",
  allDecided: "You have decided about every change.",
  hunk: (position: number, count: number) => `Change ${position} of ${count}`,
  accept: (count: number | null) => ofLines("Accept", count),
  reject: (count: number | null) => ofLines("Reject", count),
  acceptFile: (path: string) => `Accept all changes in ${path}`,
  rejectFile: (path: string) => `Reject all changes in ${path}`,
  acceptAll: "Accept all",
  rejectAll: "Reject all",
  undo: "Undo the last decision",
  collides: "changed by you, too",
  collidesNote: "These lines have changes that aren't the agent's. To reject a part, choose its lines.",
  collidesFile: "This file has changes that aren't the agent's, so it can't be rejected as a whole.",
  agentVersion: "What the agent wrote",
  comment: "Comment",
  commentField: "Comment on these lines",
  addComment: "Add comment",
  removeComment: "Remove the comment",
  sendComments: (count: number) => `Send ${comments(count)}`,
  commentsSent: (count: number) => `Sent: ${comments(count)}`,
  otherComments: "Comments on lines that have changed since",
};
