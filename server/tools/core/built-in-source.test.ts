import { createHash } from "node:crypto";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import type { Profile, ToolMode } from "@/lib/events/event";
import { buildSystemPrompt } from "@/server/prompts/prompts";
import { toolboxToolSource } from "../toolbox/toolbox";
import { builtInSource } from "./built-in-source";
import { composeToolSchemas } from "./tool-source";
import { callTool, makeTestEnvironment, type TestEnvironment } from "./test-environment";
import type { Tool } from "./tool";

/** The sources of a prompt without tools of other programs. */
const promptSources = [builtInSource, toolboxToolSource];

/** The tools array in Ollama's format. */
const ollamaTools = (profile: Profile): string =>
  JSON.stringify(composeToolSchemas(promptSources, profile).map((tool) => ({ type: "function", function: tool })));

/** Tokens before the conversation: the tools are sent beside the system text or in it. */
const promptTokens = (profile: Profile, mode: ToolMode): number =>
  encode(buildSystemPrompt(profile, mode, composeToolSchemas(promptSources, profile)).system).length +
  (mode === "native" ? encode(ollamaTools(profile)).length : 0);

describe("the prompt budget", () => {
  test.each([
    ["small", 700],
    ["default", 1_150],
    ["full", 1_800],
  ] as const)("system text and tools of the %s profile fit %d tokens in every tool mode", (profile, most) => {
    for (const mode of ["native", "react", "xml"] as const)
      expect(promptTokens(profile, mode), mode).toBeLessThanOrEqual(most);
  });

  test("the toolbox is last and adds at most 70 tokens", () => {
    for (const profile of ["small", "default", "full"] as const) {
      const all = composeToolSchemas(promptSources, profile);
      expect(all.at(-1)?.name).toBe("toolbox");
      expect(encode(JSON.stringify({ type: "function", function: all.at(-1) })).length).toBeLessThanOrEqual(70);
    }
  });

  // A hash changes only together with a text in server/prompts or a tool; `-u` writes the new ones.
  test("the stored prompt keeps its bytes in each profile and mode", () => {
    const hashes = (["small", "default", "full"] as const).flatMap((profile) =>
      (["native", "react", "xml"] as const).map((mode) => {
        const tools = composeToolSchemas(promptSources, profile);
        const prompt = JSON.stringify({ system: buildSystemPrompt(profile, mode, tools).system, tools });
        return `${profile} ${mode} ${createHash("sha256").update(prompt).digest("hex").slice(0, 16)}`;
      }),
    );
    expect(hashes).toMatchInlineSnapshot(`
      [
        "small native 8df8d0620d793810",
        "small react 9fb1c19ad43ee3ca",
        "small xml c62b6e28bb2c96bf",
        "default native 80a86b76264a2e83",
        "default react 07b8fc0146f50ad1",
        "default xml d47b16d953a1450c",
        "full native 604f4cb2fd8d7429",
        "full react e4c48faac30bd76d",
        "full xml e42f590f02987280",
      ]
    `);
  });
});

/** A valid call of each tool, on the project of the contract test. */
const rightCalls: Readonly<Record<string, { readonly [name: string]: Json }>> = {
  read: { path: "big.txt", offset: 2 },
  ls: { path: ".", depth: 5 },
  find: { pattern: "**/*" },
  grep: { pattern: "row", context: 2 },
  edit: { path: "edit.txt", old_string: "one", new_string: "two" },
  write: { path: "new/file.txt", content: "x\n".repeat(5_000) },
  delete: { path: "many" },
  bash: { command: "cat big.txt" },
};

/** Parameters in order: those a call must have, then the others. */
const declared: Readonly<Record<string, readonly [required: readonly string[], optional: readonly string[]]>> = {
  read: [["path"], ["offset", "limit"]],
  ls: [[], ["path", "depth"]],
  find: [["pattern"], ["path"]],
  grep: [["pattern"], ["path", "glob", "literal", "ignore_case", "context"]],
  edit: [["path", "old_string", "new_string"], ["replace_all"]],
  write: [["path", "content"], []],
  delete: [["path"], []],
  bash: [["command"], ["timeout"]],
};

describe.each(builtInSource.tools().map((tool): [string, Tool] => [tool.name, tool]))(
  "the contract of %s",
  (name, tool) => {
    let environment: TestEnvironment;
    beforeAll(async () => {
      environment = makeTestEnvironment();
      const setUp = `mkdir -p many/deep; for i in $(seq 60); do echo row $i > many/file$i.txt; done; echo one > edit.txt; for i in $(seq 20000); do echo "row $i of the large file"; done > big.txt`;
      await environment.context.shell.run(
        setUp,
        { timeoutMs: 20_000, onOutput: () => {} },
        new AbortController().signal,
      );
    });
    afterAll(() => environment.remove());
    const right = rightCalls[name] ?? {};

    test("has a description in each profile, longer than in the smaller one", () => {
      const [small = 0, middle = 0, full = 0] = (["small", "default", "full"] as const).map(
        (profile) => tool.description(profile).length,
      );
      expect(small).toBeGreaterThan(5);
      expect(middle).toBeGreaterThan(small);
      expect(full).toBeGreaterThan(middle);
    });

    test("declares its parameters in order", () => {
      const [required, optional] = declared[name] ?? [[], []];
      const names = [...required, ...optional];
      expect(tool.parameters).toEqual({
        type: "object",
        properties: Object.fromEntries(names.map((parameter) => [parameter, { type: expect.any(String) }])),
        ...(required.length === 0 ? {} : { required }),
      });
      expect(
        JSON.stringify(tool.parameters).match(/"(?!type|object|properties|required|string|integer|boolean)\w+":/g),
      ).toEqual(names.map((parameter) => `"${parameter}":`));
    });

    test("drops remarks and switched-off options; tools that change something refuse unknown names", () => {
      const fine = { ok: true, input: right, repaired: false };
      expect(tool.parse({ ...right, explanation: "to look", nonsense: false, toString: null })).toMatchObject(fine);
      const isChanging = ["edit", "write", "delete", "bash"].includes(name);
      for (const extra of ["nonsense", "toString", "constructor"])
        expect(tool.parse({ ...right, [extra]: [1] })).toMatchObject(isChanging ? { ok: false } : fine);
    });

    test.each([5, true, [1], [], '{"a', { path: [1, 2], pattern: {}, command: [[]], content: 1, depth: {} }])(
      "answers the invalid input %j with one sentence and an example call",
      (input) => {
        const result = tool.parse(input);
        expect(result.ok ? "" : result.messageForModel).toMatch(
          new RegExp(`^[^\\n]{10,300} Call it like this: ${name} \\{[^\\n]+\\}$`),
        );
      },
    );

    test("its declarations need no disk and are deterministic", () => {
      const parsed = tool.parse(right);
      if (!parsed.ok) throw new Error(parsed.messageForModel);
      expect(tool.access(parsed.input)).toEqual(tool.access(parsed.input));
      expect(tool.access(parsed.input).length).toBeGreaterThan(0);
      expect(tool.target(parsed.input)).not.toBe("");
      expect(tool.locks(parsed.input).shell).toBe(name === "bash");
      expect(tool.locks(parsed.input).paths.length).toBe(["edit", "write", "delete"].includes(name) ? 1 : 0);
    });

    test("a valid call returns text within its limit", async () => {
      const { text, code, result } = await callTool(tool, right, environment.context);
      expect(code).toBeUndefined();
      expect(text).not.toBe("");
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(tool.limits(environment.context.settings).bytes);
      expect(result?.failed ?? false).toBe(false);
    });
  },
);
