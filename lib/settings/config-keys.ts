/**
 * The keys of `config.yaml` in the home folder, one per setting. Where Gopi, Kore or Golem has the same setting, its
 * key is used, so that their files can be read.
 */
import { type Settings, settingsDefaults } from "./settings";

export type SettingName = keyof Settings;

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingsDefaults, name);
export const settingNames = Object.keys(settingsDefaults).filter(isSettingName);

/**
 * Notation of a value in the file. `seconds` and `minutes` accept "90s", "2m", "1h" or a number in that unit; `share`
 * is a fraction (0.6) for a setting in percent; `plain` is the setting's value unchanged.
 */
export type ConfigUnit = "plain" | "seconds" | "minutes" | "share";

export interface ConfigKey {
  /** Section and key: `tools`, `bash_timeout`. */
  readonly path: readonly [section: string, name: string];
  readonly unit: ConfigUnit;
}

const configKey = (section: string, name: string, unit: ConfigUnit = "plain"): ConfigKey => ({
  path: [section, name],
  unit,
});

export const configKeys: { readonly [Name in SettingName]: ConfigKey } = {
  ollamaHost: configKey("ollama", "host"),
  model: configKey("ollama", "model"),
  stallSeconds: configKey("ollama", "timeout", "seconds"),
  keepAliveMinutes: configKey("ollama", "keep_alive", "minutes"),
  engineProgram: configKey("engine", "program"),
  engineMirror: configKey("engine", "release_mirror"),
  modelHub: configKey("engine", "model_hub"),
  temperature: configKey("ollama", "temperature"),
  toolCalling: configKey("ollama", "tool_calling"),
  connection: configKey("agent", "connection"),
  connectionOrder: configKey("agent", "connection_order"),
  mode: configKey("agent", "mode"),
  think: configKey("agent", "think"),
  thinkMaxTokens: configKey("agent", "think_max_tokens"),
  maxOutputTokens: configKey("agent", "max_output"),
  maxSteps: configKey("agent", "max_steps"),
  maxRunMinutes: configKey("agent", "max_run_time", "minutes"),
  retries: configKey("agent", "max_retries"),
  contextMaxTokens: configKey("context", "max_tokens"),
  compactionPercent: configKey("context", "compaction_threshold", "share"),
  keptMessages: configKey("context", "keep_recent"),
  autoFill: configKey("context", "auto_fill"),
  keepReadFiles: configKey("context", "keep_read_files"),
  pinnedPercent: configKey("context", "pinned_files", "share"),
  treeDepth: configKey("context", "max_tree_depth"),
  treeFolderEntries: configKey("context", "max_files_per_dir"),
  memory: configKey("memory", "enabled"),
  diary: configKey("memory", "diary"),
  bashTimeoutSeconds: configKey("tools", "bash_timeout", "seconds"),
  bashOutputBytes: configKey("tools", "bash_max_output"),
  readLines: configKey("tools", "read_max_lines"),
  grepMatches: configKey("tools", "grep_max_matches"),
  findEntries: configKey("tools", "find_max_entries"),
  disabledTools: configKey("tools", "disabled"),
  blockedWords: configKey("security", "blocked_cmds"),
  protectedNames: configKey("security", "blocked_paths"),
  ignoredFolders: configKey("tools", "ignored_folders"),
  shellEnvironment: configKey("security", "shell_environment"),
  sandbox: configKey("security", "sandbox"),
  sandboxNetwork: configKey("security", "sandbox_network"),
  sandboxWritable: configKey("security", "sandbox_writable"),
  theme: configKey("tui", "theme"),
  language: configKey("tui", "language"),
  sendKey: configKey("tui", "send_key"),
  editorFontSize: configKey("editor", "font_size"),
  editorWrapLines: configKey("editor", "wrap_lines"),
  editorTabSize: configKey("editor", "tab_size"),
  editorRulers: configKey("editor", "rulers"),
  editorStickyScroll: configKey("editor", "sticky_scroll"),
  editorWhitespace: configKey("editor", "whitespace"),
  editorAutosave: configKey("editor", "autosave"),
  editorTrimWhitespace: configKey("editor", "trim_trailing_whitespace"),
  editorFinalNewline: configKey("editor", "insert_final_newline"),
  editorFormatOnSave: configKey("editor", "format_on_save"),
  terminalShell: configKey("terminal", "shell"),
  terminalShellArguments: configKey("terminal", "shell_arguments"),
  terminalFontSize: configKey("terminal", "font_size"),
  terminalScrollbackLines: configKey("terminal", "scrollback"),
  terminalCursor: configKey("terminal", "cursor"),
  terminalCursorBlink: configKey("terminal", "cursor_blink"),
  terminalScreenReader: configKey("terminal", "screen_reader"),
  keymap: configKey("tui", "keymap"),
  shortcuts: configKey("tui", "shortcuts"),
  noticeWaiting: configKey("notifications", "waiting"),
  noticeDone: configKey("notifications", "done"),
  noticeFailed: configKey("notifications", "failed"),
  noticePaused: configKey("notifications", "paused"),
  noticeMessage: configKey("notifications", "message"),
  noticeSound: configKey("notifications", "sound"),
  quietHours: configKey("notifications", "quiet_hours"),
};

