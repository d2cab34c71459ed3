/** Notes of each model: learned facts and GPU observations, stored by digest. */
import type { ModelNote } from "@/lib/models";
import { rounded } from "./learn";
import type { Spill } from "./window-plan";

export interface KeptNote {
  readonly note: ModelNote;
  readonly spill?: Spill;
}

/** Persistent storage of notes. `read` does not throw for recoverable errors. */
export interface NoteKeeper {
  read(): ReadonlyMap<string, KeptNote>;
  write(key: string, kept: KeptNote): void;
}

/** A model on a server: provider id, name, and digest if the server reports one. */
export interface ModelKey {
  readonly provider: string;
  readonly name: string;
  readonly digest?: string;
}

export interface Notes {
  of(model: ModelKey): KeptNote;
  /** `to` gets the unrounded note. Writes and calls `onChange` only when the rounded note changed. */
  change(model: ModelKey, to: (kept: KeptNote) => KeptNote): void;
}

/** The same model on another machine has its own note: memory and speed differ. */
const keyOf = ({ provider, name, digest }: ModelKey): string =>
  provider === "ollama" && digest !== undefined ? digest : `${provider}:${digest ?? name}`;
const nothing: KeptNote = { note: {} };
const shownOf = ({ note, ...rest }: KeptNote): KeptNote => ({ ...rest, note: rounded(note) });

/** Reads on first access. Calls `onChange` after a note has changed. */
export function makeNotes(keeper: NoteKeeper, onChange: () => void): Notes {
  let notes: Map<string, { readonly exact: KeptNote; readonly shown: KeptNote }> | undefined;
  const all = () => {
    notes ??= new Map([...keeper.read()].map(([key, kept]) => [key, { exact: kept, shown: shownOf(kept) }]));
    return notes;
  };
  return {
    of: (model) => all().get(keyOf(model))?.shown ?? nothing,
    change(model, to) {
      const key = keyOf(model);
      const before = all().get(key) ?? { exact: nothing, shown: nothing };
      const exact = to(before.exact);
      const shown = shownOf(exact);
      all().set(key, { exact, shown });
      if (JSON.stringify(shown) === JSON.stringify(before.shown)) return;
      keeper.write(key, shown);
      onChange();
    },
  };
}
