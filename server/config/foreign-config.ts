/**
 * Parses the configuration files of Gopi and Kore (YAML), Kimi (TOML), Golem and LlamaCLI (JSON), and our own export,
 * into settings and connections. Pure. Values that do not fit are listed as ignored, never guessed.
 */
import { isRecord } from "@/lib/events/content";
import { parse as parseToml } from "smol-toml";
import { stringify } from "yaml";
import { isSettingName, settingNames, settingPaths } from "@/lib/settings/config-keys";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ConfigFormat, ConfigImport, ForeignConnection } from "@/lib/settings/foreign-config";
import { answersAtOnceMax } from "@/lib/models/connection-routing";
import { type KeyUse, splitCredentials } from "@/lib/models/key-use";
import type { ConnectionPreset } from "@/lib/models/models";
import { type ModelEntry, modelSettingTable, modelSettingNames } from "@/lib/settings/model-settings";
import type { Settings } from "@/lib/settings/settings";
import { settingTable } from "@/lib/settings/setting-table";
import { toPlainKey } from "@/lib/text/name-key";
import { parseYaml } from "@/server/base/parse-yaml";
import { parseConfig } from "./config-yaml";
import { parseModelEntries } from "./models-yaml";

type ConfigObject = { readonly [name: string]: unknown };
type PresetAddresses = readonly Pick<ConnectionPreset, "id" | "baseUrl">[];

/** A connection with its key; never sent to a client. */
type KeyedConnection = ForeignConnection & { readonly key: string };

export interface ForeignConfig extends Omit<ConfigImport, "connections"> {
  readonly connections: readonly KeyedConnection[];
}

/** Parses the text. Fails with bad_import when it has none of the formats. */
export function parseForeignConfig(text: string, presets: PresetAddresses): Result<ForeignConfig> {
  const values = parseConfigText(text.replace(/^\uFEFF/, ""));
  const formats = values === null ? [] : detectFormats(values);
  const [format] = formats;
  if (values === null || format === undefined) return fail("bad_import");
  const take = new ConfigReader(values, presets);
  readerByFormat[format](take, text);
  return ok(take.result(formats));
}

/** Parses the text as JSON, YAML or TOML, whichever gives an object first; null = none, or too large for it. */
function parseConfigText(text: string): ConfigObject | null {
  for (const parse of [parseJsonText, parseYamlText, parseTomlText]) {
    try {
      const value: unknown = parse(text);
      if (isRecord(value)) return value;
    } catch {
      // Not this format.
    }
  }
  return null;
}

const parseJsonText = (text: string): unknown => JSON.parse(text);

function parseYamlText(text: string): unknown {
  const yaml = parseYaml(text);
  return yaml.faults.length > 0 ? null : yaml.value;
}

/** The parser needs much time for more tables. */
const maxTomlLines = 10_000;

const parseTomlText = (text: string): unknown => (text.split("\n").length > maxTomlLines ? null : parseToml(text));

/** Keys that Gopi's or Kore's file also has. */
const gopiKeys: ReadonlySet<string> = new Set([
  "ollama.host",
  "ollama.model",
  "ollama.timeout",
  "ollama.tool_calling",
  "context.max_tokens",
  "context.compaction_threshold",
  "context.keep_recent",
  "context.max_tree_depth",
  "context.max_files_per_dir",
  "tools.bash_timeout",
  "tools.bash_max_output",
  "tools.read_max_lines",
  "tools.grep_max_matches",
  "security.blocked_cmds",
  "security.blocked_paths",
  "tui.theme",
]);

/** Keys of `config.yaml` that only gopi-web has. */
const ownKeys = settingNames.flatMap(settingPaths).filter(([section, name]) => !gopiKeys.has(`${section}.${name}`));

