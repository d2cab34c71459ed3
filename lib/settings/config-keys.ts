/** Settings by name and by their dotted key in `config.yaml`, values in the notation of the file, and its problems. */
import { upgradeSettingValue } from "../notices/notice-kinds";
import type { SettingName, Settings } from "./settings";
import { formerPaths, type SettingPath, settingTable } from "./setting-table";

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingTable, name);
export const settingNames = Object.keys(settingTable).filter(isSettingName);

/** Returns the values that are allowed, also in the form of older versions, and the names of the others. Unknown names are left out. */
export function parseSettings(values: Readonly<Record<string, unknown>>): {
  readonly settings: Partial<Settings>;
  readonly bad: readonly SettingName[];
} {
  const named = settingNames.filter((name) => values[name] !== undefined);
  const read = named.map((name) => [name, upgradeSettingValue(name, values[name])] as const);
  const isAllowed = ([name, value]: (typeof read)[number]): boolean => settingTable[name].accepts(value);
  const bad = read.flatMap((one) => (isAllowed(one) ? [] : [one[0]]));
  return { settings: Object.fromEntries(read.filter(isAllowed)), bad };
}

/** Returns the dotted key of a setting: `tools.bash_timeout`. */
export const formatConfigKey = (name: SettingName): string => settingTable[name].path.join(".");

/** Returns the path of a setting in the file, then its former one if it has one. */
export const settingPaths = (name: SettingName): readonly SettingPath[] =>
  [settingTable[name].path, formerPaths[name]].filter((path) => path !== undefined);

const namesByKey = new Map(settingNames.flatMap((name) => settingPaths(name).map((path) => [path.join("."), name])));

/** Returns the setting with a dotted key, which may be its former one; undefined = none has it. */
export const settingOfKey = (key: string): SettingName | undefined => namesByKey.get(key);

/** Formats a setting's value in the file's notation: 90s, 0.6, "rm, sudo"; "" = empty. */
export function formatConfigValue(name: SettingName, value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  if (value === null || value === undefined) return "";
  const { unit } = settingTable[name];
  if (typeof value !== "number" || unit === "plain" || value < 0) return String(value);
  return unit === "share" ? String(value / 100) : `${value}${unit === "seconds" ? "s" : "m"}`;
}

/**
 * Problem in a line of a configuration file. `unknown_key` is a warning: the line has no effect. `no_sandbox`: no
 * sandbox works on this machine.
 */
type ConfigProblemCode = "bad_syntax" | "bad_value" | "unknown_key" | "too_large" | "no_sandbox";

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
