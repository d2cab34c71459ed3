/** Parts of a text's editor state that can change while it is open: display options, indentation, language. */
import { indentUnit } from "@codemirror/language";
import { Compartment, EditorState, type Extension, type TransactionSpec, RangeSetBuilder } from "@codemirror/state";
import { EditorView, Decoration, type DecorationSet, ViewPlugin } from "@codemirror/view";
import type { FileStyle } from "@/lib/workspace/file-style";
import { settingsDefaults } from "@/lib/settings/settings";
import type { Indentation } from "../../state/workbench/component-handles";
import {
  type CleanupRules,
  detectIndentation,
  type EditorOptions,
  type EditorSettings,
  resolveOptions,
} from "./editor-options";
import { detectLanguage, type Language, loadLanguage } from "./language";
import { stickyScroll } from "./sticky-scroll";

const space = Decoration.mark({ class: "cm-highlightSpace" });
const tab = Decoration.mark({ class: "cm-highlightTab" });

/** Draws spaces and tabs as signs: everywhere, or in the selection. */
const whitespaceMarks = (area: "selection" | "all") =>
  ViewPlugin.define(
    (view) => ({
      marks: findMarks(view, area),
      update(update) {
        if (update.docChanged || update.viewportChanged || (area === "selection" && update.selectionSet))
          this.marks = findMarks(update.view, area);
      },
    }),
    { decorations: ({ marks }) => marks },
  );

function findMarks({ visibleRanges, state }: EditorView, area: "selection" | "all"): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  for (const visible of visibleRanges)
    for (const range of area === "all" ? [visible] : state.selection.ranges) {
      const from = Math.max(visible.from, range.from);
      const text = state.sliceDoc(from, Math.max(from, Math.min(visible.to, range.to)));
      for (const { index, 0: found } of text.matchAll(/[ \t]/g))
        marks.add(from + index, from + index + 1, found === "\t" ? tab : space);
    }
  return marks.finish();
}

const drawRuler = (column: number): string =>
  `linear-gradient(var(--line), var(--line)) calc(6px + ${column} * 1ch) 0 / 1px 100% no-repeat`;

/** Vertical lines after columns of the text. */
const rulerLines = (columns: readonly number[]): Extension =>
  EditorView.contentAttributes.of({ class: "cm-ruler", style: `--rulers: ${columns.map(drawRuler).join(", ")}` });

type ApplyTransaction = (spec: TransactionSpec) => void;

export interface BufferOptions {
  readonly settings: EditorSettings;
  readonly style: FileStyle;
}

interface DisplayControl {
  readonly extension: Extension;
  /** Applies settings and the style of the file; what the user chose for this file stays. */
  readonly configure: (options: BufferOptions) => void;
  readonly setIndentation: (indentation: Indentation) => void;
  readonly cleanup: () => CleanupRules;
}

export function createDisplayControl(path: string, text: string, apply: ApplyTransaction): DisplayControl {
  const display = new Compartment();
  const indentation = new Compartment();
  const detected = detectIndentation(text);
  let options = resolveOptions(settingsDefaults, {}, detected);
  let chosen: Indentation | null = null;
  const indentEffect = () => indentation.reconfigure(indentExtension(chosen ?? options.indentation));
  return {
    extension: [display.of(displayExtension(options, path)), indentation.of(indentExtension(options.indentation))],
    configure: ({ settings, style }) => {
      options = resolveOptions(settings, style, detected);
      apply({ effects: [display.reconfigure(displayExtension(options, path)), indentEffect()] });
    },
    setIndentation: (next) => {
      chosen = next;
      apply({ effects: indentEffect() });
    },
    cleanup: () => options.cleanup,
  };
}

const indentExtension = (indentation: Indentation): Extension =>
  indentUnit.of(indentation === "tab" ? "\t" : " ".repeat(indentation));

const wrappedLanguages = new Set(["markdown"]);

function displayExtension(
  { fontSize, wrapsLines, tabWidth, rulers, hasStickyScroll, whitespace }: EditorOptions,
  path: string,
): Extension {
  return [
    EditorView.editorAttributes.of({ style: `--editor-font-size: ${fontSize}px` }),
    wrapsLines || wrappedLanguages.has(detectLanguage(path) ?? "") ? EditorView.lineWrapping : [],
    EditorState.tabSize.of(tabWidth),
    rulers.length === 0 ? [] : rulerLines(rulers),
    hasStickyScroll ? stickyScroll : [],
    whitespace === "off" ? [] : whitespaceMarks(whitespace),
  ];
}

interface LanguageControl {
  readonly extension: Extension;
  readonly language: () => Language | null;
  readonly setLanguage: (language: Language | null) => void;
  /** Resolves when the text is parsed by the rules of its language. */
  readonly loaded: () => Promise<void>;
}

/** Detects the language by the path and loads it. `apply` is called later, never at once. */
export function createLanguageControl(path: string, apply: ApplyTransaction): LanguageControl {
  const compartment = new Compartment();
  let language = detectLanguage(path);
  const load = async (wanted: Language | null): Promise<void> => {
    const support = await loadLanguage(wanted);
    if (wanted === language) apply({ effects: compartment.reconfigure(support) });
  };
  let loaded = load(language);
  return {
    extension: compartment.of([]),
    language: () => language,
    setLanguage: (next) => {
      language = next;
      loaded = load(next);
    },
    loaded: () => loaded,
  };
}
