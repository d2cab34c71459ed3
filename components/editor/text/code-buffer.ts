/** The text of an open file in CodeMirror, retained with its undo history while another file is shown. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap, indentWithTab, redoDepth } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Prec, Text, type TransactionSpec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import { ignoreCapsLock } from "../../actions/keys";
import type { EditorStatus, Indentation } from "../../state/workbench/component-handles";
import type { TextBuffer } from "../documents/open-documents";
import { editorTheme } from "../../ui/code-editor/editor-theme";
import { type BufferOptions, createDisplayControl, createLanguageControl } from "./buffer-format";
import { createKeymapControl, type FileCommands } from "./editor-keymap";
import { createGroupStates, notUndone } from "./group-states";
import { detectLanguage, type Language } from "./language";
import { detectLineSeparator } from "../documents/reconcile";
import { type FindState, findExtension } from "../find/find-host";
import { changeGutter, type ChangeGutterTexts, committedLinesEffect } from "../git-marks/change-gutter";
import { conflictLens } from "../git-marks/conflict-lens";
import { wordCompletion } from "./word-completion";
import { toReplacementChanges } from "./replacement-changes";
import { findEnclosing } from "./symbols";
import { findCarriageReturns, findCleanups } from "./save-cleanup";

interface BufferInput {
  readonly path: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  /** Accessible name of the text. */
  readonly label: string;
  /** Translations of CodeMirror's texts. */
  readonly phrases: Readonly<Record<string, string>>;
  readonly changeTexts: ChangeGutterTexts;
  /** Returns the find state of a group of the editor. */
  readonly find: (group: number) => FindState;
  /** Returns the texts of the other open files, whose words are offered. */
  readonly otherTexts: () => readonly Text[];
  readonly commands: FileCommands;
  readonly onTextChanged: () => void;
  /** Called when text, selection, indentation or language changed while the file is shown, in the active group. */
  readonly onStatusChanged: () => void;
}

interface RevealSpan {
  readonly column?: number;
  readonly endLine?: number;
  /** End of a selection in the first line; not included. */
  readonly endColumn?: number;
}

export interface CodeBuffer extends TextBuffer {
  /** The lines, for reading. */
  readonly document: () => Text;
  /** Whether an input method is composing text. */
  readonly isComposing: () => boolean;
  /** Resolves when the text is parsed by the rules of its language. */
  readonly languageLoaded: () => Promise<void>;
  /** Shows this file in the view of a group with its last scroll position. Two groups may show it. */
  readonly show: (group: number, view: EditorView) => void;
  readonly hide: (group: number) => void;
  /** Makes a group the one to whose caret `status`, `reveal` and undo apply; at first the one that showed it first. */
  readonly activate: (group: number) => void;
  /** Discards caret and scroll position of groups that were closed. */
  readonly keepGroups: (groups: readonly number[]) => void;
  readonly reveal: (line: number, span?: RevealSpan) => void;
  readonly setReadOnly: (isReadOnly: boolean) => void;
  /** Sets the text in the last commit, from which the marks follow; null = no marks. */
  readonly setCommitted: (text: string | null) => void;
  /** Applies settings and the style of the file; what the user chose for this file stays. */
  readonly configure: (options: BufferOptions) => void;
  readonly status: () => Omit<EditorStatus, "encoding">;
  readonly setIndentation: (indentation: Indentation) => void;
  readonly setLineEnding: (lineEnding: EditorStatus["lineEnding"]) => void;
  readonly setLanguage: (language: Language | null) => void;
}

/** Prose is typed without a list of words that takes Enter. */
function isCode(path: string): boolean {
  const language = detectLanguage(path);
  return language !== null && language !== "markdown";
}

type ExtensionInput = Omit<
  BufferInput,
  "text" | "isReadOnly" | "find" | "commands" | "onTextChanged" | "onStatusChanged"
>;

/** Returns what every buffer has, whatever its language and display. */
export function bufferExtensions(input: ExtensionInput, findOf: (view: EditorView) => FindState): Extension {
  return [
    lineNumbers(),
    changeGutter(input.changeTexts),
    conflictLens,
    foldGutter({ openText: "⌄", closedText: "›" }),
    highlightSpecialChars(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    findExtension(findOf),
    wordCompletion(input.otherTexts, isCode(input.path)),
    EditorState.allowMultipleSelections.of(true),
    rectangularSelection(),
    Prec.highest(EditorView.domEventHandlers({ keydown: ignoreCapsLock })),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
    EditorState.phrases.of({ ...input.phrases }),
    EditorView.contentAttributes.of({ "aria-label": input.label, tabindex: "0" }),
    editorTheme,
  ];
}

const readOnlyExtension = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  EditorView.editable.of(!isReadOnly),
];

