/**
 * Imperative handles that mounted components provide to actions: each sets its own on mount and removes it on
 * unmount.
 */

interface EditorControl {
  readonly save: () => void;
  /** Prompts first if the file has unsaved changes. */
  readonly closeTab: (path: string) => void;
  /** Updates the path of a file or folder. */
  readonly renameFile: (from: string, to: string) => void;
  readonly focus: () => void;
}

interface ConversationControl {
  readonly focusComposer: () => void;
  /** Appends a text to the message field. */
  readonly insert: (text: string) => void;
  /** Sets the text of the message field if it is empty. */
  readonly offer: (text: string) => void;
  /** Focuses the oldest pending approval; returns false if there is none. */
  readonly focusApproval: () => boolean;
  readonly find: () => void;
}

export interface ComponentHandles {
  /** Captures keys typed while a new file is being opened in the editor. */
  typeAhead?: { readonly take: () => string };
  editor?: EditorControl;
  conversation?: ConversationControl;
}
