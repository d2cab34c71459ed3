/** What parts of the screen lend to actions while they are mounted: each sets its own and takes it away. */

export interface EditorHandle {
  readonly save: () => void;
  /** Asks first when the file has changes that are not saved. */
  readonly closeTab: (path: string) => void;
  /** A file or folder has another path now. */
  readonly renamed: (from: string, to: string) => void;
  readonly focus: () => void;
}

export interface ConversationHandle {
  readonly focusComposer: () => void;
  /** Puts a text into the message field, behind any that is there. */
  readonly insert: (text: string) => void;
  /** Puts a text into the message field if that is empty. */
  readonly offer: (text: string) => void;
  /** Goes to the oldest approval that waits; false when none does. */
  readonly focusApproval: () => boolean;
  readonly find: () => void;
}

export interface Handles {
  /** What is typed while a new file is on its way to the editor. */
  typeAhead?: { readonly take: () => string };
  editor?: EditorHandle;
  conversation?: ConversationHandle;
}
