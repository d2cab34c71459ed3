/**
 * The settings, one row each: the key in `config.yaml` and the values that are allowed. Where Gopi, Kore or Golem has the same
 * setting, its key is used, so that their files can be read. Defaults are in settings.ts, since the first screen needs them.
 */
import { isDownloadAddress, isServerAddress } from "../models/server-address";
import type { NoticePlaceName } from "../notices/notice-kinds";
import { sandboxUses } from "../permissions/guard";
import { modes } from "../permissions/policy";
import { quietHoursPattern } from "./quiet-hours";
import { languages, themes, toolCallings } from "./settings";

/**
 * Notation of a value in the file. `seconds` and `minutes` accept "90s", "2m", "1h" or a number in that unit; `share`
 * is a fraction (0.6) for a setting in percent; `plain` is the setting's value unchanged.
 */
export type ConfigUnit = "plain" | "seconds" | "minutes" | "share";

/**
 * `words` have no blanks and no commas, so that several can be added at once; `texts` may have both; `arguments` may also occur
 * several times.
 */
export type ListItems = "words" | "texts" | "arguments";

/** `integer` and `integers` are whole numbers; `temperature` is a number or null. */
type SettingKind =
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "boolean" | "text" | "address" }
  | {
      readonly kind: "list";
      readonly items: ListItems;
      /** Whether a text can be added. */
      readonly isItem: (text: string) => boolean;
    }
  | { readonly kind: "integer" | "integers" | "temperature"; readonly least: number; readonly most: number };

export type SettingPath = readonly [section: string, name: string];

export interface SettingRow<Value> {
  /** Section and key: `tools`, `bash_timeout`. */
  readonly path: SettingPath;
  readonly unit: ConfigUnit;
  readonly allowed: SettingKind;
  /** Whether the setting can have this value. */
  readonly accepts: (value: unknown) => value is Value;
}

const flag = (...path: SettingPath): SettingRow<boolean> => ({
  path,
  unit: "plain",
  allowed: { kind: "boolean" },
  accepts: (value) => typeof value === "boolean",
});

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && value >= least && value <= most;

const integer = (
  path: SettingPath,
  least: number,
  most: number,
  unit: ConfigUnit = "plain",
): SettingRow<number> & { readonly allowed: { readonly kind: "integer" } } => ({
  path,
  unit,
  allowed: { kind: "integer", least, most },
  accepts: (value): value is number => Number.isInteger(value) && isWithin(value, least, most),
});

const choice = <const Value extends string>(path: SettingPath, values: readonly Value[]): SettingRow<Value> => ({
  path,
  unit: "plain",
  allowed: { kind: "choice", values },
  accepts: (value): value is Value => values.some((one) => one === value),
});

const text = (
  path: SettingPath,
  maxChars: number,
  isValid: (text: string) => boolean = () => true,
  kind: "text" | "address" = "text",
): SettingRow<string> => ({
  path,
  unit: "plain",
  allowed: { kind },
  accepts: (value): value is string => typeof value === "string" && value.length <= maxChars && isValid(value),
});

const list = <Item extends string = string>(
  path: SettingPath,
  maxItems: number,
  isItem: (text: string) => boolean,
  items: ListItems = "words",
): SettingRow<Item[]> => ({
  path,
  unit: "plain",
  allowed: { kind: "list", items, isItem },
  accepts: (value): value is Item[] =>
    Array.isArray(value) && value.length <= maxItems && value.every((one) => typeof one === "string" && isItem(one)),
});

const hasLength =
  (maxChars: number) =>
  ({ length }: string): boolean =>
    length > 0 && length <= maxChars;

/** An absolute path; empty = none is chosen. */
const isProgramPath = (path: string): boolean => /^(?:\/[^\0\n]*)?$/.test(path);

/** The places that get a notice. */
const noticePlaces = (name: string): SettingRow<NoticePlaceName[]> =>
  list(["notifications", name], 3, (place) => ["tab", "push", "channel"].includes(place));

const rulerMaxColumn = 400;

