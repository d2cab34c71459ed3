/** Storage of model notes in the store. */
import { thrownText } from "@/lib/events/error";
import type { Store } from "@/server/store/open-store";
import type { NoteStorage } from "./model-note-cache";

/** Wraps the store of notes: an error is logged and costs only the measurement. */
export function makeNoteStorage({ modelNotes }: Store, log: (line: string) => void): NoteStorage {
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      log(`model notes: ${thrownText(error)}`);
      return otherwise;
    }
  };
  return {
    read: () => attempt(modelNotes.read, new Map()),
    write: (key, record) => attempt(() => modelNotes.write(key, record), undefined),
  };
}
