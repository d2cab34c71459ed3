/** The table of docs/user/settings.md names every key of config.yaml with its default. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatConfigKey } from "@/lib/settings/config-keys";
import { settingsDefaults } from "@/lib/settings/settings";
import { modelSettingNames, modelSettingTable } from "@/lib/settings/model-settings";
import { parseModelEntries } from "../server/config/models-yaml";
import { editConfig, parseConfig } from "../server/config/config-yaml";

const names = Object.keys(settingsDefaults).filter((name): name is keyof typeof settingsDefaults =>
  Object.hasOwn(settingsDefaults, name),
);
const page = readFileSync(new URL("user/settings.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z_]+)` \| ([^|]+) \|/gm)];
const defaultOf = new Map(rows.map(([, key = "", value = ""]) => [key, value.trim()]));

test("every key is in the table once, and no other", () => {
  expect(rows.map(([, key]) => key).toSorted()).toEqual(names.map(formatConfigKey).toSorted());
});

test("every option of a model is in the table of models.yaml once, and no other", () => {
  const [, own = ""] = page.split("## Single models: models.yaml");
  const options = [...own.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, key]) => key);
  expect(options).toEqual(modelSettingNames.map((name) => modelSettingTable[name].key));
});

test("the example of models.yaml is right", () => {
  const [, example = ""] = /```yaml\n([^`]*)```/.exec(page) ?? [];
  const { entries, problems } = parseModelEntries(example);
  expect(problems).toEqual([]);
  expect(entries.map(({ name }) => name)).toEqual(["qwen3:8b", "box/qwen3-coder", "qwen3*"]);
});

test("a default that is written as a value is the default", () => {
  const written = [...defaultOf].filter(([, value]) => /^`[^`]+`$/.test(value));
  expect(written.length).toBeGreaterThan(20);
  for (const [key, value] of written) {
    const [section = "", name = ""] = key.split(".");
    const { settings, problems } = parseConfig(`${section}:\n  ${name}: ${value.slice(1, -1)}\n`);
    expect(problems, key).toEqual([]);
    expect(editConfig("", settings), key).toBe("");
  }
});