/** Tools this file may belong to, the one whose reader uses most of it first. */
function detectFormats(values: ConfigObject): readonly ConfigFormat[] {
  const keys = new Set(Object.keys(values).map(toPlainKey));
  const has = (...names: readonly string[]): boolean => names.some((name) => keys.has(name));
  if (has("connections")) return ["gopi-web"];
  if (has("profiles", "activeprofile")) return ["llama-cli"];
  if (has("llm")) return ["kore"];
  if (has("defaultmodel", "loopcontrol") || (has("providers") && has("models"))) return ["kimi"];
  if (has("agents", "channels", "gateway")) return ["golem"];
  if (has("providers")) return ["golem", "kimi"];
  if (has("maxsteps", "baseurl", "maxretries")) return ["kimi", "llama-cli"];
  if (ownKeys.some(([section, name]) => isRecord(values[section]) && Object.hasOwn(values[section], name)))
    return ["gopi-web"];
  if (!has("ollama", "context", "tools", "tui", "agent", "security")) return [];
  return has("ollama", "tools", "tui") ? ["gopi", "gopi-web"] : ["gopi-web", "gopi", "kore"];
}

/** Reads values from nested objects and records which keys were used. */
class ConfigReader {
  readonly #taken = new Set<string>();
  readonly #settings = new Map<string, unknown>();
  readonly #connections: KeyedConnection[] = [];
  #models: readonly ModelEntry[] = [];

  constructor(
    readonly values: ConfigObject,
    readonly presets: PresetAddresses,
  ) {}

  /** Names below a path, as written in the file. */
  keysAt(...path: readonly string[]): readonly string[] {
    const value = this.#at(path)?.value;
    return isRecord(value) ? Object.keys(value) : [];
  }

  get(...path: readonly string[]): unknown {
    const found = this.#at(path);
    if (found !== null) this.#taken.add(found.key);
    return found?.value;
  }

  text(...path: readonly string[]): string {
    const value = this.get(...path);
    return typeof value === "string" ? value.trim() : "";
  }

