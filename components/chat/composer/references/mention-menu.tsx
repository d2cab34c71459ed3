"use client";
/** Menu of files, folders, changes, sessions and other texts above the message field, each with its size. The field keeps the focus and the keys. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { ImageRef } from "@/lib/events/content";
import type { NewReference, ReferenceSize } from "@/lib/protocol/reference-commands";
import type { FoundFiles } from "@/lib/workspace/project-files";
import { type FullMessages, useFullMessages } from "../../../messages/full-messages";
import { Icon } from "../../../ui/indicators/icon";
import { MarkedText } from "../../../ui/text/marked-text";
import { classes } from "../../../ui/theme/classes";
import type { Mention } from "./mention";
import { mentionChoices } from "./mention-choices";
import {
  fileRows,
  type MentionRowContent,
  namesOther,
  sessionRows,
  symbolRows,
  withTopicRows,
  sessionMention,
} from "./mention-rows";
import { useReadableRows, useReadText } from "./use-readable-texts";
import { referenceIcons } from "./reference-icons";
import type { FoundSymbol, ReferenceStore } from "./use-references";

interface MentionMenuProps {
  readonly id: string;
  readonly store: ReferenceStore;
  readonly mention: Mention;
  readonly index: number;
  readonly isSubmitted: boolean;
  readonly onCount: (count: number) => void;
  /** null = Enter was pressed, and nothing matches. */
  readonly onPick: (reference: NewReference | null) => void;
  /** Gets the images of a chosen resource. */
  readonly onImages: (name: string, images: readonly ImageRef[]) => void;
  /** Replaces the text of the mention by one with further choices. */
  readonly onRetype: (typed: string) => void;
}

/** Delay until an answer from an unfinished list is asked for again, ms. */
const unfinishedMs = 200;
/** Pause of typing after which the choices are measured, ms. */
const measureAfterMs = 120;

export function MentionMenu(props: MentionMenuProps) {
  const { id, store, mention, index, isSubmitted, onCount, onPick, onRetype } = props;
  const messages = useFullMessages();
  const list = useRef<HTMLDivElement>(null);
  const { rows, isComplete } = useMentionRows(store, mention);
  const { reading, read } = useReadText(store, props);
  const { sizes, maxTokens } = useSizes(store, rows, index);
  const pick = (row: MentionRowContent | undefined): void => {
    if (row === undefined) return onPick(null);
    const { adds } = row;
    if ("typed" in adds) return onRetype(adds.typed);
    if ("reads" in adds) return read(adds.reads, adds.label);
    const size = sizes.get(row.key);
    const fitting = size?.ok === true ? size.fitting : undefined;
    onPick(fitting && adds.kind !== "folder" && adds.kind !== "text" ? { ...adds, lines: fitting } : adds);
  };
  useEffect(() => {
    if (isComplete || rows.length > 0) onCount(rows.length);
  }, [isComplete, rows.length]);
  useEffect(() => {
    if (isSubmitted && isComplete) pick(rows[index]);
  }, [isSubmitted, isComplete, rows, index]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index]);
  const isMissing = rows.length === 0 && isComplete && namesOther(mention.typed);
  if (rows.length === 0 && !isMissing) return null;
  if (reading !== null || isMissing)
    return (
      <p
        role="status"
        className="absolute inset-x-0 bottom-full z-20 mb-1 cut rounded-card border border-line bg-raised px-3 py-2 text-ink-muted shadow-float"
      >
        {reading === null ? messages.references.nothingFound : messages.promptOffers.fetching(reading)}
      </p>
    );
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={messages.references.menu}
      className="absolute inset-x-0 bottom-full z-20 mb-1 max-h-[min(18rem,45dvh)] animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float"
    >
      {rows.map((row, at) => (
        <button
          key={row.key}
          id={`${id}-${at}`}
          type="button"
          role="option"
          aria-selected={at === index}
          tabIndex={-1}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(row)}
          className="flex min-h-8 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-hover aria-selected:bg-hover text-base max-tablet:min-h-11"
        >
          <MentionRow row={row} size={sizes.get(row.key)} maxTokens={maxTokens} messages={messages} />
        </button>
      ))}
    </div>
  );
}

interface MentionRowProps {
  readonly row: MentionRowContent;
  readonly size: ReferenceSize | undefined;
  readonly maxTokens: number;
  readonly messages: FullMessages;
}

function MentionRow({ row, size, maxTokens, messages }: MentionRowProps) {
  const { hidden } = messages.common;
  return (
    <>
      <Icon of={referenceIcons[row.kind]} size={14} className="shrink-0 text-ink-muted" />
      <span
        className={classes("cut", row.kind === "file" || row.kind === "folder" ? "max-w-full shrink-0" : "min-w-0")}
      >
        <MarkedText text={row.name} positions={row.nameMarks} names={hidden} />
      </span>
      <span className="min-w-0 flex-1 cut text-small text-ink-muted">
        <MarkedText text={row.detail} positions={row.detailMarks} names={hidden} />
      </span>
      <span className="shrink-0 text-small text-ink-muted tabular-nums">{sizeText(size, maxTokens, messages)}</span>
    </>
  );
}

/** The size of a choice, and what choosing it adds if the whole is too large. */
function sizeText(size: ReferenceSize | undefined, maxTokens: number, messages: FullMessages): string {
  const { references, figures, errors } = messages;
  if (size === undefined) return "";
  if (!size.ok) return errors.sentences[size.error.code];
  const tokens = references.tokens(figures.tokens(size.tokens));
  if (size.fitting === undefined) return tokens;
  return size.fitting === null
    ? references.tooLarge(tokens, figures.tokens(maxTokens))
    : references.addsLines(tokens, size.fitting.first, size.fitting.last);
}

