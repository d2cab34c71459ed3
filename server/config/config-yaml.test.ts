/** Tests of the text of config.yaml: values, lines of problems, edits that preserve comments. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConfigProblem, formatConfigValue, settingNames } from "@/lib/settings/config-keys";
import { settingTable } from "@/lib/settings/setting-table";
import { type SettingName, type Settings, settingsDefaults } from "@/lib/settings/settings";
import { editConfig, parseConfig, parseSettingText } from "./config-yaml";

const gopi = `# Ollama
ollama:
  host: "http://localhost:11434"
  model: "qwen2.5-coder:7b"    # the default
  timeout: 90s
  tool_calling: native
context:
  max_tokens: 32768
  compaction_threshold: 0.70
  keep_recent: 6
tools:
  bash_timeout: 2m
  bash_max_output: 4096
  read_max_lines: 200
  grep_max_matches: 20
tui:
  theme: "dark"
  show_token_count: true
  quiet_startup: false
`;

const keysOf = (problems: readonly ConfigProblem[]) => problems.map(({ key }) => key);

describe("reading", () => {
  test("a file of Gopi gives all its settings; what has no effect here is named", () => {
    const { problems, settings } = parseConfig(gopi);
    expect(problems.map(({ code, key }) => [code, key])).toEqual([
      ["unknown_key", "tui.show_token_count"],
      ["unknown_key", "tui.quiet_startup"],
    ]);
    expect({ settings }).toEqual({
      settings: {
        ollamaHost: "http://localhost:11434",
        model: "qwen2.5-coder:7b",
        stallSeconds: 90,
        toolCalling: "native",
        contextMaxTokens: 32_768,
        compactionPercent: 70,
        keptMessages: 6,
        bashTimeoutSeconds: 120,
        bashOutputBytes: 4_096,
        readLines: 200,
        grepMatches: 20,
        theme: "dark",
      },
    });
  });

  test.each([
    ["an empty file", ""],
    ["comments alone", "# nothing yet\n"],
    ["its version", "version: 1\n"],
    ["empty sections", "tools:\nollama:\n"],
    ["a byte order mark and Windows line ends", "\uFEFFtools:\r\n"],
  ])("%s is no problem", (_name, text) => {
    expect(parseConfig(text)).toEqual({ settings: {}, problems: [] });
  });

  test.each([
    ["tools:\n  bash_timeout: 20m\n", "bad_value", 2, "tools.bash_timeout", "1 to 600"],
    ["tools:\n  bash_timeout: soon\n", "bad_value", 2, "tools.bash_timeout", "90s"],
    [
      "context:\n  max_tokens: 0\n\n  compaction_threshold: 6\n",
      "bad_value",
      4,
      "context.compaction_threshold",
      "0.3 to 0.85",
    ],
    ["ollama:\n  host: not a url at all\n", "bad_value", 2, "ollama.host", undefined],
    ["version: 2\n", "bad_value", 1, "version", "one of 1"],
    ["extensions:\n  - path: a\n", "unknown_key", 1, "extensions", undefined],
    ["tools: 3\n", "bad_value", 1, "tools", "a section"],
    ["tui:\n  theme: blue\n", "bad_value", 2, "tui.theme", "one of system, light, dark"],
    ["agent:\n  mode: full\n", "bad_value", 2, "agent.mode", "one of"],
    ["ollama:\n  tool_calling: json\n", "bad_value", 2, "ollama.tool_calling", "one of auto, native, react, xml"],
    ["agent:\n  think: maybe\n", "bad_value", 2, "agent.think", "true or false"],
    ["ollama:\n  temperature: 3\n", "bad_value", 2, "ollama.temperature", "a number from 0 to 2, or nothing"],
    ["editor:\n  rulers: [80, 0]\n", "bad_value", 2, "editor.rulers", "whole numbers from 1 to 400"],
    ["security:\n  blocked_cmds: rm\n", "bad_value", 2, "security.blocked_cmds", "a list"],
    ["# one\ntools:\n  bash_timout: 3s\n", "unknown_key", 3, "tools.bash_timout", undefined],
    ["tolls:\n  bash_timeout: 3s\n", "unknown_key", 1, "tolls", undefined],
  ] as const)("%j is a problem with its line", (text, code, line, key, detail) => {
    const { problems, settings } = parseConfig(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code, line, key });
    if (detail !== undefined) expect(problems[0]?.detail).toContain(detail);
    expect(settings[settingNameOf(key)]).toBeUndefined();
  });

  test.each([
    ["tools: [1, 2\n", 2],
    ["a: 1\na: 2\n", 2],
    ["tools:\n  x: 1\n y: 2\n", 3],
    ["- one\n- two\n", 1],
    ["just text", 1],
    ["key: @nope\n", 1],
  ])("bad syntax has a line and gives no settings: %j", (text, line) => {
    const { problems, settings } = parseConfig(text);
    expect(problems[0]).toMatchObject({ code: "bad_syntax", line });
    expect(problems[0]?.detail).not.toBe("");
    expect(settings).toEqual({});
  });

  test("a bad value affects only its own setting", () => {
    const { settings, problems } = parseConfig("tools:\n  bash_timeout: 0s\n  read_max_lines: 100\n");
    expect(settings).toEqual({ readLines: 100 });
    expect(problems).toHaveLength(1);
  });

  test("a temperature is a number; an empty value means the model's default", () => {
    expect(parseConfig("ollama:\n  temperature: 0.7\n")).toEqual({ settings: { temperature: 0.7 }, problems: [] });
    expect(parseConfig("ollama:\n  temperature:\n")).toEqual({ settings: { temperature: null }, problems: [] });
    expect(editConfig("ollama:\n  model: m\n  temperature: 0.7\n", { temperature: null })).toBe(
      "ollama:\n  model: m\n",
    );
    expect(editConfig("", { temperature: 0 })).toBe("ollama:\n  temperature: 0\n");
  });

  test("oversized text and exponential aliases end with a problem", () => {
    expect(parseConfig("#".repeat(300_000)).problems[0]?.code).toBe("too_large");
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f", "g", "h"]
      .map(
        (name, index) =>
          `${name}: &${name} [${Array(9)
            .fill(`*${"abcdefgh".charAt(index)}`)
            .join(",")}]`,
      )
      .join("\n")}\nsecurity:\n  blocked_cmds: *h\n`;
    expect(parseConfig(bomb).settings).toEqual({});
  });
});

const settingNameOf = (key: string): keyof Settings => {
  const found = Object.entries(settingTable).find(([, { path }]) => path.join(".") === key)?.[0];
  return found !== undefined && isSetting(found) ? found : "ollamaHost";
};
const isSetting = (name: string): name is keyof Settings => Object.hasOwn(settingsDefaults, name);

describe("editing", () => {
  test("comments, order and unknown keys are preserved", () => {
    const edited = editConfig(gopi, { bashTimeoutSeconds: 45, model: "qwen3:8b" });
    expect(edited).toBe(gopi.replace("2m", "45s").replace('"qwen2.5-coder:7b"   ', '"qwen3:8b"'));
  });

  test("a default is removed, with its section when that is empty", () => {
    expect(editConfig("tools:\n  bash_timeout: 2m\n", { bashTimeoutSeconds: 30 })).toBe("");
    expect(editConfig("# mine\ntools:\n  bash_timeout: 2m\n  read_max_lines: 100\n", { bashTimeoutSeconds: 30 })).toBe(
      "# mine\ntools:\n  read_max_lines: 100\n",
    );
  });

  test("text that cannot be parsed is never overwritten", () => {
    expect(editConfig("tools: [1", { readLines: 100 })).toBeNull();
    expect(editConfig("- a list\n", { readLines: 100 })).toBeNull();
  });

  test("an unchanged value keeps its notation, and one an alias refers to is not replaced", () => {
    expect(editConfig(gopi, { bashTimeoutSeconds: 120, stallSeconds: 90 })).toBe(editConfig(gopi, {}));
    const shared = "agent:\n  max_steps: &steps 77\ntools:\n  grep_max_matches: *steps\n";
    expect(parseConfig(shared).settings).toEqual({ maxSteps: 77, grepMatches: 77 });
    expect(editConfig(shared, { maxSteps: 50 })).toBeNull();
    expect(editConfig(shared, { maxSteps: 60 })).toBeNull();
    expect(editConfig(shared, { grepMatches: 60 })).toContain("grep_max_matches: 60");
  });

  test("a key of an earlier version is read, and written where the file has it", () => {
    const text = "tui:\n  theme: light # mine\n";
    expect(parseConfig(text)).toEqual({ settings: { theme: "light" }, problems: [] });
    expect(editConfig(text, { theme: "dark", keymap: "vscode" })).toBe(
      "tui:\n  theme: dark # mine\nkeyboard:\n  preset: vscode\n",
    );
    expect(editConfig(text, { theme: "system" })).toBe("");
  });

  test("beside the present key the one of an earlier version has no effect", () => {
    const text = "tui:\n  theme: light\nappearance:\n  theme: dark\n";
    const { settings, problems } = parseConfig(text);
    expect(settings).toEqual({ theme: "dark" });
    expect(problems).toEqual([{ code: "unknown_key", key: "tui.theme", line: 2, column: 3 }]);
    expect(editConfig(text, { theme: "light" })).toBe(text.replace("theme: dark", "theme: light"));
    expect(editConfig(text, { theme: "system" })).toBe("");
  });

  test("written settings are read back, from any initial text", () => {
    const patches = fc.record<Partial<Settings>>(
      {
        bashTimeoutSeconds: fc.integer({ min: 1, max: 600 }),
        compactionPercent: fc.integer({ min: 30, max: 85 }),
        keepAliveMinutes: fc.integer({ min: -1, max: 1_440 }),
        think: fc.boolean(),
        model: fc.string({ maxLength: 40 }),
        ollamaHost: fc.constantFrom("", "box:11434", "http://127.0.0.1:1", "https://a.example/x", "'box'"),
        blockedWords: fc.array(fc.string({ minLength: 1, maxLength: 10 }), { maxLength: 4 }),
        theme: fc.constantFrom("system", "light", "dark"),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.constantFrom("", gopi, "# only a comment\n", "tui:\n", "appearance: { theme: light }\n"),
        patches,
        patches,
        (start, first, second) => {
          const once = editConfig(start, first) ?? "";
          const twice = editConfig(once, second) ?? "";
          const { problems, settings } = parseConfig(twice);
          expect(keysOf(problems)).toEqual(keysOf(parseConfig(start).problems));
          const before = { ...settingsDefaults, ...parseConfig(start).settings };
          expect({ ...settingsDefaults, ...settings }).toEqual({ ...before, ...first, ...second });
        },
      ),
    );
  });
});

describe("the text of one value", () => {
  test.each<[name: SettingName, text: string, value: unknown]>([
    ["bashTimeoutSeconds", "2m", 120],
    ["keepAliveMinutes", "-1", -1],
    ["compactionPercent", "0.7", 70],
    ["temperature", "", null],
    ["think", "false", false],
    ["sandbox", "off", "off"],
    ["model", "true", "true"],
    ["ollamaHost", "box:11434", "box:11434"],
    ["blockedWords", "rm, sudo", ["rm", "sudo"]],
    ["blockedWords", "", []],
    ["noticeDone", "tab, push", ["tab", "push"]],
    ["protectedNames", "*.pem", ["*.pem"]],
    ["terminalShellArguments", '["-c", "a, b"]', ["-c", "a, b"]],
    ["editorRulers", "80, 100", [80, 100]],
    ["editorRulers", "[80]", [80]],
  ])("%s: %j", (name, text, value) => {
    expect(parseSettingText(name, text)).toEqual({ settings: { [name]: value }, problems: [] });
  });

  test.each<[name: SettingName, text: string, wanted: string]>([
    ["bashTimeoutSeconds", "soon", "a time such as 90s or 2m, from 1 to 600 seconds"],
    ["maxSteps", "0", "a whole number from 1 to 500"],
    ["maxSteps", "*one", "a whole number from 1 to 500"],
    ["think", "sometimes", "true or false"],
    ["mode", "full", "one of ask, edits, plan"],
    ["ollamaHost", "ftp://x", "an address such as http://localhost:11434"],
  ])("%s is not %j", (name, text, detail) => {
    expect(parseSettingText(name, text)).toMatchObject({ settings: {}, problems: [{ code: "bad_value", detail }] });
  });

  test("what is shown of each default can be set", () => {
    for (const name of settingNames) {
      const text = formatConfigValue(name, settingsDefaults[name]);
      expect(parseSettingText(name, text).settings, name).toEqual({ [name]: settingsDefaults[name] });
    }
  });
});

test("a kind of notice that an older version switched off has no place", () => {
  const text = "notifications:\n  done: false\n  waiting: [tab]\n";
  expect(parseConfig(text)).toEqual({ settings: { noticeDone: [], noticeWaiting: ["tab"] }, problems: [] });
});
