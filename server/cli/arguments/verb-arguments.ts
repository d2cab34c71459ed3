/** Arguments of the verbs that show or change what a server has. */
import { formatConfigKey, type SettingName, settingNames, settingOfKey } from "@/lib/settings/config-keys";
import { findNearestWord } from "./nearest-word";
import { type Environment, type ParsedOptions, printable, UsageError } from "./options";
import { resolveFolder, resolveHome } from "./resolve-path";

export interface StatusArguments {
  readonly kind: "status";
  readonly json: boolean;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

const listKinds = ["sessions", "models", "rules"] as const;

/** What every client has that needs a server. */
interface ClientArguments {
  readonly json: boolean;
  /** Absolute; folder for a server that has to be started. */
  readonly cwd: string;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

export interface GetArguments extends ClientArguments {
  readonly kind: "get";
  readonly subject: (typeof listKinds)[number];
}

export interface ConfigArguments extends ClientArguments {
  readonly kind: "config";
  /** null = all settings */
  readonly name: SettingName | null;
  /** null = it is shown */
  readonly value: string | null;
}

export type VerbArguments = StatusArguments | GetArguments | ConfigArguments;

const clientArguments = (options: ParsedOptions, environment: Environment, cwd: string): ClientArguments => ({
  json: options.flag("json"),
  cwd: resolveFolder(".", cwd),
  home: resolveHome(options.text("home"), environment, cwd),
});

export function parseGetArguments(options: ParsedOptions, environment: Environment, cwd: string): GetArguments {
  const [word = "", ...more] = options.operands;
  const subject = listKinds.find((kind) => kind === word);
  if (subject === undefined || more.length > 0)
    throw new UsageError(`gopi-web get lists one of ${listKinds.join(", ")}${nearHint(word, listKinds)}`);
  return { kind: "get", subject, ...clientArguments(options, environment, cwd) };
}

export function parseConfigArguments(options: ParsedOptions, environment: Environment, cwd: string): ConfigArguments {
  const [action = "list", key = "", value = null] = options.operands;
  const usage = configUsages.get(action);
  if (usage === undefined)
    throw new UsageError(`gopi-web config has no ${printable(action)}${nearHint(action, [...configUsages.keys()])}`);
  if (options.operands.length > 0 && options.operands.length !== usage.split(" ").length - 2)
    throw new UsageError(`Use it as: ${usage}`);
  const name = action === "list" ? null : settingOfKey(key);
  if (name === undefined) throw new UsageError(`${printable(key)} is not a setting${nearKeyHint(key)}`);
  return { kind: "config", name, value, ...clientArguments(options, environment, cwd) };
}

/** Each word after `gopi-web config` is an operand. */
const configUsages: ReadonlyMap<string, string> = new Map([
  ["list", "gopi-web config list"],
  ["get", "gopi-web config get KEY"],
  ["set", "gopi-web config set KEY VALUE"],
]);

function nearKeyHint(key: string): string {
  const keys = settingNames.map(formatConfigKey);
  const sameName = keys.find((each) => each.endsWith(`.${key}`));
  return sameName === undefined
    ? nearHint(key, keys) || "; gopi-web config list shows them"
    : `; did you mean ${sameName}?`;
}

function nearHint(word: string, words: readonly string[]): string {
  const near = findNearestWord(word, words);
  return near === null || near === word ? "" : `; did you mean ${near}?`;
}

export function parseStatusArguments(options: ParsedOptions, environment: Environment, cwd: string): StatusArguments {
  if (options.operands.length > 0) throw new UsageError("gopi-web status takes no words");
  return { kind: "status", json: options.flag("json"), home: resolveHome(options.text("home"), environment, cwd) };
}