interface FoundRows {
  readonly rows: readonly MentionRowContent[];
  /** Whether these are all rows for the text. */
  readonly isComplete: boolean;
}

function useMentionRows(store: ReferenceStore, { typed, lines, symbol }: Mention): FoundRows {
  const { references, figures } = useFullMessages();
  const isSession = typed.startsWith(sessionMention);
  const texts = useReadableRows(typed);
  const files = useFoundFiles(store, isSession || texts.own !== null ? null : typed);
  const sessions = useFoundSessions(store, isSession ? typed.slice(sessionMention.length) : null);
  const choices = useMemo(() => mentionChoices(files.found, typed), [files.found, typed]);
  const path = choices.find(({ kind }) => kind === "file")?.path ?? null;
  const symbols = useFoundSymbols(store, symbol === undefined || !files.isComplete ? null : path);
  return useMemo(() => {
    if (symbol !== undefined) {
      const isComplete = files.isComplete && (path === null || symbols?.path === path);
      return { rows: symbols === null ? [] : symbolRows(symbols.path, symbols.found, symbol), isComplete };
    }
    if (isSession) {
      const now = Date.now();
      return { rows: sessionRows(sessions.found, (at) => figures.age(at, now)), isComplete: sessions.isComplete };
    }
    if (texts.own !== null) return { rows: texts.own, isComplete: texts.isComplete };
    const rows = [...withTopicRows(fileRows(choices, lines), typed, references), ...texts.resources];
    return { rows, isComplete: files.isComplete };
  }, [
    isSession,
    choices,
    texts,
    files.isComplete,
    sessions,
    path,
    symbols,
    symbol,
    typed,
    lines?.first,
    lines?.last,
    references,
    figures,
  ]);
}

interface FoundSymbols {
  readonly path: string;
  readonly found: readonly FoundSymbol[];
}

/** Finds the symbols of a file; null = none are wanted, or they are not found yet. */
function useFoundSymbols(store: ReferenceStore, path: string | null): FoundSymbols | null {
  const [answer, setAnswer] = useState<FoundSymbols | null>(null);
  useEffect(() => {
    if (path === null) return;
    const closed = new AbortController();
    const show = (found: readonly FoundSymbol[]): void => {
      if (!closed.signal.aborted) setAnswer({ path, found });
    };
    void store.findSymbols(path, closed.signal).then(show, () => show([]));
    return () => closed.abort();
  }, [store, path]);
  return answer?.path === path ? answer : null;
}

type FoundSessions = Awaited<ReturnType<ReferenceStore["findSessions"]>>;

/** Finds sessions by letters of their title; null = none are wanted. */
function useFoundSessions(
  store: ReferenceStore,
  letters: string | null,
): { readonly found: FoundSessions; readonly isComplete: boolean } {
  const [answer, setAnswer] = useState<{ readonly letters: string | null; readonly found: FoundSessions } | null>(null);
  useEffect(() => {
    if (letters === null) return;
    let isOver = false;
    void store.findSessions(letters).then((found) => {
      if (!isOver) setAnswer({ letters, found });
    });
    return () => {
      isOver = true;
    };
  }, [store, letters]);
  return useMemo(
    () => ({ found: answer?.found ?? [], isComplete: answer !== null && answer.letters === letters }),
    [answer, letters],
  );
}

/** Finds files by the text; null = none are wanted. The files of the text before are returned until its answer arrives. */
function useFoundFiles(
  store: ReferenceStore,
  typed: string | null,
): { readonly found: readonly string[]; readonly isComplete: boolean } {
  const [answer, setAnswer] = useState<{ readonly typed: string; readonly files: FoundFiles } | null>(null);
  const isListed = useRef(false);
  useEffect(() => {
    if (typed === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const find = async (): Promise<void> => {
      const refresh = !isListed.current;
      isListed.current = true;
      const files = (await store.find(typed, refresh)) ?? { paths: [], files: 0, isComplete: true };
      if (isOver) return;
      setAnswer({ typed, files });
      if (!files.isComplete) timer = setTimeout(() => void find(), unfinishedMs);
    };
    void find();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [store, typed]);
  return {
    found: answer?.files.paths ?? noPaths,
    isComplete: answer !== null && answer.typed === typed && answer.files.isComplete,
  };
}

const noPaths: readonly string[] = [];

interface Sizes {
  /** By the key of the row. */
  readonly sizes: ReadonlyMap<string, ReferenceSize>;
  readonly maxTokens: number;
}

/** The changes take a run of git, so they are measured when their row is selected. */
function useSizes(store: ReferenceStore, rows: readonly MentionRowContent[], selected: number): Sizes {
  const [measured, setMeasured] = useState<Sizes>({ sizes: new Map(), maxTokens: 0 });
  useEffect(() => {
    const missing = rows.flatMap(({ key, adds }, at) =>
      "typed" in adds || "reads" in adds || measured.sizes.has(key) || (adds.kind === "changes" && at !== selected)
        ? []
        : [{ key, reference: adds }],
    );
    if (missing.length === 0) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const answer = await store.measure(missing.map(({ reference }) => reference));
      if (isOver || answer === null) return;
      const added = missing.flatMap(({ key }, at) => {
        const size = answer.sizes[at];
        return size === undefined ? [] : [[key, size] as const];
      });
      setMeasured(({ sizes }) => ({ sizes: new Map([...sizes, ...added]), maxTokens: answer.maxTokens }));
    }, measureAfterMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [store, rows, measured, selected]);
  return measured;
}
