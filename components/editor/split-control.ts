/** Control of the editor's groups: split, focus and moving tabs. */
import type { RefObject } from "react";

export interface SplitControl {
  /** Two groups fit side by side. */
  readonly hasRoom: boolean;
  readonly isSplit: boolean;
  /** The tab that is being dragged. */
  readonly dragged: RefObject<GroupTab | null>;
  /** Pending request for the focus; "reading" = the tab has it until the file is read. null = none. */
  readonly focusRequest: RefObject<"requested" | "reading" | null>;
  /** Number of requests so far. */
  readonly focusRequests: number;
  /** Moves the keyboard focus to the focused group when it is drawn. */
  readonly requestFocus: () => void;
  /** Two groups fit if all other panes are closed. */
  readonly canSplit: () => boolean;
  /** Opens a file in a new group on the right, or says that there is no room. */
  readonly split: (path: string) => void;
  /** Moves the focus to the other group. */
  readonly focusOther: () => void;
  /** Moves a tab to the other group, or to a new one on the right. */
  readonly moveTab: (tab: GroupTab) => void;
}

/** A tab of a group. */
export interface GroupTab {
  readonly group: number;
  readonly path: string;
}
