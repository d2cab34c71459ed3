import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { describeParameters, signatureOf, formatToolSummary } from "./describe-tool";
import { reduceSchema } from "./reduce-schema";

function makeTool(
  schema: Json,
  name = "github__create_issue",
): { readonly name: string; readonly description: string; readonly parameters: Json } {
  const reduced = reduceSchema(schema);
  if (!reduced.ok) throw new Error(reduced.detail);
  return { name, description: "Creates an issue. In a repository.", parameters: reduced.parameters };
}

const manyMembers = (count: number, member: Json): { readonly [name: string]: Json } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`member_${index}`, member]));

const issue = makeTool({
  properties: {
    owner: { type: "string", description: "Owner of the repository. A user." },
    repo: { type: "string" },
    title: { type: "string" },
    body: { type: "string" },
    labels: { type: "array", items: { type: "string" } },
    state: { enum: ["open", "closed"] },
    meta: { description: "Anything" },
    at: { properties: { line: { type: "integer" } }, required: ["line"] },
  },
  required: ["owner", "repo", "title"],
});

describe("a signature", () => {
  test("has the parameters with their types; text has none", () => {
    expect(signatureOf(issue)).toBe(
      'github__create_issue(owner, repo, title, body?, labels?: [text], state?: "open" | "closed", meta?: any, at?: { line: number })',
    );
  });

  test.each<readonly [name: string, schema: Json, signature: string]>([
    ["without parameters", {}, "x()"],
    [
      "with long types has shorter ones",
      {
        properties: {
          a: { properties: manyMembers(20, {}) },
          b: { items: { properties: manyMembers(20, {}) } },
          c: { enum: ["one", ...Object.keys(manyMembers(20, {}))] },
        },
      },
      'x(a?: {...}, b?: [...], c?: "one" | ...)',
    ],
    [
      "with many parameters has the required ones, and the first optional ones",
      { properties: { ...manyMembers(30, { type: "string" }), id: { type: "integer" } }, required: ["id"] },
      `x(id: number, ${Array.from({ length: 16 }, (_, index) => `member_${index}?, `).join("")}...)`,
    ],
    [
      "with many required parameters has the first",
      { properties: manyMembers(30, { type: "string" }), required: Object.keys(manyMembers(30, {})) },
      `x(${Array.from({ length: 18 }, (_, index) => `member_${index}, `).join("")}...)`,
    ],
    ["with a very long name is without it", { properties: { ["a".repeat(65)]: {}, b: {} } }, "x(b?: any)"],
    ["with a line break in a name is without it", { properties: { "a\nb": {}, b: {} } }, "x(b?: any)"],
    ["with blanks in a name quotes it", { properties: { "a b): c": { type: "string" } } }, 'x("a b): c"?)'],
  ])("%s", (_name, schema, signature) => {
    expect(signatureOf(makeTool(schema, "x"))).toBe(signature);
  });
});

test("a summary is the name or the signature, and the first sentence", () => {
  expect(formatToolSummary(issue, "name")).toBe("github__create_issue: Creates an issue");
  expect(formatToolSummary(makeTool({}, "x"), "signature")).toBe("x(): Creates an issue");
  expect(formatToolSummary({ ...issue, description: "" }, "name")).toBe("github__create_issue");
});

describe("the description of the parameters", () => {
  test("has a line for each", () => {
    expect(describeParameters(issue)).toBe(
      `${signatureOf(issue)}
- owner (text, required): Owner of the repository
- repo (text, required)
- title (text, required)
- body (text, optional)
- labels ([text], optional)
- state ("open" | "closed", optional)
- meta (any, optional): Anything
- at ({ line: number }, optional)`,
    );
  });

  test("of a tool without any says so", () => {
    expect(describeParameters(makeTool({}, "x"))).toBe("x()\nIt takes no input.");
  });

  const long = "A text that says what this is good for, in more than a few words, so that it needs tokens";

  test("drops descriptions from the last one on, those of optional parameters first", () => {
    const members = manyMembers(16, { type: "string", description: long });
    const text = describeParameters(makeTool({ properties: members, required: ["member_15"] }));
    expect(text.match(/^- member_\d+/gm)).toHaveLength(16);
    expect(text).toContain("member_15 (text, required): A text");
    expect(text).toContain("member_0 (text, optional): A text");
    expect(text).toContain("member_14 (text, optional)\n");
    expect(estimateTokens(text)).toBeLessThanOrEqual(300);
  });

  test("leaves out optional parameters, and counts them", () => {
    const members = manyMembers(60, { type: "string", description: long });
    const text = describeParameters(makeTool({ properties: members, required: ["member_59"] }));
    const shown = text.match(/^- member_\d+/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(20);
    expect(text).toContain("- member_59 (text, required)");
    expect(text).toContain(`\n${60 - shown} more optional parameters left out`);
    expect(estimateTokens(text)).toBeLessThanOrEqual(300);
  });

  test("leaves out required parameters last", () => {
    const members = manyMembers(60, { type: "string" });
    const text = describeParameters(makeTool({ properties: members, required: Object.keys(members) }));
    expect(text).toMatch(/\n\d+ more parameters left out$/);
    expect(estimateTokens(text)).toBeLessThanOrEqual(300);
  });
});
