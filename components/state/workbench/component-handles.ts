/**
 * Imperative handles that mounted components provide to actions: each sets its own on mount and removes it on
 * unmount.
 */
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import type { ExportFormat } from "@/lib/protocol/history";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { TextEncoding } from "@/lib/workspace/project-files";

/** A named part of a file. */
export interface EditorSymbol {
  readonly name: string;
  readonly kind: "function" | "method" | "class" | "type" | "variable" | "module" | "heading" | "key" | "rule";
  /** From 1. */
  readonly line: number;
  /** Number of symbols around it. */
  readonly depth: number;
}

/** Indentation of a text: a tab, or a number of spaces. */
export type Indentation = "tab" | number;

/** Facts for the status bar about the text that has the caret. */
export interface EditorStatus {
  readonly path: string;
  /** Position of the main caret, from 1; columns count characters as the user sees them. */
  readonly line: number;
  readonly column: number;
  /** Number of selected characters in all selections. */
  readonly selected: number;
  readonly carets: number;
  readonly indentation: Indentation;
  readonly lineEnding: "\n" | "\r\n";
  /** Encoding of the file on disk; null = it does not exist. */
  readonly encoding: TextEncoding | null;
  /** Names of the declarations around the caret, the outermost first. */
  readonly enclosing: readonly string[];
  /** Null = plain text. */
  readonly language: string | null;
  readonly isReadOnly: boolean;
}

/** Why an encoding is chosen: to read the file in it, or to write it. */
export type EncodingPurpose = "reopen" | "save";

/** Operations on the editor. In a split editor the active file is that of the group with the focus. */
interface EditorControl {
  readonly save: () => void;
  /** Formats the active text with the formatter of the project. */
  readonly format: () => void;
  /** Prompts first if the file has unsaved changes. */
  readonly closeTab: (path: string) => void;
  readonly focus: () => void;
  /** Opens the find panel in the active text. */
  readonly find: () => void;
  /** Folds all parts of the active text that can be folded, or unfolds them. */
  readonly setFolded: (isFolded: boolean) => void;
  /** Goes to a line of the active text that differs from the last commit. */
  readonly goToChange: (direction: "next" | "previous") => void;
  /** Changes how the active text is indented by Tab and Enter; its lines stay as they are. */
  readonly setIndentation: (indentation: Indentation) => void;
  /** Changes the line endings of the active text; it is unsaved then. */
  readonly setLineEnding: (lineEnding: EditorStatus["lineEnding"]) => void;
  /** Opens the list of encodings for the active file. */
  readonly chooseEncoding: (purpose: EncodingPurpose) => void;
  /** Changes the language by which the active text is coloured, until the file is closed; null = plain text. */
  readonly setLanguage: (language: string | null) => void;
  /** Returns the symbols of the active file once its language is loaded; null = no file is shown. */
  readonly symbols: () => Promise<readonly EditorSymbol[] | null>;
  /** Switches an open file between its text and its preview, if its kind has one. */
  readonly togglePreview: (path: string) => void;
  /** Whether the window is wide enough for two groups. */
  readonly canSplit: () => boolean;
  /** Opens the active file in a second group on the right, or says that there is no room. */
  readonly split: () => void;
  readonly focusOtherGroup: () => void;
  /** Moves the active tab to the other group. */
  readonly moveToOtherGroup: () => void;
  /** Returns the selected text of the open file; "" = none. */
  readonly selectedText: () => string;
  /** Returns the selected lines of the active file as a reference, without a selection the file; null = none is shown. */
  readonly reference: () => NewReference | null;
}

interface ConversationControl {
  /** Null = that of a new session. */
  readonly sessionId: SessionId | null;
  readonly focusComposer: () => void;
  /** Appends a text to the message field; false = the field is not shown. */
  readonly insert: (text: string) => boolean;
  /** Adds a reference to the message that is being written. */
  readonly attach: (reference: NewReference) => void;
  /** Sets the text of the message field if it is empty. */
  readonly offer: (text: string) => void;
  /** Focuses the oldest pending approval; returns false if there is none. */
  readonly focusApproval: () => boolean;
  readonly find: () => void;
}

/** Operations of the user on an open session as a whole. Failures are reported to the user. */
export interface SessionControl {
  /** Summarizes older messages; an empty focus = none. False = rejected. */
  readonly compact: (focus: string) => Promise<boolean>;
  /** Opens a copy of the session. */
  readonly fork: () => void;
  /** Rewinds to before the last message of the user. */
  readonly rewind: () => void;
  /** Opens the dialog that undoes the file changes of the newest run; without any, the changes of the session. */
  readonly undo: () => void;
  /** Takes the last rewind back. */
  readonly redo: () => void;
  readonly rename: (title: string) => void;
  /** Downloads the session. */
  readonly save: (format: ExportFormat) => void;
}

/** The files pinned to the shown session, or to the one that the first message creates. */
export interface PinControl {
  readonly isPinned: (path: string) => boolean;
  /** Pins a file of the project to the context, or unpins it. False = refused, as the user was informed. */
  readonly setPinned: (path: string, isPinned: boolean) => Promise<boolean>;
}

/** Menus below the message field. */
export type ComposerMenu = "mode" | "model" | "context";

export interface ComposerControl {
  /** Returns a function that opens the menu; null = the menu is not shown. */
  readonly findMenu: (menu: ComposerMenu) => (() => void) | null;
  readonly setMode: (mode: Mode) => void;
  /** The models of Ollama, for the choices of a command. */
  readonly modelNames: () => readonly string[];
  /** Sends a text as the user's message; a refusal is shown. */
  readonly send: (text: string) => void;
  /** Selects the model with this name. */
  readonly setModel: (name: string) => void;
  /** null = the session does not exist yet. */
  readonly session: SessionControl | null;
  /** null = a session that only can be read. */
  readonly pins: PinControl | null;
}

/** Files with text that is not saved, also while the editor is hidden. */
interface UnsavedFiles {
  /** Paths of the project's files with unsaved text. */
  readonly list: (projectId: ProjectId) => readonly string[];
  /** Discards the text of a file, or of the files in a folder. */
  readonly discard: (projectId: ProjectId, path: string) => void;
  /** Moves the text of a renamed file, or of the files in a renamed folder. */
  readonly renamed: (projectId: ProjectId, from: string, to: string) => void;
}

export interface ComponentHandles {
  /** Set when the first file is opened; it stays. */
  unsavedFiles?: UnsavedFiles;
  /** Captures keys typed while a new file is being opened in the editor. */
  typeAhead?: { readonly take: () => string };
  editor?: EditorControl;
  conversation?: ConversationControl;
  /** For the message field that appears next: a phone shows one pane at a time. */
  waitingMessage?: { readonly references: readonly NewReference[]; readonly text: string };
  composer?: ComposerControl;
}
