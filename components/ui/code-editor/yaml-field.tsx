"use client";
/** Multi-line field for YAML: CodeMirror with colors, line numbers, marked lines and completion of keys. */
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { useEffect, useRef } from "react";
import { completeYamlKeys, type YamlKey } from "./complete-yaml-keys";
import { editorTheme } from "./editor-theme";

interface YamlFieldProps {
  readonly value: string;
  readonly label: string;
  /** Id of the element that describes it. */
  readonly describedBy: string;
  readonly placeholder: string;
  readonly keys: readonly YamlKey[];
  /** 1-based numbers of the lines with problems; the caret goes to the first one when they change, unless it stays. */
  readonly problemLines: readonly number[];
  /** The problems are those of a text that is being written. */
  readonly caretStays?: boolean;
  readonly onChange: (value: string) => void;
  /** Ctrl+S or Cmd+S was pressed. */
  readonly onSave: () => void;
}

export function YamlField(props: YamlFieldProps) {
  const { value, problemLines } = props;
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (parent.current === null) return;
    const created = new EditorView({
      parent: parent.current,
      state: EditorState.create({ doc: latest.current.value, extensions: fieldExtensions(() => latest.current) }),
    });
    view.current = created;
    return () => created.destroy();
  }, []);
  useEffect(() => {
    const { current } = view;
    if (current === null || current.state.doc.toString() === value) return;
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const { current } = view;
    if (current === null) return;
    const lines = problemLines.filter((line) => line >= 1 && line <= current.state.doc.lines);
    const [first] = latest.current.caretStays === true ? [] : lines;
    const selection = first === undefined ? {} : { selection: { anchor: current.state.doc.line(first).to } };
    current.dispatch({ effects: problemLinesEffect.of(lines), ...selection, scrollIntoView: first !== undefined });
    if (first !== undefined && document.activeElement !== document.body) current.focus();
  }, [problemLines]);
  return (
    <div
      ref={parent}
      className="max-h-[60dvh] min-h-40 overflow-auto rounded-card border border-line bg-raised focus-within:border-accent focus-within:outline-1 focus-within:outline-accent"
    />
  );
}

const problemLinesEffect = StateEffect.define<readonly number[]>();
const problemLine = Decoration.line({ class: "cm-problem-line" });

const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, state }) {
    const lines = effects.findLast((effect) => effect.is(problemLinesEffect))?.value;
    if (lines === undefined) return marks.map(changes);
    const starts = [...new Set(lines)].sort((one, other) => one - other).map((line) => state.doc.line(line).from);
    return Decoration.set(starts.map((start) => problemLine.range(start)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

const fieldTheme = EditorView.theme({
  "&": { height: "auto", backgroundColor: "transparent", "--editor-font-size": "13px" },
  ".cm-content, .cm-gutter": { minHeight: "9.5rem" },
  ".cm-gutters": { backgroundColor: "transparent" },
  ".cm-problem-line": { backgroundColor: "var(--danger-soft)" },
});

/** Tab moves the focus on, as in every form. */
function fieldExtensions(latest: () => YamlFieldProps): Extension {
  const { label, describedBy, placeholder: hint } = latest();
  return [
    fieldTheme,
    editorTheme,
    yaml(),
    lineNumbers(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    problemMarks,
    placeholder(hint),
    autocompletion({ override: [(context) => completeYamlKeys(latest().keys, context)], icons: false }),
    EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy }),
    EditorView.updateListener.of(({ docChanged, state }) => docChanged && latest().onChange(state.doc.toString())),
    keymap.of([
      {
        key: "Mod-s",
        run: () => {
          latest().onSave();
          return true;
        },
      },
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
    ]),
  ];
}
