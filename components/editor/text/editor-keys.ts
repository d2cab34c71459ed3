/** Keys that the editor handles while it has the focus, read from the keymaps that a buffer installs. */
import * as commands from "@codemirror/commands";
import { foldAll, foldCode, unfoldAll, unfoldCode } from "@codemirror/language";
import { selectNextOccurrence, selectSelectionMatches } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { type Command, type KeyBinding, keymap } from "@codemirror/view";
import type { FullMessages } from "../../messages/full-messages";
import { createFindState } from "../find/find-host";
import { bufferExtensions } from "./code-buffer";

type EditorCommand = keyof FullMessages["shortcutSettings"]["editorCommands"];

interface NamedKeys {
  /** In the format of `components/actions/keys.ts`. */
  readonly keys: string;
  readonly command: EditorCommand;
}

const commandNames: ReadonlyMap<Command, EditorCommand> = new Map<Command, EditorCommand>([
  [commands.selectLine, "selectLine"],
  [commands.selectParentSyntax, "selectMore"],
  [commands.indentLess, "indentLess"],
  [commands.indentMore, "indentMore"],
  [commands.indentSelection, "indentSelection"],
  [commands.deleteLine, "deleteLine"],
  [commands.cursorMatchingBracket, "matchingBracket"],
  [commands.toggleComment, "comment"],
  [commands.toggleBlockComment, "blockComment"],
  [commands.toggleTabFocusMode, "tabFocus"],
  [commands.undoSelection, "undoSelection"],
  [commands.redoSelection, "redoSelection"],
  [commands.splitLine, "splitLine"],
  [commands.transposeChars, "transpose"],
  [selectNextOccurrence, "nextOccurrence"],
  [selectSelectionMatches, "allOccurrences"],
  [foldCode, "fold"],
  [unfoldCode, "unfold"],
  [foldAll, "foldAll"],
  [unfoldAll, "unfoldAll"],
]);

/** Signs of shifted keys; a shortcut has the sign instead of Shift and the key. */
const shiftedSigns: Readonly<Record<string, string>> = { "[": "{", "]": "}", "\\": "|", "/": "?", "`": "~" };

/** Returns the keys of all commands, on a Mac or elsewhere. */
export function listEditorKeys(isMac: boolean): readonly NamedKeys[] {
  const state = EditorState.create({
    extensions: bufferExtensions(
      {
        path: "",
        label: "",
        phrases: {},
        changeTexts: { committed: "", notCommitted: "", revert: "", close: "" },
        otherTexts: () => [],
      },
      createFindState,
    ),
  });
  return state
    .facet(keymap)
    .flat()
    .filter(({ scope = "editor" }) => scope.split(" ").includes("editor"))
    .flatMap((binding) => keysOfBinding(binding, isMac));
}

function keysOfBinding(binding: KeyBinding, isMac: boolean): readonly NamedKeys[] {
  const name = (isMac ? binding.mac : (binding.linux ?? binding.win)) ?? binding.key;
  if (name === undefined) return [];
  const keys = toShortcut(name, isMac);
  return [
    ...(binding.run === undefined ? [] : [{ keys, command: nameOf(binding, binding.run) }]),
    ...(binding.shift === undefined
      ? []
      : [{ keys: toShortcut(`Shift-${name}`, isMac), command: nameOf(binding, binding.shift) }]),
  ];
}

/** Commands without a name of their own move the cursor, select or delete; those of the find panel depend on it. */
function nameOf({ scope = "" }: KeyBinding, run: Command): EditorCommand {
  const name = commandNames.get(run);
  if (name !== undefined) return name;
  return scope.includes("search-panel") ? "find" : "cursor";
}

/** Converts CodeMirror's notation, "Shift-Mod-k" or "Alt-A", to that of shortcuts. */
export function toShortcut(name: string, isMac: boolean): string {
  const parts = name.split(/-(?!$)/);
  const key = parts.pop() ?? "";
  const isUpper = /^[A-Z]$/.test(key);
  const modifiers = new Set([...parts, ...(isUpper ? ["Shift"] : [])].map((part) => modifierOf(part, isMac)));
  const sign = modifiers.has("shift") ? shiftedSigns[key] : undefined;
  if (sign !== undefined) modifiers.delete("shift");
  const order = ["mod", "ctrl", "alt", "shift"].filter((modifier) => modifiers.has(modifier));
  return [...order, sign ?? key.toLowerCase()].join("+");
}

function modifierOf(part: string, isMac: boolean): string {
  const name = part.toLowerCase();
  if (name === "cmd" || name === "meta") return "mod";
  return name === "ctrl" && !isMac ? "mod" : name;
}
