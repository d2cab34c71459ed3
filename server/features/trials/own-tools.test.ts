/** The tools of this program and of extensions, as the settings list them. */
import { expect, test } from "vitest";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { makeTestCatalogue } from "@/server/tools/toolbox/test-catalogue";
import { toolboxToolSource } from "@/server/tools/toolbox/toolbox";
import { listOwnTools } from "./own-tools";

test("tools of this program and of extensions are listed, also those that are off; no skill and no server", () => {
  const catalogue = makeTestCatalogue({
    [ownSourceIds.web]: [{ name: "web_fetch", description: "Reads a page. Asks first.", obstacle: { kind: "off" } }],
    [ownSourceIds.memory]: [{ name: "remember" }],
    [ownSourceIds.subagent]: [{ name: "spawn" }],
    [ownSourceIds.skill]: [{ name: "skill:pdf" }],
    probe: [{ name: "probe__look" }],
    github: [{ name: "github__create_issue" }],
  });
  const rows = listOwnTools(catalogue, new Set(["probe", "other"]));
  expect(rows.map(({ name, source }) => [source.kind, name])).toEqual([
    ...[builtInSource, toolboxToolSource].flatMap(({ tools }) => tools()).map(({ name }) => ["built_in", name]),
    ["memory", "remember"],
    ["extension", "probe__look"],
    ["subagent", "spawn"],
    ["web", "web_fetch"],
  ]);
  expect(rows.at(-1)).toMatchObject({ description: "Reads a page" });
  expect(rows.every(({ tokens }) => tokens > 0)).toBe(true);
});
