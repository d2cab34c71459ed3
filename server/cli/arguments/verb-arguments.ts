/** Arguments of the verbs that show or change what a server has. */
import { resolve } from "node:path";
import { type ExportFormat, exportFormats } from "@/lib/protocol/history";
import { formatConfigKey, settingNames, settingOfKey } from "@/lib/settings/config-keys";
import type { SettingName } from "@/lib/settings/settings";
import { findNearestWord } from "@/lib/text/name-similarity";
import { type Environment, type ParsedOptions, printable, UsageError } from "./options";
import { resolveFile, resolveFolder, resolveHome } from "./resolve-path";

export interface StatusArguments {
  readonly kind: "status";
  readonly json: boolean;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

/** Sets up `cwd`. */
export interface InitArguments {
  readonly kind: "init";
  /** Absolute, links resolved; a readable folder. */
  readonly cwd: string;
  /** Absolute; may not exist yet. */
  readonly home: string;
}

/** The user's service that starts the server. */
export interface ServiceArguments {
  readonly kind: "service";
  readonly action: "install" | "uninstall";
  /** Replaces a changed service without a question. */
  readonly yes: boolean;
  /** Absolute; may not exist yet. */
  readonly home: string;
  /** Arguments of `gopi-web serve` in the service. */
  readonly parameters: readonly string[];
}

const listKinds = ["sessions", "models", "rules", "automations"] as const;

/** Arguments of every client that needs a server. */
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

export interface ExportArguments extends ClientArguments {
  readonly kind: "export";
  /** The beginning of a session's id. */
  readonly session: string;
  readonly format: ExportFormat;
  /** Absolute; null = standard output. */
  readonly output: string | null;
}

export interface ImportArguments extends ClientArguments {
  readonly kind: "import";
  /** Absolute; an existing file. */
  readonly file: string;
}

export type VerbArguments =
  | InitArguments
  | ServiceArguments
  | StatusArguments
  | GetArguments
  | ConfigArguments
  | ExportArguments
  | ImportArguments;

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

export function parseExportArguments(options: ParsedOptions, environment: Environment, cwd: string): ExportArguments {
  const [session = "", ...more] = options.operands;
  if (more.length > 0 || !/^[A-Za-z0-9_-]{1,80}$/.test(session))
    throw new UsageError("gopi-web export takes the ID of one session; gopi-web get sessions lists them");
  const output = options.text("output");
  return {
    kind: "export",
    session,
    format: parseFormat(options.text("format"), output ?? ""),
    output: output === null ? null : resolve(cwd, output),
    ...clientArguments(options, environment, cwd),
  };
}

/** --format, else the one that the ending of the file names, else Markdown. */
function parseFormat(text: string | null, output: string): ExportFormat {
  const format = exportFormats.find((each) => each === text);
  if (text !== null && format === undefined)
    throw new UsageError(`--format needs one of ${exportFormats.join(", ")}, but got ${printable(text)}`);
  return format ?? exportFormats.find((each) => output.endsWith(`.${each}`)) ?? "md";
}

export function parseImportArguments(options: ParsedOptions, environment: Environment, cwd: string): ImportArguments {
  const [file, ...more] = options.operands;
  if (file === undefined || more.length > 0) throw new UsageError("gopi-web import takes one file");
  return { kind: "import", file: resolveFile(file, cwd), ...clientArguments(options, environment, cwd) };
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

export function parseInitArguments(options: ParsedOptions, environment: Environment, cwd: string): InitArguments {
  if (options.operands.length > 0) throw new UsageError("gopi-web init takes no words; --cwd DIR names another folder");
  return {
    kind: "init",
    cwd: resolveFolder(options.text("cwd") ?? ".", cwd),
    home: resolveHome(options.text("home"), environment, cwd),
  };
}
