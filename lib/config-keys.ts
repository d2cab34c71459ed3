/**
 * The keys of `config.yaml` in the home folder, one per setting. Where Gopi, Kore or Golem has the same setting, its
 * key is used, so that their files can be read.
 */
import type { Settings } from "./settings";

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

const key = (section: string, name: string, unit: ConfigUnit = "plain"): ConfigKey => ({ path: [section, name], unit });

export const configKeys: { readonly [Name in keyof Settings]: ConfigKey } = {
  ollamaHost: key("ollama", "host"),
  model: key("ollama", "model"),
  stallSeconds: key("ollama", "timeout", "seconds"),
  keepAliveMinutes: key("ollama", "keep_alive", "minutes"),
  temperature: key("ollama", "temperature"),
  toolCalling: key("ollama", "tool_calling"),
  connection: key("agent", "connection"),
  connectionOrder: key("agent", "connection_order"),
  mode: key("agent", "mode"),
  think: key("agent", "think"),
  thinkMaxTokens: key("agent", "think_max_tokens"),
  maxSteps: key("agent", "max_steps"),
  maxRunMinutes: key("agent", "max_run_time", "minutes"),
  retries: key("agent", "max_retries"),
  contextMaxTokens: key("context", "max_tokens"),
  compactionPercent: key("context", "compaction_threshold", "share"),
  keptMessages: key("context", "keep_recent"),
  treeDepth: key("context", "max_tree_depth"),
  treeFolderEntries: key("context", "max_files_per_dir"),
  bashTimeoutSeconds: key("tools", "bash_timeout", "seconds"),
  bashOutputBytes: key("tools", "bash_max_output"),
  readLines: key("tools", "read_max_lines"),
  grepMatches: key("tools", "grep_max_matches"),
  findEntries: key("tools", "find_max_entries"),
  blockedWords: key("security", "blocked_cmds"),
  protectedNames: key("security", "blocked_paths"),
  ignoredFolders: key("tools", "ignored_folders"),
  shellEnvironment: key("security", "shell_environment"),
  sandbox: key("security", "sandbox"),
  sandboxNetwork: key("security", "sandbox_network"),
  theme: key("tui", "theme"),
  language: key("tui", "language"),
  sendKey: key("tui", "send_key"),
};

/** Returns the dotted key of a setting: `tools.bash_timeout`. */
export const configKeyText = (name: keyof Settings): string => configKeys[name].path.join(".");

/** Formats a setting's value in the file's notation: 90s, 0.6, "rm, sudo"; "" = empty. */
export function configValueText(name: keyof Settings, value: unknown): string {
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
export type ConfigWanted = WantedValue & { readonly orAuto?: boolean };

type WantedValue =
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "boolean" | "list" | "text" | "address" | "section" }
  | { readonly kind: "number" | "whole" | "optional"; readonly least: number; readonly most: number }
  | { readonly kind: "time"; readonly least: number; readonly most: number; readonly unit: "seconds" | "minutes" };

/** Kind of YAML syntax error. */
export type ConfigSyntax =
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
  readonly wanted?: ConfigWanted;
  /** For bad_syntax. */
  readonly syntax?: ConfigSyntax;
  /** Expected value, or the parser's message. English, for the log. */
  readonly detail?: string;
}

/** True for problems that do not stop the rest of the file from being applied. */
export const isWarning = ({ code }: ConfigProblem): boolean => code === "unknown_key";

/** Content of a configuration file on disk with its problems. */
export interface ConfigFile {
  /** Absolute path in the home folder. */
  readonly path: string;
  /** "" if the file does not exist. */
  readonly text: string;
  readonly problems: readonly ConfigProblem[];
}
