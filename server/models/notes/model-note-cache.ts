/** Notes of each model: learned facts and GPU observations, stored by digest. */
import type { ModelNote } from "@/lib/models/models";
import { roundNote } from "./update-note";
import type { WindowSpill } from "./window-plan";

export interface ModelNoteRecord {
  readonly note: ModelNote;
  readonly spill?: WindowSpill;
}

/** Persistent storage of notes. `read` does not throw for recoverable errors. */
export interface NoteStorage {
  read(): ReadonlyMap<string, ModelNoteRecord>;
  write(key: string, record: ModelNoteRecord): void;
}

/** A model on a server: provider id, name, and digest if the server reports one. */
export interface ModelKey {
  readonly provider: string;
  readonly name: string;
  readonly digest?: string;
}

export interface ModelNoteCache {
  of(model: ModelKey): ModelNoteRecord;
  /** `to` gets the unrounded note. Writes and calls `onChange` only when the rounded note changed. */
  change(model: ModelKey, to: (record: ModelNoteRecord) => ModelNoteRecord): void;
}

/** The same model on another machine has its own note: memory and speed differ. */
export const modelNoteKey = ({ provider, name, digest }: ModelKey): string =>
  provider === "ollama" && digest !== undefined ? digest : `${provider}:${digest ?? name}`;
const emptyRecord: ModelNoteRecord = { note: {} };
const roundRecord = ({ note, ...rest }: ModelNoteRecord): ModelNoteRecord => ({ ...rest, note: roundNote(note) });

/** Reads on first access. Calls `onChange` after a note has changed. */
export function makeModelNoteCache(storage: NoteStorage, onChange: () => void): ModelNoteCache {
  let notes: Map<string, { readonly exact: ModelNoteRecord; readonly shown: ModelNoteRecord }> | undefined;
  const all = () => {
    notes ??= new Map([...storage.read()].map(([key, record]) => [key, { exact: record, shown: roundRecord(record) }]));
    return notes;
  };
  return {
    of: (model) => all().get(modelNoteKey(model))?.shown ?? emptyRecord,
    change(model, to) {
      const key = modelNoteKey(model);
      const before = all().get(key) ?? { exact: emptyRecord, shown: emptyRecord };
      const exact = to(before.exact);
      const shown = roundRecord(exact);
      all().set(key, { exact, shown });
      if (JSON.stringify(shown) === JSON.stringify(before.shown)) return;
      storage.write(key, shown);
      onChange();
    },
  };
}
