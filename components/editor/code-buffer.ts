/** CodeMirror states of open files: one per file, retained with undo history while another file is shown. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Text, type TransactionSpec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { TextBuffer } from "./open-documents";
import { editorTheme } from "./editor-theme";
import { detectLanguage, loadLanguage } from "./language";
import { findLineChange, detectLineSeparator } from "./reconcile";

interface BufferInput {
  readonly path: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  /** Accessible name of the text. */
  readonly label: string;
  /** Translations of the search panel. */
  readonly phrases: Readonly<Record<string, string>>;
  readonly onTextChanged: () => void;
}

export interface CodeBuffer extends TextBuffer {
  /** Shows this file in the view with its last scroll position. */
  readonly show: (view: EditorView) => void;
  readonly hide: () => void;
  readonly reveal: (line: number, span?: { readonly column?: number; readonly endLine?: number }) => void;
  readonly setReadOnly: (isReadOnly: boolean) => void;
}

const wrappedLanguages = new Set(["markdown"]);

/** Detects the indentation from the first indented lines: tab, four or two spaces; two if there is no indentation. */
export function detectIndent(text: string): string {
  const indents = text.slice(0, 20_000).match(/^(?:\t+|(?: {2,8})(?=\S))/gm) ?? [];
  if (indents.length === 0) return "  ";
  const tabs = indents.filter((indent) => indent.startsWith("\t")).length;
  if (tabs * 2 > indents.length) return "\t";
  const spaces = indents.filter((indent) => !indent.startsWith("\t")).map((indent) => indent.length);
  const isFour = spaces.filter((count) => count % 4 === 0).length * 10 >= spaces.length * 9;
  return " ".repeat(isFour ? 4 : 2);
}

function baseExtensions(input: BufferInput): Extension {
  return [
    lineNumbers(),
    foldGutter({ openText: "⌄", closedText: "›" }),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      indentWithTab,
    ]),
    indentUnit.of(detectIndent(input.text)),
    EditorState.tabSize.of(4),
    EditorState.phrases.of({ ...input.phrases }),
    EditorView.contentAttributes.of({ "aria-label": input.label, tabindex: "0" }),
    wrappedLanguages.has(detectLanguage(input.path) ?? "") ? EditorView.lineWrapping : [],
    editorTheme,
  ];
}

const readOnlyExtension = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  EditorView.editable.of(!isReadOnly),
];

export function createBuffer(input: BufferInput): CodeBuffer {
  const separator = new Compartment();
  const language = new Compartment();
  const access = new Compartment();
  let view: EditorView | null = null;
  let scroll: ReturnType<EditorView["scrollSnapshot"]> | null = null;
  const start = detectLineSeparator(input.text);
  let state = EditorState.create({
    doc: Text.of(input.text.split(start)),
    extensions: [
      separator.of(EditorState.lineSeparator.of(start)),
      access.of(readOnlyExtension(input.isReadOnly)),
      language.of([]),
      baseExtensions(input),
      EditorView.updateListener.of((update) => {
        state = update.state;
        if (update.docChanged) input.onTextChanged();
      }),
    ],
  });
  const known = createTextCache();
  known.add(state.doc, input.text);
  const apply = (spec: TransactionSpec): void => {
    if (view === null) state = state.update(spec).state;
    else view.dispatch(spec);
  };
  void loadLanguage(detectLanguage(input.path)).then((support) => apply({ effects: language.reconfigure(support) }));

  return {
    text: () => known.textOf(state),
    equals: (other) => known.isText(state.doc, other),
    replace: (text) => {
      const next = detectLineSeparator(text);
      const effects = separator.reconfigure(EditorState.lineSeparator.of(next));
      const change = toDocumentChange(state.doc, text.split(next));
      apply(change === null ? { effects } : { effects, changes: change });
      known.add(state.doc, text);
    },
    show: (target) => {
      target.setState(state);
      view = target;
      if (scroll !== null) target.dispatch({ effects: scroll });
    },
    hide: () => {
      scroll = view?.scrollSnapshot() ?? scroll;
      view = null;
    },
    reveal: (line, { column = 1, endLine } = {}) => {
      const lineAt = (wanted: number) => state.doc.line(Math.max(1, Math.min(wanted, state.doc.lines)));
      const first = lineAt(line);
      const at = Math.min(first.from + Math.max(0, column - 1), first.to);
      const end = endLine === undefined ? at : lineAt(endLine).to;
      // The caret is at the first line, which is scrolled into view.
      apply({ selection: { anchor: end, head: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    },
    setReadOnly: (isReadOnly) => {
      if (state.readOnly !== isReadOnly) apply({ effects: access.reconfigure(readOnlyExtension(isReadOnly)) });
    },
  };
}

function toDocumentChange(doc: Text, after: readonly string[]): { from: number; to: number; insert: Text } | null {
  const change = findLineChange([...doc.iterLines()], after);
  if (change === null) return null;
  return { from: doc.line(change.from + 1).from, to: doc.line(change.to).to, insert: Text.of([...change.insert]) };
}

/** Cache of document/text pairs: comparing documents skips shared parts, whereas building a text is always O(n). */
function createTextCache(): {
  readonly add: (doc: Text, text: string) => void;
  readonly textOf: (state: EditorState) => string;
  readonly isText: (doc: Text, text: string) => boolean;
} {
  const pairsMax = 3;
  let pairs: readonly { readonly doc: Text; readonly text: string }[] = [];
  const add = (doc: Text, text: string): void => {
    pairs = [{ doc, text }, ...pairs].slice(0, pairsMax);
  };
  return {
    add,
    textOf: (state) => {
      const pair = pairs.find((one) => one.doc === state.doc);
      if (pair !== undefined) return pair.text;
      const text = state.sliceDoc();
      add(state.doc, text);
      return text;
    },
    isText: (doc, text) => {
      const pair = pairs.find((one) => one.text === text);
      if (pair !== undefined) return pair.doc.eq(doc);
      const fresh = Text.of(text.split(detectLineSeparator(text)));
      add(fresh, text);
      return fresh.eq(doc);
    },
  };
}