/** Returns the dotted key of a setting: `tools.bash_timeout`. */
export const formatConfigKey = (name: SettingName): string => configKeys[name].path.join(".");

const namesByKey = new Map(settingNames.map((name) => [formatConfigKey(name), name]));

/** Returns the setting with a dotted key; undefined = none has it. */
export const settingOfKey = (key: string): SettingName | undefined => namesByKey.get(key);

/** Formats a setting's value in the file's notation: 90s, 0.6, "rm, sudo"; "" = empty. */
export function formatConfigValue(name: SettingName, value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (value === null || value === undefined) return "";
  const { unit } = configKeys[name];
  if (typeof value !== "number" || unit === "plain" || value < 0) return String(value);
  return unit === "share" ? String(value / 100) : `${value}${unit === "seconds" ? "s" : "m"}`;
}

/**
 * Problem in a line of a configuration file. `unknown_key` is a warning: the line has no effect. `no_sandbox`: no
 * sandbox works on this machine.
 */
export type ConfigProblemCode = "bad_syntax" | "bad_value" | "unknown_key" | "too_large" | "no_sandbox";

/** Allowed values of a key; `orAuto` = the word `auto` is allowed too. */
export type ConfigValueSpec = ValueSpec & { readonly orAuto?: boolean };

type ValueSpec =
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "boolean" | "list" | "text" | "address" | "section" }
  | { readonly kind: "number" | "whole" | "optional" | "wholes"; readonly least: number; readonly most: number }
  | { readonly kind: "time"; readonly least: number; readonly most: number; readonly unit: "seconds" | "minutes" };

/** Kind of YAML syntax error. */
export type ConfigSyntaxError =
  | "tab"
  | "indent"
  | "duplicate"
  | "quote"
  | "bracket"
  | "sections"
  | "models"
  | "star"
  | "other";

export interface ConfigProblem {
  readonly code: ConfigProblemCode;
  /** 1-based; 0 = the whole file. */
  readonly line: number;
  readonly column: number;
  /** `tools.bash_timeout`; absent for bad syntax. */
  readonly key?: string;
  /** For bad_value. */
  readonly wanted?: ConfigValueSpec;
  /** For bad_syntax. */
  readonly syntax?: ConfigSyntaxError;
  /** Expected value, or the parser's message. English, for the log. */
  readonly detail?: string;
}

/** True for problems that do not stop the rest of the file from being applied. */
export const isWarning = ({ code }: ConfigProblem): boolean => code === "unknown_key";

/** Formats a problem for the log and the command line. */
export function formatConfigProblem({ code, key, detail }: ConfigProblem): string {
  if (code === "unknown_key") return `${key ?? ""} is not a setting and has no effect.`;
  if (code === "bad_value")
    return `${key ?? ""} must be ${detail ?? "another value"}. The value before stays in force.`;
  if (code === "no_sandbox") return `${key ?? ""} has no effect: commands cannot be sandboxed here (${detail ?? ""}).`;
  return `the file is not used: ${detail ?? code}.`;
}

/** Content of a configuration file on disk with its problems. */
export interface ConfigFile {
  /** Absolute path in the home folder. */
  readonly path: string;
  /** "" if the file does not exist. */
  readonly text: string;
  readonly problems: readonly ConfigProblem[];
}