export function createBuffer(input: BufferInput): CodeBuffer {
  const separator = new Compartment();
  const access = new Compartment();
  const display = createDisplayControl(input.path, input.text, (spec) => states.applyToAll(spec));
  const keys = createKeymapControl(input.commands, (spec) => states.applyToAll(spec));
  const language = createLanguageControl(input.path, (spec) => states.applyToAll(spec));
  const start = detectLineSeparator(input.text);
  const doc = Text.of(input.text.split(start));
  const states = createGroupStates(
    doc,
    (groupOf) => [
      separator.of(EditorState.lineSeparator.of(start)),
      access.of(readOnlyExtension(input.isReadOnly)),
      keys.extension,
      language.extension,
      display.extension,
      bufferExtensions(input, (view) => input.find(groupOf(view))),
    ],
    { onTextChanged: input.onTextChanged, onActiveUpdated: input.onStatusChanged },
  );
  const { active, apply, applyToAll } = states;
  const textCache = createTextCache();
  textCache.add(doc, input.text);
  const setSeparator = (next: string): void =>
    applyToAll({ effects: separator.reconfigure(EditorState.lineSeparator.of(next)) });
  const setLineEnding = (next: EditorStatus["lineEnding"]): void => {
    const changes = findCarriageReturns(active().doc);
    if (active().lineBreak === next && changes.length === 0) return;
    setSeparator(next);
    apply({ changes, annotations: notUndone });
    input.onTextChanged();
  };

  return {
    document: () => active().doc,
    isComposing: states.isComposing,
    languageLoaded: language.loaded,
    status: () => readStatus(input.path, active(), language.language()),
    setIndentation: display.setIndentation,
    configure: (options) => {
      display.configure(options);
      keys.setKeymap(options.settings.editorKeymap);
    },
    setLineEnding,
    setLanguage: language.setLanguage,
    clean: (cause) => {
      // A change of the text would end the composition of an input method, or discard what can be redone.
      if (cause === "automatic" && (states.isComposing() || redoDepth(active()) > 0)) return;
      const rules = display.cleanup();
      if (rules.lineEnding !== undefined) setLineEnding(rules.lineEnding);
      const changes = findCleanups(active(), rules, cause);
      if (changes.length > 0) apply({ changes });
    },
    text: () => textCache.textOf(active()),
    equals: (other) => textCache.isText(active(), other),
    replace: (text) => {
      const next = detectLineSeparator(text);
      setSeparator(next);
      apply({ changes: toReplacementChanges(active().doc, text.split(next)) });
      textCache.add(active().doc, text);
    },
    dropHistory: states.dropHistory,
    show: states.show,
    hide: states.hide,
    activate: states.activate,
    keepGroups: states.keep,
    setCommitted: (text) =>
      applyToAll({ effects: committedLinesEffect(text === null ? null : text.split(detectLineSeparator(text))) }),
    reveal: (line, span) => apply(revealSpec(active().doc, line, span)),
    setReadOnly: (isReadOnly) => {
      if (active().readOnly !== isReadOnly) applyToAll({ effects: access.reconfigure(readOnlyExtension(isReadOnly)) });
    },
  };
}

/** Selects a line or a range. The caret is at the first line, which is scrolled into view. */
function revealSpec(
  doc: Text,
  line: number,
  { column = 1, endLine, endColumn = column }: RevealSpan = {},
): TransactionSpec {
  const lineAt = (wanted: number) => doc.line(Math.max(1, Math.min(wanted, doc.lines)));
  const first = lineAt(line);
  const inFirst = (wanted: number): number => Math.min(first.from + Math.max(0, wanted - 1), first.to);
  const at = inFirst(column);
  const end = endLine === undefined ? inFirst(endColumn) : lineAt(endLine).to;
  return { selection: { anchor: end, head: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) };
}

/** Cache of document/text pairs: comparing documents skips shared parts, whereas building a text is always O(n). */
function createTextCache(): {
  readonly add: (doc: Text, text: string) => void;
  readonly textOf: (state: EditorState) => string;
  readonly isText: (state: EditorState, text: string) => boolean;
} {
  interface TextPair {
    readonly doc: Text;
    readonly text: string;
    readonly lineBreak: string;
  }
  const pairsMax = 3;
  let pairs: readonly TextPair[] = [];
  const add = (doc: Text, text: string): TextPair => {
    const pair = { doc, text, lineBreak: detectLineSeparator(text) };
    pairs = [pair, ...pairs].slice(0, pairsMax);
    return pair;
  };
  /** A text of one line has no line ending. */
  const hasLineBreak = ({ lineBreak, doc }: TextPair, state: EditorState): boolean =>
    lineBreak === state.lineBreak || doc.lines === 1;
  return {
    add,
    textOf: (state) =>
      (pairs.find((pair) => pair.doc === state.doc && hasLineBreak(pair, state)) ?? add(state.doc, state.sliceDoc()))
        .text,
    isText: (state, text) => {
      const pair =
        pairs.find((stored) => stored.text === text) ?? add(Text.of(text.split(detectLineSeparator(text))), text);
      return hasLineBreak(pair, state) && pair.doc.eq(state.doc);
    },
  };
}

function readStatus(path: string, state: EditorState, language: Language | null): Omit<EditorStatus, "encoding"> {
  const { main, ranges } = state.selection;
  const line = state.doc.lineAt(main.head);
  const unit = state.facet(indentUnit);
  return {
    path,
    line: line.number,
    column: [...state.sliceDoc(line.from, main.head)].length + 1,
    selected: ranges.reduce((sum, range) => sum + (range.to - range.from), 0),
    carets: ranges.length,
    indentation: unit === "\t" ? "tab" : unit.length,
    lineEnding: state.lineBreak === "\r\n" ? "\r\n" : "\n",
    enclosing: findEnclosing(state, main.head).map(({ name }) => name),
    language,
    isReadOnly: state.readOnly,
  };
}
