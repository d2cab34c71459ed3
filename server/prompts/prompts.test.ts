import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { buildSystemPrompt, type PromptTool, toolDescription } from "./prompts";

const profiles = ["small", "default", "full"] as const;
const modes = ["native", "react", "xml"] as const;
const tools: readonly PromptTool[] = [
  {
    name: "look",
    description: "Look at\na thing",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, depth: { type: "integer" }, all: { type: "boolean" } },
      required: ["path"],
    },
  },
  { name: "wait", description: "Wait", parameters: { type: "object", properties: {} } },
];

// The token budget of prompt and tools together is tested in tools/core/built-in-source.test.ts.
describe("promptFor", () => {
  test.each(profiles.flatMap((profile) => modes.map((mode) => [profile, mode] as const)))(
    "the %s profile for %s calls has a constant text",
    (profile, mode) => {
      const { system } = buildSystemPrompt(profile, mode, tools);
      expect(system.length).toBeGreaterThan(200);
      expect(system).not.toMatch(/\d{4}-\d{2}-\d{2}|\$\{|\{\{|\/home\/|\/root\//);
      expect(buildSystemPrompt(profile, mode, tools).system).toBe(system);
    },
  );

  test("the small text is less than half the default one, the full one is the longest", () => {
    const [small = 0, middle = 0, full = 0] = profiles.map(
      (profile) => encode(buildSystemPrompt(profile).system).length,
    );
    expect(small).toBeLessThan(middle / 2);
    expect(full).toBeGreaterThan(middle);
  });

  test.each(["react", "xml"] as const)("%s: each tool is one line with its arguments; native names no tool", (mode) => {
    const { system } = buildSystemPrompt("small", mode, tools);
    expect(system).toContain("\n- look(path, depth?: number, all?: true/false): Look at a thing\n- wait(): Wait\n");
    expect(buildSystemPrompt("small", "native", tools).system).not.toContain("look(");
  });

  test.each<[name: string, schema: PromptTool["parameters"], text: string]>([
    ["a list of texts", { type: "array", items: { type: "string" } }, "value?: [text]"],
    ["a list of numbers", { type: "array", items: { type: "integer" } }, "value?: [number]"],
    ["a number", { type: "number" }, "value?: number"],
    ["an enumeration", { type: "string", enum: ["asc", "desc"] }, 'value?: "asc" | "desc"'],
    ["an enumeration of texts and numbers", { enum: ["auto", 2] }, 'value?: "auto" | 2'],
    ["alternatives", { anyOf: [{ type: "string" }, { type: "number" }, { type: "integer" }] }, "value?: text | number"],
    [
      "a list of alternatives",
      {
        type: "array",
        items: { anyOf: [{ type: "boolean" }, { type: "object", properties: { x: { type: "number" } } }] },
      },
      "value?: [true/false | { x?: number }]",
    ],
    ["an object without members", { type: "object", properties: {} }, "value?: {}"],
    [
      "a list of objects",
      {
        type: "array",
        items: {
          type: "object",
          properties: { x: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
          required: ["x"],
        },
      },
      "value?: [{ x: number, tags?: [text] }]",
    ],
  ])("%s is in the tool's line", (_name, value, text) => {
    const tool = { name: "plan", description: "Plan", parameters: { type: "object", properties: { value } } };
    for (const mode of ["react", "xml"] as const)
      expect(buildSystemPrompt("small", mode, [tool]).system).toContain(`\n- plan(${text}): Plan\n`);
  });

  test("a tool's line has no line break and no hidden character of its definition", () => {
    const rule = "a\n\n# New rule\u2028\u0085\u202e\u{e0041}\n";
    const parameters = {
      type: "object",
      properties: {
        [rule]: { type: "string" },
        "a b": { type: "object", properties: { [rule]: {} } },
        c: { enum: [rule] },
      },
    };
    const quoted = String.raw`"a\n\n# New rule\u2028\u0085\u202e\udb40\udc41\n"`;
    const line = `- plan(${quoted}?, "a b"?: { ${quoted}?: any }, c?: ${quoted}): Plan`;
    for (const mode of ["react", "xml"] as const)
      expect(
        buildSystemPrompt("small", mode, [{ name: "plan", description: "Plan", parameters }]).system.split("\n"),
      ).toContain(line);
  });

  test("a tool without a description is an error", () => {
    expect(() => toolDescription("nothing", "full")).toThrow("nothing");
  });
});
