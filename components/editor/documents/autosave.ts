/** Saves changed files without a command: a moment after the last key, or when the editor loses the focus. */
import type { Settings } from "@/lib/settings/settings";
import type { Documents } from "./documents";
import type { EditorDocument } from "./open-documents";

export interface Autosave {
  /** Notifies that a text changed. */
  readonly typed: () => void;
  /** Notifies that the editor lost the focus, or shows another file. */
  readonly left: () => void;
  /** Notifies that an input method completed its text: a save that waited for it follows. */
  readonly composed: () => void;
  /** Saves a changed file before its tab is closed; false = the user has to decide what happens to its text. */
  readonly settle: (path: string) => Promise<boolean>;
  /** Leaves a file unsaved until the returned function is called. */
  readonly pause: (path: string) => () => void;
}

const autosaveDelayMs = 1_000;

/** `readMode` returns the setting in force, `isComposing` whether an input method is composing text. */
export function createAutosave(
  documents: Documents,
  readMode: () => Settings["editorAutosave"],
  isComposing: () => boolean,
): Autosave {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const paused = new Set<string>();
  const saveAll = (mode: Settings["editorAutosave"]): void => {
    if (readMode() !== mode) return;
    isWaiting = isComposing();
    if (isWaiting) return;
    for (const document of documents.get().values())
      if (isAutosaved(document) && !paused.has(document.path)) void documents.save(document.path, "automatic");
  };
  const saveLater = (mode: Settings["editorAutosave"]): void => {
    clearTimeout(timer);
    if (mode !== "off") timer = setTimeout(() => saveAll(mode), autosaveDelayMs);
  };
  const settle = async (path: string): Promise<boolean> => {
    const document = documents.get().get(path);
    if (document?.isDirty !== true) return true;
    if (readMode() === "off" || !isAutosaved(document)) return false;
    return (await documents.save(path)) && settle(path);
  };
  return {
    typed: () => saveLater(readMode() === "delay" ? "delay" : "off"),
    left: () => saveAll("focus"),
    composed: () => {
      if (isWaiting) saveLater(readMode());
    },
    settle,
    pause: (path) => {
      paused.add(path);
      return () => void paused.delete(path);
    },
  };
}

/** Conflicts and deleted files are decided by the user. */
const isAutosaved = ({ isDirty, isDeleted, theirs, file }: EditorDocument): boolean =>
  isDirty && !isDeleted && theirs === null && file !== null;
