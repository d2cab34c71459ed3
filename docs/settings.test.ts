/** The table of docs/user/settings.md names every key of config.yaml with its default. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configKeyText } from "@/lib/config-keys";
import { settingsDefaults } from "@/lib/settings";
import { editConfig, readConfig } from "../server/features/config/config-yaml";

const names = Object.keys(settingsDefaults).filter((name): name is keyof typeof settingsDefaults =>
  Object.hasOwn(settingsDefaults, name),
);
const rows = [
  ...readFileSync(new URL("user/settings.md", import.meta.url), "utf8").matchAll(/^\| `([a-z_.]+)` \| ([^|]+) \|/gm),
];
const defaultOf = new Map(rows.map(([, key = "", value = ""]) => [key, value.trim()]));

test("every key stands in the table once, and no other", () => {
  expect(rows.map(([, key]) => key).toSorted()).toEqual(names.map(configKeyText).toSorted());
});

test("a default that is written as a value is the default", () => {
  const written = [...defaultOf].filter(([, value]) => /^`[^`]+`$/.test(value));
  expect(written.length).toBeGreaterThan(20);
  for (const [key, value] of written) {
    const [section = "", name = ""] = key.split(".");
    const { settings, problems } = readConfig(`${section}:\n  ${name}: ${value.slice(1, -1)}\n`);
    expect(problems, key).toEqual([]);
    expect(editConfig("", settings), key).toBe("");
  }
});
