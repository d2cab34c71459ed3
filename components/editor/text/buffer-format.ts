/** Parts of a text's editor state that can change while it is open: display options, indentation, language. */
import { indentUnit } from "@codemirror/language";
import { Compartment, EditorState, type Extension, type TransactionSpec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
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
import { rulerLines } from "./ruler-lines";
import { stickyScroll } from "./sticky-scroll";
import { whitespaceMarks } from "./whitespace-marks";

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
