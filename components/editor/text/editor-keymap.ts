/** Keys of Vim and of Emacs in the editor, loaded with their first use. */
import { Compartment, type Extension, Facet, type TransactionSpec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { loadOnce } from "@/lib/async/load-once";
import type { Settings } from "@/lib/settings/settings";

type EditorKeymap = Settings["editorKeymap"];

/** Commands of Vim and Emacs that the text alone cannot perform. */
export interface FileCommands {
  readonly save: () => void;
  readonly close: () => void;
  readonly saveAndClose: () => void;
}

/** The commands are registered once for all views. */
const fileCommands = Facet.define<FileCommands>();
const perform = (name: keyof FileCommands) => (view: EditorView) => view.state.facet(fileCommands)[0]?.[name]();

/** The libraries draw the cursor in a colour of their own. */
const cursorTheme = EditorView.theme({
  "&.cm-focused .cm-fat-cursor": { background: "var(--accent) !important", color: "var(--canvas) !important" },
  "&:not(.cm-focused) .cm-fat-cursor": { outline: "1px solid var(--accent) !important" },
  ".cm-vim-panel": { fontFamily: "var(--font-mono)", padding: "2px 12px" },
});

const loaders: Readonly<Record<EditorKeymap, () => Promise<Extension>>> = {
  default: async () => [],
  vim: loadOnce(async () => {
    const { vim, Vim } = await import("@replit/codemirror-vim");
    const define = (name: string, prefix: string, command: keyof FileCommands): void =>
      Vim.defineEx(name, prefix, ({ cm6 }) => perform(command)(cm6));
    define("write", "w", "save");
    define("quit", "q", "close");
    define("wq", "wq", "saveAndClose");
    define("xit", "x", "saveAndClose");
    return [vim({ status: true }), cursorTheme];
  }),
  emacs: loadOnce(async () => {
    const { emacs, EmacsHandler } = await import("@replit/codemirror-emacs");
    EmacsHandler.bindKey("C-x C-s", perform("save"));
    EmacsHandler.bindKey("C-x k", perform("close"));
    return [emacs(), cursorTheme];
  }),
};

interface KeymapControl {
  /** Comes before all other keys. */
  readonly extension: Extension;
  readonly setKeymap: (keymap: EditorKeymap) => void;
}

/** `apply` is called later, never at once. Keys that cannot be loaded leave those of the editor. */
export function createKeymapControl(
  commands: FileCommands,
  apply: (spec: Pick<TransactionSpec, "effects">) => void,
): KeymapControl {
  const compartment = new Compartment();
  let keymap: EditorKeymap = "default";
  return {
    extension: [fileCommands.of(commands), compartment.of([])],
    setKeymap: (next) => {
      if (next === keymap) return;
      keymap = next;
      loaders[next]().then(
        (extension) => {
          if (next === keymap) apply({ effects: compartment.reconfigure(extension) });
        },
        () => undefined,
      );
    },
  };
}
