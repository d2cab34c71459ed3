/** Calls in the text of an answer, with arguments of all types of the schema. */
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { defineTool } from "@/server/tools/core/define-tool";
import { makeCallReader } from "./call-reader";

const chart = defineTool({
  name: "chart",
  kind: "other",
  schema: z.object({
    order: z.enum(["asc", "desc"]),
    scale: z.number(),
    width: z.literal([1, 2]),
    at: z.union([z.int(), z.object({ line: z.int() })]),
    where: z.union([z.boolean(), z.array(z.string())]),
  }),
  example: {},
  limits: () => ({ bytes: 1_000, keep: "head" }),
  target: () => "",
  access: () => [],
  locks: () => ({ paths: [], shell: false }),
  create: () => ({ run: async () => ({ output: [], facts: {} }) }),
});

test.each([
  [
    "react",
    'Thought: I draw it.\nAction: chart\nAction Input: {"order": "DESC", "scale": "0.5", "width": "2", "at": "{\\"line\\": 3}", "where": "a"}',
  ],
  [
    "xml",
    '<tool name="chart">\n<order>"desc"</order>\n<scale>0.5</scale>\n<width>2</width>\n<at>{"line": 3}</at>\n<where>["a"]</where>\n</tool>',
  ],
  [
    "native",
    '<tool_call>\n{"name": "chart", "arguments": {"order": "desc", "scale": 0.5, "width": 2, "at": {"line": 3}, "where": "[\\"a\\"]"}}\n</tool_call>',
  ],
] as const)("%s: a call is read with the types of the schema", (mode, text) => {
  const reader = makeCallReader({ tools: [chart], mode });
  reader.push(text);
  const call = reader.end(true).find((block) => block.type === "call");
  expect(call?.type === "call" ? chart.parse(call.input) : null).toMatchObject({
    ok: true,
    input: { order: "desc", scale: 0.5, width: 2, at: { line: 3 }, where: ["a"] },
  });
});