  number(...path: readonly string[]): number | undefined {
    const value = this.get(...path);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  /** Sets a setting if the value is valid; otherwise the key counts as ignored. */
  setSetting(name: keyof Settings, value: unknown, ...path: readonly string[]): void {
    if (value === undefined || value === "") return;
    if (settingTable[name].accepts(value)) this.#settings.set(name, value);
    else this.#taken.delete(this.#at(path)?.key ?? "");
  }

  addConnection(connection: Omit<KeyedConnection, "hasKey">): void {
    const { preset } = connection;
    const presetEntry = this.presets.find(({ id }) => id === preset);
    const typed = connection.baseUrl === "" ? (presetEntry?.baseUrl ?? "") : connection.baseUrl;
    if (typed === "") return;
    const { address: baseUrl, ...moved } = splitCredentials(typed) ?? { address: typed };
    const parts = { ...connection, ...moved };
    this.#connections.push({
      ...parts,
      preset: presetEntry === undefined ? "custom" : preset,
      baseUrl,
      hasKey: parts.key !== "",
    });
  }

  addSettings(settings: Partial<Settings>): void {
    for (const [name, value] of Object.entries(settings)) this.#settings.set(name, value);
  }

  setModels(models: readonly ModelEntry[]): void {
    this.#models = models;
    for (const { name, settings } of models)
      for (const setting of modelSettingNames)
        if (settings[setting] !== undefined) this.get("models", name, modelSettingTable[setting].key);
  }

  result(formats: readonly ConfigFormat[]): ForeignConfig {
    const settings: Partial<Settings> = Object.fromEntries(this.#settings);
    const ignored = leafKeys(this.values).filter((key) => !this.#taken.has(key));
    return { formats, settings, connections: this.#connections, models: this.#models, ignored };
  }

  #at(path: readonly string[]): { readonly key: string; readonly value: unknown } | null {
    let value: unknown = this.values;
    const keys: string[] = [];
    for (const name of path) {
      if (!isRecord(value)) return null;
      const key = Object.hasOwn(value, name)
        ? name
        : Object.keys(value).find((one) => toPlainKey(one) === toPlainKey(name));
      if (key === undefined) return null;
      keys.push(key);
      value = value[key];
    }
    return { key: keys.join("."), value };
  }
}

/** Dotted keys of all values that are not objects. */
function leafKeys(values: ConfigObject, prefix = ""): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isRecord(value) ? leafKeys(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

const readerByFormat: { readonly [Format in ConfigFormat]: (take: ConfigReader, text: string) => void } = {
  "gopi-web": readExport,
  gopi: readGopi,
  kore: readKore,
  kimi: readKimi,
  golem: readGolem,
  "llama-cli": readLlamaCli,
};

function readGopi(take: ConfigReader, text: string): void {
  const { settings } = parseConfig(text);
  take.addSettings(settings);
  for (const name of Object.keys(settings))
    if (isSettingName(name)) for (const path of settingPaths(name)) take.get(...path);
}

function readExport(take: ConfigReader, text: string): void {
  readGopi(take, text);
  const models = take.values.models;
  if (isRecord(models)) take.setModels(parseModelEntries(stringify(models)).entries);
  const list = take.get("connections");
  for (const one of Array.isArray(list) ? list : []) {
    if (!isRecord(one)) continue;
    const own = new ConfigReader(one, take.presets);
    take.addConnection({
      ...readConnection(own, own.text("name"), own.text("preset")),
      ...readKeyUse(own),
      ...readRouting(own),
    });
  }
}

/** Reads the fields that all formats share, below `path`. */
function readConnection(
  take: ConfigReader,
  name: string,
  preset: string,
  ...path: readonly string[]
): Omit<KeyedConnection, "hasKey"> {
  const first = (...names: readonly string[]): string =>
    names.map((one) => take.text(...path, one)).find((text) => text !== "") ?? "";
  const temperature = take.number(...path, "temperature");
  return {
    name: name === "" ? preset : name,
    preset,
    baseUrl: first("base_url", "api_base", "url", "endpoint", "host"),
    model: first("model", "default_model"),
    numCtx: Math.max(0, Math.round(take.number(...path, "window") ?? take.number(...path, "max_context_size") ?? 0)),
    ...(temperature === undefined || temperature < 0 || temperature > 2 ? {} : { temperature }),
    key: first("api_key", "key", "token", "auth"),
  };
}

function readKeyUse(take: ConfigReader): { readonly keyUse?: KeyUse } {
  const [user, header] = [take.text("user"), take.text("header")];
  if (user !== "") return { keyUse: { as: "password", name: user } };
  return header === "" ? {} : { keyUse: { as: "header", name: header } };
}

function readRouting(take: ConfigReader): Pick<KeyedConnection, "sessionHeader" | "atOnce"> {
  const [sessionHeader, atOnce] = [take.get("session_header"), take.number("at_once")];
  const isCount = atOnce !== undefined && Number.isInteger(atOnce) && atOnce >= 1 && atOnce <= answersAtOnceMax;
  return { ...(typeof sessionHeader === "string" && { sessionHeader }), ...(isCount && { atOnce }) };
}

function readKore(take: ConfigReader): void {
  const provider = take.text("llm", "provider").toLowerCase();
  if (provider === "ollama") {
    take.setSetting("ollamaHost", take.text("llm", "base_url"), "llm", "base_url");
    take.setSetting("model", take.text("llm", "model"), "llm", "model");
    take.setSetting("temperature", take.get("llm", "temperature"), "llm", "temperature");
  } else take.addConnection(readConnection(take, "Kore", provider, "llm"));
  take.setSetting("contextMaxTokens", take.get("context", "max_tokens"), "context", "max_tokens");
  take.setSetting("treeDepth", take.get("context", "max_tree_depth"), "context", "max_tree_depth");
  take.setSetting("treeFolderEntries", take.get("context", "max_files_per_dir"), "context", "max_files_per_dir");
  take.setSetting("blockedWords", take.get("security", "blocked_cmds"), "security", "blocked_cmds");
  take.setSetting("protectedNames", take.get("security", "blocked_paths"), "security", "blocked_paths");
}

/**
 * Reads both the flat form (base_url, api_key, model, max_steps) and the form with providers, models and loop_control.
 */
function readKimi(take: ConfigReader): void {
  for (const section of [[], ["loop_control"], ["agent"]]) {
    for (const name of ["max_steps", "max_steps_per_turn", "max_steps_per_run"])
      take.setSetting("maxSteps", take.get(...section, name), ...section, name);
    for (const name of ["max_retries", "max_retries_per_step"])
      take.setSetting("retries", take.get(...section, name), ...section, name);
  }
  const baseUrl = take.text("base_url");
  if (baseUrl !== "") take.addConnection(readConnection(take, urlHost(baseUrl), "custom"));
  const chosen = take.text("default_model");
  for (const name of take.keysAt("providers")) {
    const models = take.keysAt("models").filter((one) => take.text("models", one, "provider") === name);
    const model = models.find((one) => one === chosen) ?? models[0];
    const connection = readConnection(take, name, "custom", "providers", name);
    take.text("providers", name, "type");
    take.addConnection({
      ...connection,
      model: model === undefined ? connection.model : take.text("models", model, "model"),
      numCtx: model === undefined ? 0 : (take.number("models", model, "max_context_size") ?? 0),
    });
  }
}

/** Name of the connection in a file that has one server and no name: the server's host. */
function urlHost(baseUrl: string): string {
  try {
    return new URL(baseUrl).host;
  } catch {
    return baseUrl;
  }
}

function readGolem(take: ConfigReader): void {
  const defaults = ["agents", "defaults"];
  take.setSetting("maxSteps", take.get(...defaults, "max_tool_iterations"), ...defaults, "max_tool_iterations");
  take.setSetting("maxOutputTokens", take.get(...defaults, "max_tokens"), ...defaults, "max_tokens");
  const model = take.text(...defaults, "model");
  const [owner = "", ...rest] = model.toLowerCase().split("/");
  const ownModel = model.slice(owner.length + 1);
  const temperature = take.number(...defaults, "temperature");
  if (owner === "ollama") {
    take.setSetting("model", ownModel, ...defaults, "model");
    take.setSetting("temperature", temperature, ...defaults, "temperature");
  }
  const isUsable = (name: string): boolean =>
    ["api_key", "api_base"].some((key) => take.text("providers", name, key) !== "");
  // OpenRouter serves the models of others under their whole names.
  const chosen = take.keysAt("providers").some((name) => name.toLowerCase() === owner && isUsable(name))
    ? owner
    : "openrouter";
  for (const name of take.keysAt("providers")) {
    const id = name.toLowerCase() === "anthropic" ? "claude" : name.toLowerCase();
    if (id === "ollama") {
      take.setSetting("ollamaHost", readConnection(take, name, id, "providers", name).baseUrl, "providers", name);
      continue;
    }
    const connection = readConnection(take, name, id, "providers", name);
    const isChosen = rest.length > 0 && chosen === name.toLowerCase();
    const isSet = connection.key !== "" || connection.baseUrl !== "";
    if (!isSet) continue;
    take.addConnection({
      ...connection,
      model: isChosen && connection.model === "" ? (chosen === owner ? ownModel : model) : connection.model,
      ...(isChosen && temperature !== undefined && connection.temperature === undefined ? { temperature } : {}),
    });
  }
}

function readLlamaCli(take: ConfigReader): void {
  const active = take.text("active_profile");
  for (const name of take.keysAt("profiles")) {
    const backend = (take.text("profiles", name, "backend") || take.text("profiles", name, "type")).toLowerCase();
    const connection = readConnection(take, name, backend, "profiles", name);
    if (backend !== "ollama") take.addConnection(connection);
    else if (name === active || active === "") {
      take.setSetting("ollamaHost", connection.baseUrl, "profiles", name);
      take.setSetting("model", connection.model, "profiles", name);
    }
  }
}