export const settingTable = {
  /** Address of the Ollama server; empty = OLLAMA_HOST, or http://127.0.0.1:11434. */
  ollamaHost: text(["ollama", "host"], 300, isServerAddress, "address"),
  /** Model for new sessions; empty = the first installed of preferredModels, else the first installed. */
  model: text(["ollama", "model"], 200),
  /** Connection id for new sessions; empty = Ollama. */
  connection: text(["agent", "connection"], 80),
  /** Connection ids in display order; connections not listed follow, oldest first. */
  connectionOrder: list(["agent", "connection_order"], 200, hasLength(80)),
  /** Maximum requested context window, tokens. 0 = largest that fits the machine. */
  contextMaxTokens: integer(["context", "max_tokens"], 0, 262_144),
  /** Whether the model writes the title of a session that the user has not named. */
  modelTitles: flag("agent", "model_titles"),
  /** Adds the model to the message of a commit for which it is named. */
  sourceAssistedBy: flag("source", "assisted_by"),
  /** A commit accepts the agent's changes that it contains. */
  reviewAcceptCommitted: flag("review", "accept_committed"),
  /** Enables thinking for models that support it. */
  think: flag("agent", "think"),
  /** Thinking tokens after which the request is repeated without thinking. 0 = no limit. */
  thinkMaxTokens: integer(["agent", "think_max_tokens"], 0, 262_144),
  /** Time for which the model stays loaded after an answer, minutes. -1 = indefinitely. */
  keepAliveMinutes: integer(["ollama", "keep_alive"], -1, 1_440, "minutes"),
  /** Path of the built-in engine's llama-server; empty = GOPI_LLAMA_SERVER, or the one found on this machine. */
  engineProgram: text(["engine", "program"], 1_000, isProgramPath),
  /** Address that stands for the folder of llama.cpp's releases; empty = GitHub. */
  engineMirror: text(["engine", "release_mirror"], 300, isDownloadAddress, "address"),
  /** Address of Hugging Face or a mirror of it; empty = HF_ENDPOINT, or Hugging Face. */
  modelHub: text(["engine", "model_hub"], 300, isDownloadAddress, "address"),
  /** Temperature of Ollama models, 0 to 2; null = each model's default. Connections have their own setting. */
  temperature: {
    path: ["ollama", "temperature"],
    unit: "plain",
    allowed: { kind: "temperature", least: 0, most: 2 },
    accepts: (value): value is number | null => value === null || isWithin(value, 0, 2),
  } satisfies SettingRow<number | null>,
  /** Tool calling format of models without a setting of their own. */
  toolCalling: choice(["ollama", "tool_calling"], toolCallings),
  /** Mode of new sessions; Full access can only be selected per session. */
  mode: choice(["agent", "mode"], [modes[0], modes[1], modes[2]]),
  /** Maximum length of one answer with its thinking, for models without a setting of their own. */
  maxOutputTokens: integer(["agent", "max_output"], 256, 16_384),
  /** Model turns of one run before it pauses with Continue. */
  maxSteps: integer(["agent", "max_steps"], 1, 500),
  /** Minutes of one run, excluding waits for the user, before it pauses with Continue. 0 = no limit. */
  maxRunMinutes: integer(["agent", "max_run_time"], 0, 1_440, "minutes"),
  /** Retries after a model server failure, with increasing delays. 0 = none. */
  retries: integer(["agent", "max_retries"], 0, 10),
  /** Seconds without data, after the first byte of an answer, until it fails as stalled. 0 = no limit. */
  stallSeconds: integer(["ollama", "timeout"], 0, 3_600, "seconds"),
  /** Share of the context window, in percent, at which a conversation is compacted. */
  compactionPercent: integer(["context", "compaction_threshold"], 30, 85, "share"),
  /** Newest messages a compaction keeps in full, with their tool results, if the window allows. */
  keptMessages: integer(["context", "keep_recent"], 1, 40),
  /** Sends README and the project's configuration with the first message, as far as the snapshot has room. */
  autoFill: flag("context", "auto_fill"),
  /** Sends the files that the agent has read whole again after older messages were summarized, as they are now. */
  keepReadFiles: flag("context", "keep_read_files"),
  /** Share of the context window for the pinned files of a session, in percent. */
  pinnedPercent: integer(["context", "pinned_files"], 5, 40, "share"),
  /** Gives the files of the memory to new sessions, and the tools that read and change it. */
  memory: flag("memory", "enabled"),
  /** Adds a line to the diary for each run that ends. */
  diary: flag("memory", "diary"),
  /** Default timeout of a bash command, seconds. */
  bashTimeoutSeconds: integer(["tools", "bash_timeout"], 1, 600, "seconds"),
  /** Bytes of a command's output sent to the model, head and tail. */
  bashOutputBytes: integer(["tools", "bash_max_output"], 1_024, 65_536),
  /** Maximum lines returned by one read. */
  readLines: integer(["tools", "read_max_lines"], 20, 5_000),
  /** Maximum matching lines returned by one grep. */
  grepMatches: integer(["tools", "grep_max_matches"], 5, 1_000),
  /** Maximum paths returned by one find. */
  findEntries: integer(["tools", "find_max_entries"], 10, 1_000),
  /** Names of tools that new sessions do not get; those behind the toolbox cannot be called in running ones either. */
  disabledTools: list(["tools", "disabled"], 200, hasLength(100)),
  /** Folder levels of the project tree in a session's first message. */
  treeDepth: integer(["context", "max_tree_depth"], 1, 5),
  /** Entries of one folder in that tree. */
  treeFolderEntries: integer(["context", "max_files_per_dir"], 5, 500),
  /** Command names that are refused anywhere in a shell command. */
  blockedWords: list(["security", "blocked_cmds"], 200, hasLength(60)),
  /** Additional names (one path component each) the model may neither read nor write. */
  protectedNames: {
    ...list(["security", "blocked_paths"], 200, hasLength(120)),
    // A path never matches, so that none can be added. One in the file is accepted: the names beside it stay protected.
    allowed: { kind: "list", items: "texts", isItem: (name) => /^[^/]{1,120}$/.test(name) },
  } satisfies SettingRow<string[]>,
  /**
   * Folders (one path component each, `*` and `?` allowed) excluded from search, lists and the tree, unless a
   * .gitignore re-includes them.
   */
  ignoredFolders: list(
    ["tools", "ignored_folders"],
    200,
    (name) => /^(?![!#.]*$)[^!#/\\[\]{}\s][^/\\[\]{}\s]{0,119}$/.test(name),
    "texts",
  ),
  /** Additional environment variables passed to tool shells. */
  shellEnvironment: list(["security", "shell_environment"], 100, (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)),
  theme: choice(["appearance", "theme"], themes),
  /** Text of the whole page; the editor and the terminal have sizes of their own. */
  textSize: choice(["appearance", "text_size"], ["small", "medium", "large", "larger"]),
  /** Space around text and controls; phones keep theirs. */
  density: choice(["appearance", "density"], ["comfortable", "compact"]),
  /** Name of a font of the user's machine for code, diffs and terminals; empty = Geist Mono. */
  codeFont: text(["appearance", "code_font"], 100, (name) => /^[\p{L}\p{N} ._-]*$/u.test(name)),
  language: choice(["appearance", "language"], languages),
  /** enter = Enter sends and Shift+Enter inserts a line break; mod-enter = Ctrl/Cmd+Enter sends. */
  sendKey: choice(["keyboard", "send_key"], ["enter", "mod-enter"]),
  /** Text of the editor, px. */
  editorFontSize: integer(["editor", "font_size"], 10, 32),
  /** Wraps long lines in the editor; Markdown is always wrapped. */
  editorWrapLines: flag("editor", "wrap_lines"),
  /** Columns of an indentation and of a tab character in files that have no indentation of their own. */
  editorTabSize: integer(["editor", "tab_size"], 1, 8),
  /** Columns after which the editor shows a vertical line. */
  editorRulers: {
    path: ["editor", "rulers"],
    unit: "plain",
    allowed: { kind: "integers", least: 1, most: rulerMaxColumn },
    accepts: (value): value is number[] =>
      Array.isArray(value) &&
      value.length <= 10 &&
      value.every((column) => Number.isInteger(column) && isWithin(column, 1, rulerMaxColumn)),
  } satisfies SettingRow<number[]>,
  /** Shows the first lines of the declarations around the top of the editor's view above the text. */
  editorStickyScroll: flag("editor", "sticky_scroll"),
  /** File tree and tabs show an icon for the kind of each file. */
  editorFileIcons: flag("editor", "file_icons"),
  /** Keys of the editor: its own, or those of Vim or Emacs. */
  editorKeymap: choice(["editor", "keymap"], ["default", "vim", "emacs"]),
  /** White space that the editor draws as signs. */
  editorWhitespace: choice(["editor", "whitespace"], ["off", "selection", "all"]),
  /** Moment at which the editor saves by itself: shortly after the last key, or when it loses the focus. */
  editorAutosave: choice(["editor", "autosave"], ["off", "delay", "focus"]),
  /** Removes white space at the end of lines when the editor saves. */
  editorTrimWhitespace: flag("editor", "trim_trailing_whitespace"),
  /** Adds a missing line break at the end of the file when the editor saves. */
  editorFinalNewline: flag("editor", "insert_final_newline"),
  /** Formats a file with the formatter of its project when the user saves it. */
  editorFormatOnSave: flag("editor", "format_on_save"),
  /** Absolute path of the program of new terminals; empty = the shell of the user's account. */
  terminalShell: text(["terminal", "shell"], 1_000, isProgramPath),
  /** Arguments of that program; none = those usual on this system. */
  terminalShellArguments: list(["terminal", "shell_arguments"], 50, hasLength(200), "arguments"),
  /** Text of the terminal, px. */
  terminalFontSize: integer(["terminal", "font_size"], 8, 32),
  /** Lines above the screen that a terminal keeps. */
  terminalScrollbackLines: integer(["terminal", "scrollback"], 0, 100_000),
  terminalCursor: choice(["terminal", "cursor"], ["block", "bar", "underline"]),
  terminalCursorBlink: flag("terminal", "cursor_blink"),
  /** Describes the output to screen readers, which costs speed. */
  terminalScreenReader: flag("terminal", "screen_reader"),
  /**
   * Use of the operating system's sandbox (project writable, everything else read-only) for shell commands: in Full access if it
   * works; always, so that a command asks if it does not work.
   */
  sandbox: choice(["security", "sandbox"], sandboxUses),
  /** Sandboxed commands may use the network. */
  sandboxNetwork: flag("security", "sandbox_network"),
  /** Folders that sandboxed commands may write besides the project: absolute, or in the user's home (`~/.npm`). */
  sandboxWritable: list(
    ["security", "sandbox_writable"],
    100,
    (folder) => /^(?:~\/|\/)[^\0\n]{1,300}$/.test(folder),
    "texts",
  ),
  /** Preset of keyboard shortcuts. */
  keymap: choice(["keyboard", "preset"], ["default", "vscode"]),
  /** Changed shortcuts: an action and its keys, "files alt+f"; "files none" = no shortcut. */
  shortcuts: list(["keyboard", "shortcuts"], 200, (entry) => /^[A-Za-z]{1,40} \S{1,40}$/.test(entry)),
  /** Places that get a notice when a session waits for an approval. */
  noticeWaiting: noticePlaces("waiting"),
  /** The same when a run has finished. */
  noticeDone: noticePlaces("done"),
  /** The same when a run has failed, was interrupted or has reached a limit. */
  noticeFailed: noticePlaces("failed"),
  /** The same when failures have paused an automation. */
  noticePaused: noticePlaces("paused"),
  /** The same when the agent sends a message. */
  noticeMessage: noticePlaces("message"),
  /** Play a sound with a notification. */
  noticeSound: flag("notifications", "sound"),
  /** Time span without notifications and sounds, "22:00-07:00"; empty = none. */
  quietHours: text(["notifications", "quiet_hours"], 11, (hours) => hours === "" || quietHoursPattern.test(hours)),
};

/** Keys of Gopi and of earlier versions, which stay valid: they are read, and written where the file has them. */
export const formerPaths: Readonly<Partial<Record<keyof typeof settingTable, SettingPath>>> = {
  theme: ["tui", "theme"],
  language: ["tui", "language"],
  sendKey: ["tui", "send_key"],
  keymap: ["tui", "keymap"],
  shortcuts: ["tui", "shortcuts"],
};
