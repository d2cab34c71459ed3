import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import type { Catalogue, UnlistedSource } from "./catalogue";
import { explainName } from "./find-tool";
import { resolveToolboxCall } from "./resolve-call";
import { makeTestCatalogue } from "./test-catalogue";

const unlisted: readonly UnlistedSource[] = [
  { id: "everything", page: "Tools", obstacle: { kind: "off" }, tools: [] },
  { id: "everything_new", page: "Tools", obstacle: { kind: "unapproved" }, tools: [] },
  { id: "proj", page: "Tools", obstacle: { kind: "changed" }, tools: [] },
  { id: "tickets", page: "Extensions", obstacle: { kind: "off" }, tools: [] },
  {
    id: "files",
    page: "Tools",
    obstacle: null,
    tools: [{ name: "files__get-sum", obstacle: { kind: "unapproved" } }],
  },
  // The second extension of a name whose first one is listed.
  { id: "mine", page: "Extensions", obstacle: { kind: "unusable", detail: "its name is taken" }, tools: [] },
];
const catalogue: Catalogue = {
  ...makeTestCatalogue({
    mine: [{ name: "mine__fail" }, { name: "mine__get-sum" }],
    files: [{ name: "files__read" }],
    tickets_archive: [{ name: "tickets_archive__find" }],
  }),
  unlisted: () => unlisted,
};

describe("a name that a source has without listing it", () => {
  test.each([
    ["everything__get-sum", "tool_off", "everything is switched off"],
    ["everything", "tool_off", "everything is switched off"],
    ["mcp__everything__get_sum", "tool_off", "everything is switched off"],
    ["Everything.getSum", "tool_off", "everything is switched off"],
    ["everything_new__get-sum", "not_approved", "everything_new waits for the approval"],
    ["proj__fail", "tool_changed", "proj is different from what the user approved"],
    ["tickets__find", "tool_off", "the user can switch it on in Settings > Extensions"],
    ["files__get-sum", "not_approved", "files__get-sum waits for the approval"],
    ["files.getSum", "not_approved", "files__get-sum waits for the approval"],
    ["get-sum", "not_approved", "files__get-sum waits for the approval"],
  ])("%s is explained: %s", (name, code, text) => {
    expect(explainName(name, catalogue)).toMatchObject({ code, text: expect.stringContaining(text) });
  });

  test.each([
    "files__unheard",
    "mine__unheard",
    // The source tickets, which is off, is not that of the name.
    "tickets_archive__create_ticket",
    "Tickets-Archive.create_ticket",
    "projector",
    "unheard",
    "",
  ])("%j is not", (name) => {
    expect(explainName(name, catalogue)).toBeNull();
  });

  test("is not taken for a tool of another source", () => {
    const calls: readonly Json[] = [
      { tool: "proj__fail", input: {} },
      { source: "proj", tool: "fail", input: {} },
      { server: "files", name: "get-sum", arguments: {} },
    ];
    for (const call of calls) {
      const resolved = resolveToolboxCall(call, catalogue);
      expect(resolved.kind === "error" && ["tool_changed", "not_approved"].includes(resolved.code)).toBe(true);
      expect(resolved).not.toMatchObject({ text: expect.stringContaining("mine__") });
    }
  });

  test("is neither listed nor found by a search", () => {
    const questions: readonly Json[] = [{}, { search: "sum" }, { tool: "files" }];
    for (const input of questions) {
      const [whole, listed] = [catalogue, { ...catalogue, unlisted: undefined }].map((one) =>
        resolveToolboxCall(input, one),
      );
      expect(whole).toEqual(listed);
    }
  });
});
