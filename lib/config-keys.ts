/**
 * The keys of `config.yaml` in the home folder, one for each setting. The names of Gopi, Kore and Golem are kept where they had the
 * setting, so their files read well here. The settings page shows the same keys.
 */
import type { Settings } from "./settings";

/**
 * How a value is written in the file. `seconds` and `minutes` take "90s", "2m", "1h" or a plain number of that unit; `share` is a
 * fraction (0.6) for a setting in percent; `plain` is the setting's own value.
 */
export type ConfigUnit = "plain" | "seconds" | "minutes" | "share";

export interface ConfigKey {
  /** Section and name: `tools`, `bash_timeout`. */
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

/** `tools.bash_timeout` */
export const configKeyText = (name: keyof Settings): string => configKeys[name].path.join(".");

/** A setting's value as the file has it: 90s, 0.6, "rm, sudo"; "" = empty. */
export function configValueText(name: keyof Settings, value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (value === null || value === undefined) return "";
  const { unit } = configKeys[name];
  if (typeof value !== "number" || unit === "plain" || value < 0) return String(value);
  return unit === "share" ? String(value / 100) : `${value}${unit === "seconds" ? "s" : "m"}`;
}

/**
 * What is wrong with a line of a configuration file. `unknown_key` is a warning: the line has no effect. `no_sandbox`: this machine
 * has no sandbox that works.
 */
export type ConfigProblemCode = "bad_syntax" | "bad_value" | "unknown_key" | "too_large" | "no_sandbox";

/** What a value must be; `orAuto` = or the word `auto`. */
export type ConfigWanted = WantedValue & { readonly orAuto?: boolean };

type WantedValue =
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "boolean" | "list" | "text" | "address" | "section" }
  | { readonly kind: "number" | "whole" | "optional"; readonly least: number; readonly most: number }
  | { readonly kind: "time"; readonly least: number; readonly most: number; readonly unit: "seconds" | "minutes" };

/** What is wrong with the YAML. */
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
  /** From 1; 0 = the whole file. */
  readonly line: number;
  readonly column: number;
  /** `tools.bash_timeout`; absent for bad syntax. */
  readonly key?: string;
  /** Of a bad value. */
  readonly wanted?: ConfigWanted;
  /** Of bad syntax. */
  readonly syntax?: ConfigSyntax;
  /** What would be right, or the parser's own words. English, for the log. */
  readonly detail?: string;
}

/** Problems that only warn: the rest of the file counts. */
export const isWarning = ({ code }: ConfigProblem): boolean => code === "unknown_key";

/** The file as it is on disk, and what is wrong with it. */
export interface ConfigFile {
  /** Absolute path in the home folder. */
  readonly path: string;
  /** "" when there is no file yet. */
  readonly text: string;
  readonly problems: readonly ConfigProblem[];
}
