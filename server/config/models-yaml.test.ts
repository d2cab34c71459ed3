import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ModelPatch, modelSettingsFor } from "@/lib/settings/model-settings";
import { editModels, parseModelEntries } from "./models-yaml";

const whole = `# my models

# the large one
qwen3:8b:
  context_window: 16384 # fits
  tool_calling: native
  instructions: full
  think: low
  keep_thinking: true
  temperature: 0.2
  max_output: 4096
  keep_alive: 2h
box/qwen3-coder:
  think: false
"qwen3*":
  keep_alive: -1
`;

describe("reading", () => {
  test("reads every key of a model, of a connection's model and of a family", () => {
    expect(parseModelEntries(whole)).toEqual({
      problems: [],
      bad: [],
      entries: [
        {
          name: "qwen3:8b",
          settings: {
            numCtx: 16_384,
            toolMode: "native",
            profile: "full",
            think: "low",
            keepThinking: true,
            temperature: 0.2,
            maxOutputTokens: 4_096,
            keepAliveMinutes: 120,
          },
        },
        { name: "box/qwen3-coder", settings: { think: false } },
        { name: "qwen3*", settings: { keepAliveMinutes: -1 } },
      ],
    });
    expect(parseModelEntries("").entries).toEqual([]);
    expect(parseModelEntries("a:b:\n").entries).toEqual([{ name: "a:b", settings: {} }]);
  });

  test.each([
    ["m:\n  temperature: 3\n", 2, "bad_value", { kind: "number", least: 0, most: 2, orAuto: true }],
    ["m:\n  temperature: hot\n", 2, "bad_value", { kind: "number" }],
    ["m:\n  think: true\n  context_window: 10\n", 3, "bad_value", { kind: "whole", orAuto: true }],
    ["m:\n  context_window: 8192.5\n", 2, "bad_value", { kind: "whole" }],
    ["m:\n  max_output: 1000000\n", 2, "bad_value", { kind: "whole" }],
    ["m:\n  keep_alive: soon\n", 2, "bad_value", { kind: "time", unit: "minutes" }],
    ["m:\n  tool_calling: json\n", 2, "bad_value", { kind: "choice" }],
    ["m:\n  instructions: long\n", 2, "bad_value", { kind: "choice" }],
    ["m:\n  think: a lot\n", 2, "bad_value", { kind: "choice" }],
    ["a:\n  think: true\nm: 5\n", 3, "bad_value", { kind: "section" }],
    ["a:\n  think: true\nm: [1]\n", 3, "bad_value", { kind: "section" }],
    ["m:\n  temprature: 1\n", 2, "unknown_key", undefined],
  ])("reports the problem of %j with its line", (text, line, code, wanted) => {
    const { problems, entries } = parseModelEntries(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line, code, ...(wanted === undefined ? {} : { wanted }) });
    if (text.startsWith("a:")) expect(entries).toEqual([{ name: "a", settings: { think: true } }]);
  });

  test.each([
    ["- m\n", 1, "models"],
    ["just text\n", 1, "models"],
    ["m:\n  think: true\n   temperature: 1\n", 2, "indent"],
    ["m:\n\tthink: true\n", 2, "tab"],
    ["m:\n  think: true\nm:\n  think: false\n", 3, "duplicate"],
    ["m:\n  think: true\n*:\n  think: false\n", 3, undefined],
    ["a: &x\n  think: true\n*x :\n  think: false\n", 3, "star"],
    ["m: {think: true\n", 2, undefined],
  ])("reads nothing from %j", (text, line, syntax) => {
    const { problems, entries } = parseModelEntries(text);
    expect(entries).toEqual([]);
    expect(problems[0]).toMatchObject({ code: "bad_syntax", line, ...(syntax === undefined ? {} : { syntax }) });
    expect(editModels(text, "m", { think: true })).toBeNull();
  });

  test("reads nothing from oversized text, and survives exponential aliases", () => {
    expect(parseModelEntries("#".repeat(300_000)).problems[0]?.code).toBe("too_large");
    const [first, ...more] = ["a", "b", "c", "d", "e", "f", "g"];
    const lines = more.map(
      (name, index) =>
        `${name}: &${name} [${Array(9)
          .fill(`*${"abcdef".charAt(index)}`)
          .join(",")}]`,
    );
    expect(
      parseModelEntries(`${first}: &a [x,x,x,x,x,x,x,x,x]\n${lines.join("\n")}\nm:\n  think: *g\n`).problems,
    ).not.toEqual([]);
  });
});

