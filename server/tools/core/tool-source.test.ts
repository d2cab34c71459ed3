import { describe, expect, test } from "vitest";
import type { ToolSchema } from "@/lib/models/stored-prompt";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { builtInSource } from "./built-in-source";
import type { Tool } from "./tool";
import { composeToolSchemas, resolveTools, type ToolSource } from "./tool-source";

const makeTool = (name: string, words = 1): Tool => ({
  name,
  kind: "other",
  description: () => "word ".repeat(words).trim(),
  parameters: { type: "object", properties: {} },
  limits: () => ({ bytes: 1_000, keep: "head" }),
  parse: (input) => ({ ok: true, input, repaired: false }),
  target: () => name,
  access: () => [],
  locks: () => ({ paths: [], shell: false }),
  create: () => ({ run: async () => ({ output: [], facts: {} }) }),
});
const makeSource = (tools: readonly Tool[], budgetTokens: number | null): ToolSource => ({
  id: "test",
  budgetTokens,
  tools: () => tools,
});
const names = (schemas: readonly ToolSchema[]): readonly string[] => schemas.map(({ name }) => name);
const builtInNames = builtInSource.tools().map(({ name }) => name);

describe("the tools of a new prompt", () => {
  test("are the built-in ones, then those of the other sources, in order", () => {
    const sources = [builtInSource, makeSource([makeTool("two"), makeTool("one")], null)];
    expect(names(composeToolSchemas(sources, "default"))).toEqual([...builtInNames, "two", "one"]);
  });

  test("fit the budget of their source: a tool too large for the rest is left out, a later one is not", () => {
    const tools = [makeTool("first"), makeTool("large", 400), makeTool("last")];
    const small = estimateTokens(
      JSON.stringify(composeToolSchemas([makeSource(tools.slice(0, 1), null)], "default")[0]),
    );
    const sources = [builtInSource, makeSource(tools, small * 2)];
    expect(names(composeToolSchemas(sources, "default"))).toEqual([...builtInNames, "first", "last"]);
    expect(names(composeToolSchemas([builtInSource, makeSource(tools, small - 1)], "default"))).toEqual(builtInNames);
  });

  test("leave out a name whose first source has no room for it: its calls would run another tool", () => {
    const sources = [builtInSource, makeSource([makeTool("same", 400)], 1), makeSource([makeTool("same")], null)];
    expect(names(composeToolSchemas(sources, "default"))).toEqual(builtInNames);
  });

  test("have one name each: the first source's", () => {
    const sources = [builtInSource, makeSource([makeTool("read"), makeTool("own")], 10_000)];
    const schemas = composeToolSchemas(sources, "default");
    expect(names(schemas)).toEqual([...builtInNames, "own"]);
    expect(resolveTools(schemas, sources).find(({ name }) => name === "read")?.kind).toBe("read");
  });
});

test("the tools of a session are those of its prompt, also where sources offer more or less", () => {
  const schemas = composeToolSchemas([builtInSource, makeSource([makeTool("old")], null)], "small");
  const prompt = schemas.filter(({ name }) => name === "read" || name === "old");
  const tools = resolveTools(prompt, [makeSource([makeTool("new")], null), builtInSource]);
  expect(tools.map(({ name, kind }) => [name, kind])).toEqual([
    ["read", "read"],
    ["old", "other"],
  ]);
});
