import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fail } from "@/lib/events/error";
import { profiles, promptBudgets, promptRulesMaxChars, type PromptsState } from "@/lib/models/prompts";
import { settingsDefaults } from "@/lib/settings/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { promptsFeature } from "./prompts-feature";

function open(disabledTools: string[] = []) {
  const home = mkdtempSync(join(tmpdir(), "gopi-prompts-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { commands } = promptsFeature({ home, settings: () => ({ ...settingsDefaults, disabledTools }) });
  const state = (): PromptsState => commands["prompts.read"]().value;
  const write = (text: string | null, before = state().rules.small.text) =>
    commands["prompts.write"]({ profile: "small", text, before });
  return { state, write, path: join(home, "prompts", "small.md"), home };
}

test("own rules replace those of their profile only, and go away with null, nothing or the original", async () => {
  const { state, write, path } = open();
  const { original } = state().rules.small;
  for (const removed of [null, "  \n", `${original}\r\n`]) {
    expect(await write("Be brief.\r\nAlways test.\n")).toMatchObject({ ok: true });
    expect(state().rules.small).toEqual({ text: "Be brief.\nAlways test.", original, path });
    expect(state().rules.default.text).toBe(state().rules.default.original);
    expect(readFileSync(path, "utf8")).toBe("Be brief.\nAlways test.\n");
    expect(await write(removed)).toMatchObject({ ok: true });
    expect(existsSync(path)).toBe(false);
    expect(state().rules.small.text).toBe(original);
  }
});

test("a file that another program changed meanwhile is not overwritten", async () => {
  const { state, write, path, home } = open();
  const before = state().rules.small.text;
  mkdirSync(join(home, "prompts"));
  writeFileSync(path, "Theirs.\n");
  expect(await write("Mine.", before)).toEqual(fail("changed_meanwhile", undefined, { path }));
  expect(await write("Mine.")).toMatchObject({ ok: true });
});

test.each([
  ["empty", " \n"],
  ["too long", "a".repeat(promptRulesMaxChars + 1)],
  ["a folder", null],
])("a file that is %s does not apply", (_, content) => {
  const { state, path, home } = open();
  mkdirSync(join(home, "prompts"));
  if (content === null) mkdirSync(path);
  else writeFileSync(path, content);
  expect(state().rules.small.text).toBe(state().rules.small.original);
});

test("the text modes describe the tools that are on, and the shipped prompts are within their budgets", () => {
  const { tools, calls, rules } = open(["delete"]).state();
  expect(tools.map(({ name }) => name)).toEqual([
    "read",
    "ls",
    "find",
    "grep",
    "edit",
    "write",
    "delete",
    "bash",
    "toolbox",
  ]);
  expect(calls.react).toContain("- write(");
  expect(calls.react).not.toContain("- delete(");
  for (const profile of profiles) {
    const total =
      estimateTokens(rules[profile].original) +
      estimateTokens(calls.native) +
      tools.reduce((sum, { tokens }) => sum + tokens[profile], 0);
    expect(total).toBeLessThanOrEqual(promptBudgets[profile]);
  }
});