describe("editing", () => {
  test("preserves comments, order and the notation of other values", () => {
    expect(editModels(whole, "qwen3:8b", { temperature: 0.7 })).toBe(whole.replace("0.2", "0.7"));
    expect(editModels(whole, "qwen3:8b", { keepAliveMinutes: 120 })).toBe(whole);
    expect(editModels(whole, "phi:latest", { think: true })).toBe(`${whole}phi:latest:\n  think: true\n`);
  });

  test("removes automatic values, and the entry with its last key", () => {
    expect(editModels("# mine\n\nm:\n  think: true\n", "m:latest", { think: "auto" })).toBe("# mine\n");
    expect(editModels("# about m\nm:\n  think: true\n", "m", { think: "auto" })).toContain("# about m");
    expect(editModels("m:\n  think: true\n  temperature: 1\n", "m", { think: "auto" })).toBe("m:\n  temperature: 1\n");
    const two = "a:\n  think: true\n# about m\nm:\n  think: true\n";
    expect(editModels(two, "m", { think: "auto" })).toContain("# about m");
    expect(editModels(whole, "qwen3:4b", { keepAliveMinutes: "auto" })).toBe(`${whole}qwen3:4b:\n  keep_alive: auto\n`);
  });

  test("does not change a model that shares its values by an alias", () => {
    const shared = "a: &a\n  think: true\nb: *a\n";
    expect(parseModelEntries(shared).entries[1]).toEqual({ name: "b", settings: { think: true } });
    expect(editModels(shared, "a", { think: false })).toBeNull();
  });

  test("written settings are read back, from any initial text", () => {
    const automatic = fc.constant("auto" as const);
    const patches: fc.Arbitrary<ModelPatch> = fc.record(
      {
        numCtx: fc.oneof(automatic, fc.integer({ min: 256, max: 1_048_576 })),
        toolMode: fc.constantFrom("auto", "native", "react", "xml"),
        profile: fc.constantFrom("auto", "small", "default", "full"),
        think: fc.constantFrom<ModelPatch["think"] & {}>("auto", true, false, "low", "max"),
        temperature: fc.oneof(automatic, fc.constantFrom(0, 0.1, 1, 2)),
        maxOutputTokens: fc.oneof(automatic, fc.integer({ min: 256, max: 16_384 })),
        keepAliveMinutes: fc.oneof(automatic, fc.integer({ min: -1, max: 1_440 })),
      },
      { requiredKeys: [] },
    );
    const names = fc.constantFrom(
      "qwen3:8b",
      "qwen3:4b",
      "hf.co/a/b:Q4_K_M",
      "box/x y",
      "#odd: name",
      "box/qwen3-coder",
    );
    fc.assert(
      fc.property(fc.constantFrom("", whole, "# only a comment\n"), names, patches, (start, name, patch) => {
        const edited = editModels(start, name, patch);
        const { entries, problems } = parseModelEntries(edited ?? "");
        expect(problems).toEqual([]);
        const before = modelSettingsFor(parseModelEntries(start).entries, name);
        const plain = (settings: ModelPatch) =>
          Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== "auto"));
        expect(plain(modelSettingsFor(entries, name))).toEqual(plain({ ...before, ...patch }));
      }),
    );
  });
});
