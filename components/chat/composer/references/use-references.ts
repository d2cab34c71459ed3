"use client";
/** References of the composer's draft: added by the mention menu and by other panes, stored with its text until they are sent. */
import { useEffect, useRef, useState } from "react";
import type { FoundFiles } from "@/lib/workspace/project-files";
import type { NewReference, ReferenceSize } from "@/lib/protocol/reference-commands";
import type { SessionRow } from "@/lib/protocol/session-row";
import { limits } from "@/lib/settings/settings";
import { type Messages, useMessages } from "../../../messages/messages";
import {
  appendReferences,
  clipLabel,
  type DraftReference,
  draftReferenceName,
  readDraftReferences,
  type RefusedReference,
  shortenedReference,
  writeDraftReferences,
} from "./draft-references";

/** A named part of a file; lines from 1, both included. */
export interface FoundSymbol {
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
}

type FoundSession = Pick<SessionRow, "id" | "title" | "updatedAt">;

/** Finds and measures references of the session's project. null = the server did not answer. */
export interface ReferenceStore {
  /** Files by letters of their path; without letters those opened last come first. `refresh` lists the project again. */
  readonly find: (typed: string, refresh: boolean) => Promise<FoundFiles | null>;
  /** Other sessions of the project by letters of their title, the newest first. */
  readonly findSessions: (typed: string) => Promise<readonly FoundSession[]>;
  /** The symbols of a file in their order. */
  readonly findSymbols: (path: string, signal: AbortSignal) => Promise<readonly FoundSymbol[]>;
  readonly measure: (
    references: readonly NewReference[],
  ) => Promise<{ readonly maxTokens: number; readonly sizes: readonly ReferenceSize[] } | null>;
}

export interface DraftReferences {
  readonly list: readonly DraftReference[];
  /** False = references cannot be added here. */
  readonly isAvailable: boolean;
  /** Most tokens of one reference; null = not known yet. */
  readonly maxTokens: number | null;
  /** Why the last one was not added; null = it was. */
  readonly refusal: string | null;
  /** Shows a sentence about something that cannot be added. */
  readonly refuse: (sentence: string) => void;
  /** Whether a message can have them beside the others; if not, a sentence is shown. */
  readonly hasRoom: (references: readonly NewReference[]) => boolean;
  readonly add: (reference: NewReference) => void;
  /** Adds references of a message that was not sent, also those that cannot be read now. */
  readonly restore: (references: readonly NewReference[]) => void;
  readonly remove: (id: number) => void;
  /** Replaces a reference that is too large by its first lines that fit. */
  readonly shorten: (id: number) => void;
  /** Clears the list and returns its references. */
  readonly take: () => readonly NewReference[];
}

let counted = 0;
const unmeasured = (reference: NewReference): DraftReference => ({
  id: (counted += 1),
  reference: clipLabel(reference),
  size: null,
});

const referenceOf = ({ reference }: DraftReference): NewReference => reference;

function refusalSentence({ reference, reason }: RefusedReference, { composer, figures }: Messages): string {
  const text = composer.references;
  if (reason === "tooMany") return text.tooMany(figures.number(limits.messageReferences));
  const sentence = reason === "empty" ? text.empty : text.tooLong(figures.number(limits.promptMaxChars));
  return text.notAdded(draftReferenceName(reference), sentence);
}

export function useReferences(draftKey: string, store: ReferenceStore | undefined): DraftReferences {
  const messages = useMessages();
  const { composer, errors } = messages;
  const [list, setList] = useState<readonly DraftReference[]>(() =>
    typeof window === "undefined" || store === undefined ? [] : readDraftReferences(draftKey).map(unmeasured),
  );
  const [maxTokens, setMaxTokens] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  /** The list with the changes that are not rendered yet. */
  const latest = useRef(list);
  const change = (next: (now: readonly DraftReference[]) => readonly DraftReference[]): void => {
    latest.current = next(latest.current);
    writeDraftReferences(draftKey, latest.current.map(referenceOf));
    setList(latest.current);
  };
  /** Stores the sizes. A new reference that cannot be read is removed, with a sentence; an earlier one stays. */
  const measure = async (added: readonly DraftReference[], isNew: boolean): Promise<void> => {
    const answer = added.length === 0 ? undefined : await store?.measure(added.map(referenceOf));
    if (answer === undefined || answer === null) return;
    setMaxTokens(answer.maxTokens);
    const sizes = new Map(added.map(({ id }, index) => [id, answer.sizes[index]]));
    for (const { id, reference } of isNew ? added : []) {
      const size = sizes.get(id);
      if (size?.ok !== false) continue;
      if (size.error.code === "is_folder" && reference.kind === "file") {
        change((now) => now.filter((one) => one.id !== id));
        return append([{ kind: "folder", path: reference.path }], true);
      }
      setRefusal(composer.references.notAdded(draftReferenceName(reference), errors.sentences[size.error.code]));
      return change((now) => now.filter((one) => one.id !== id));
    }
    // A reference that was shortened meanwhile has another size.
    const measured = new Set(added.map(referenceOf));
    change((now) =>
      now.map((one) => (measured.has(one.reference) ? { ...one, size: sizes.get(one.id) ?? one.size } : one)),
    );
  };
  useEffect(() => void measure(list, false), []);
  const append = (references: readonly NewReference[], isNew: boolean): void => {
    if (store === undefined) return;
    const added = references.map(unmeasured);
    const { list: appended, refused } = appendReferences(latest.current, added);
    setRefusal(refused === null ? null : refusalSentence(refused, messages));
    change(() => appended);
    const accepted = added.filter((one) => appended.includes(one));
    void measure(accepted, isNew);
  };
  return {
    list,
    isAvailable: store !== undefined,
    maxTokens,
    refusal,
    refuse: setRefusal,
    hasRoom: (references) => {
      const { refused } = appendReferences(latest.current, references.map(unmeasured));
      if (refused !== null) setRefusal(refusalSentence(refused, messages));
      return refused === null;
    },
    add: (reference) => append([reference], true),
    restore: (references) => append(references, false),
    remove: (id) => {
      setRefusal(null);
      change((now) => now.filter((one) => one.id !== id));
    },
    shorten: (id) => {
      const long = list.find((one) => one.id === id);
      const reference = long === undefined ? null : shortenedReference(long);
      if (reference === null) return;
      const short = { ...unmeasured(reference), id };
      change((now) => now.map((one) => (one.id === id ? short : one)));
      void measure([short], false);
    },
    take: () => {
      setRefusal(null);
      const taken = latest.current.map(referenceOf);
      change(() => []);
      return taken;
    },
  };
}
