/** The reader accepts what the prompts teach: their own examples, and calls as rendered in the history. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import type { Json } from "@/lib/events/content";
import { readParameterShapes } from "@/server/tools/arguments/parameter-shapes";
import { repairArguments } from "@/server/tools/arguments/repair-arguments";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { toolboxToolSource } from "@/server/tools/toolbox/toolbox";
import { convertToTextMode, type TextMode } from "./text-mode";
import { makeCallReader } from "../reader/call-reader";
import { composeStoredPrompt } from "./stored-prompt";

const sources = [builtInSource, toolboxToolSource];
const profiles = ["small", "default", "full"] as const;

function read(text: string, mode: TextMode) {
  const reader = makeCallReader({ tools: builtInSource.tools(), mode });
  reader.push(text);
  return reader.end(true);
}

describe("stored prompt", () => {
  test.each(profiles)("of the %s profile is deterministic and contains its tools in every mode", (profile) => {
    for (const mode of ["native", "react", "xml"] as const) {
      const prompt = composeStoredPrompt(profile, mode, sources);
      expect(JSON.stringify(composeStoredPrompt(profile, mode, sources))).toBe(JSON.stringify(prompt));
      expect(prompt.tools.map((tool) => tool.name)).toEqual(
        sources.flatMap(({ tools }) => tools()).map((tool) => tool.name),
      );
      for (const { name, description } of prompt.tools)
        expect(prompt.system.includes(`- ${name}(`) && prompt.system.includes(description)).toBe(mode !== "native");
    }
  });

  test.each(profiles)(
    "of the %s profile shows a call that the reader accepts, and an ending that is an answer",
    (profile) => {
      const react = composeStoredPrompt(profile, "react", sources).system;
      const lines = /^Thought: .*\nAction: .*\nAction Input: .*$/m.exec(react)?.[0] ?? "";
      expect(read(lines, "react")).toMatchObject([
        { type: "thinking", text: "I need the settings." },
        { type: "call", name: "read", input: { path: "src/settings.ts", limit: 100 } },
      ]);
      const end = react.slice(react.lastIndexOf("Thought:"));
      expect(read(end, "react").at(-1)).toEqual({ type: "text", text: "your answer to the user" });
      const xml = composeStoredPrompt(profile, "xml", sources).system;
      const element = /^<tool name="edit">[^]*?<\/tool>$/m.exec(xml)?.[0] ?? "";
      expect(read(element, "xml")).toMatchObject([
        {
          type: "call",
          name: "edit",
          input: { path: "src/settings.ts", old_string: "const port = 80;", new_string: "const port = 8080;" },
        },
      ]);
    },
  );
});

describe("a native call rendered in the history", () => {
  const line = fc.constantFrom(
    "const a = 1;",
    "  if (b < c) {",
    "}",
    "",
    "// 中文",
    'say("hi")',
    "x = [1, 2]",
    "<div>",
  );
  const text = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));
  const inputs: fc.Arbitrary<readonly [string, { readonly [name: string]: Json }]> = fc.oneof(
    fc.tuple(fc.constant("write"), fc.record({ path: fc.constant("src/a.ts"), content: text })),
    fc.tuple(
      fc.constant("read"),
      fc.record({ path: fc.constant("src/a.ts"), offset: fc.integer({ min: 1, max: 900 }) }),
    ),
    fc.tuple(fc.constant("grep"), fc.record({ pattern: fc.constant("a|b"), literal: fc.boolean() })),
    fc.tuple(fc.constant("ls"), fc.constant({})),
  );
  const storedCallText = (name: string, input: Json, mode: TextMode): string =>
    convertToTextMode([{ role: "assistant", text: "", calls: [{ callId: asId<CallId>("c"), name, input }] }], mode)[0]
      ?.text ?? "";

  test.each(["react", "xml"] as const)(
    "%s: is a call of the same meaning, so a model that copies it is right",
    (mode) => {
      fc.assert(
        fc.property(inputs, ([name, input]) => {
          const blocks = read(storedCallText(name, input, mode), mode);
          const call = blocks[0]?.type === "call" ? blocks[0] : null;
          expect(blocks).toHaveLength(1);
          expect(call?.name).toBe(name);
          const tool = builtInSource.tools().find((one) => one.name === name);
          expect(tool?.parse(call?.input ?? null)).toMatchObject({ ok: true, input });
        }),
        { numRuns: 300 },
      );
    },
  );

  test.each(["react", "xml"] as const)("%s: with nested arguments is read with the same arguments", (mode) => {
    const input: { readonly [name: string]: Json } = {
      title: "Port",
      steps: [
        { path: "a.ts", text: 'say("hi")\n  if (a < b) {}', done: true },
        { path: "b", lines: [1, 2] },
      ],
      owner: { name: "Ada", teams: [] },
    };
    const plan = { name: "plan", parse: (written: Json) => ({ ok: true, input: written }) };
    const reader = makeCallReader({ tools: [plan], mode });
    reader.push(storedCallText("plan", input, mode));
    const [call, ...otherBlocks] = reader.end(true);
    expect(otherBlocks).toEqual([]);
    const written = call?.type === "call" ? call.input : null;
    const shapes = readParameterShapes({
      properties: {
        title: { type: "string" },
        steps: { type: "array", items: { type: "object", properties: {} } },
        owner: { type: "object", properties: {} },
      },
    });
    expect(repairArguments(written, shapes)?.values).toEqual(input);
  });
});
