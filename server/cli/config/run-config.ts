/** `gopi-web config`: shows and changes settings by their keys in `config.yaml`. */
import { formatConfigKey, formatConfigValue, settingNames } from "@/lib/settings/config-keys";
import { settingTable } from "@/lib/settings/setting-table";
import { type SettingName, type Settings, settingsDefaults } from "@/lib/settings/settings";
import type { ConfigArguments } from "../arguments/verb-arguments";
import { UsageError } from "../arguments/options";
import { printLines, printRows } from "../output/print-rows";
import { callOrThrow, runWithServer } from "../server-job";

/** Exit code: 0 done, 1 error, 2 a value of the wrong form, 130 stopped. */
export async function runConfig(command: ConfigArguments): Promise<number> {
  const { json, name, value } = command;
  try {
    const patch = name === null || value === null ? null : await parseValue(name, value);
    return await runWithServer(command, async (link) => {
      const settings =
        patch === null
          ? await callOrThrow(link, "settings.read", {})
          : await callOrThrow(link, "settings.write", { patch });
      if (name === null) await printSettings(settings, json);
      else if (json) printLines([JSON.stringify(await toRow(name, settings))]);
      else printLines([formatConfigValue(name, withoutCredentials(name, settings))]);
      return 0;
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`gopi-web: ${error.message}\n`);
    return 2;
  }
}

/** Checks the text as the page does with the file. Throws UsageError. */
async function parseValue(name: SettingName, text: string): Promise<Partial<Settings>> {
  const { parseSettingText } = await import("@/server/config/config-yaml");
  const { settings, problems } = parseSettingText(name, text);
  const [problem] = problems;
  if (problem !== undefined)
    throw new UsageError(`${formatConfigKey(name)} must be ${problem.detail ?? "another value"}`);
  return settings;
}

interface SettingRow {
  readonly key: string;
  /** In the notation of the file, as `default`. */
  readonly value: unknown;
  readonly default: unknown;
}

async function toRow(name: SettingName, settings: Settings): Promise<SettingRow> {
  const { toFileValue } = await import("@/server/config/yaml-text");
  const { unit } = settingTable[name];
  const value = toFileValue(withoutCredentials(name, settings), unit);
  return { key: formatConfigKey(name), value, default: toFileValue(settingsDefaults[name], unit) };
}

/** By their keys, so that those of a section are together. */
const sortedNames = [...settingNames].sort((one, other) => (formatConfigKey(one) < formatConfigKey(other) ? -1 : 1));

async function printSettings(settings: Settings, json: boolean): Promise<void> {
  if (json) {
    const rows = await Promise.all(sortedNames.map((name) => toRow(name, settings)));
    return printLines(rows.map((row) => JSON.stringify(row)));
  }
  const columns = {
    key: formatConfigKey,
    default: (name: SettingName) => formatChangedDefault(name, settings),
    // The last column: some values are long.
    value: (name: SettingName) => formatConfigValue(name, withoutCredentials(name, settings)),
  };
  printRows(sortedNames, columns, { json, empty: "" });
}

/** The default of a setting that has another value, otherwise "". */
function formatChangedDefault(name: SettingName, settings: Settings): string {
  const [standard, value] = [settingsDefaults, settings].map((all) => formatConfigValue(name, all[name]));
  return standard === value ? "" : standard || "none";
}

/** The value of a setting; the address of a model server without the password that it may contain. */
const withoutCredentials = (name: SettingName, settings: Settings): unknown =>
  name === "ollamaHost" ? settings.ollamaHost.replace(/^([a-z]+:\/\/)?[^/?#]*@/i, "$1•••@") : settings[name];
