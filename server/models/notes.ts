/** What is known of each model beyond the server's list: its note, what was seen of the GPU. Kept by digest. Made by models. */
import type { ModelNote } from "@/lib/models";
import { rounded } from "./learn";
import type { Spill } from "./window-plan";

export interface KeptNote {
  readonly note: ModelNote;
  readonly spill?: Spill;
}

/** Where notes outlive the process: the store's own. Reading throws nothing that can be helped here. */
export interface NoteKeeper {
  read(): ReadonlyMap<string, KeptNote>;
  write(key: string, kept: KeptNote): void;
}

/** A model of a server: the id of its provider, its name, and its digest where the server tells one. */
export interface ModelKey {
  readonly provider: string;
  readonly name: string;
  readonly digest?: string;
}

export interface Notes {
  of(model: ModelKey): KeptNote;
  /** `to` gets what is known, figures unrounded. Written and told only when what is shown changed. */
  change(model: ModelKey, to: (kept: KeptNote) => KeptNote): void;
}

/** The same model on another machine is another note: it has other memory and another speed. */
const keyOf = ({ provider, name, digest }: ModelKey): string =>
  provider === "ollama" && digest !== undefined ? digest : `${provider}:${digest ?? name}`;
const nothing: KeptNote = { note: {} };
const shownOf = ({ note, ...rest }: KeptNote): KeptNote => ({ ...rest, note: rounded(note) });

/** Nothing is read before the first question. `onChange` is told after a note has changed. */
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
