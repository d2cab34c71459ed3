/** Ids of extensions beside those of servers and APIs: rules and approvals are by id. */
import { expect, test } from "vitest";
import { asId, type Hash, type RuleId } from "@/lib/events/id";
import { bashScript, makeExtensionsRig, valueOf, writeExtension } from "./test-extensions";

const files = {
  "extension.yaml": "tools: [{name: look, description: Looks., run: run.sh}]",
  "run.sh": bashScript("echo x"),
};
const source = { launch: asId<Hash>("h"), instructions: "", tools: [] };

test.each([
  ["an approved server", "mcp", "My Tools", "my_tools"],
  ["the number of an approved server", "mcp", "My Tools", "my_tools2"],
  ["an API", "openapi", "my_tools", "my_tools"],
] as const)("an extension with the id of %s cannot be enabled", async (_of, kind, other, name) => {
  const rig = await makeExtensionsRig();
  const { projectId } = rig;
  rig.harness.store.toolSources.save({ kind, projectId: null, name: other }, source);
  writeExtension(rig.place, name, files);
  const { path, hash, status, problems } = await rig.find(name);
  expect({ status, problems }).toMatchObject({
    status: "unusable",
    problems: [{ kind: "source_taken", detail: name }],
  });
  if (hash === null) throw new Error("no hash");
  expect(await rig.commands["extensions.enable"]({ projectId, extension: path, hash })).toMatchObject({
    error: { code: "bad_input" },
  });
});

test("an enabled extension keeps its id, and begins and ends without rights", async () => {
  const rig = await makeExtensionsRig();
  const { projectId } = rig;
  const { rules, toolSources } = rig.harness.store;
  const allow = (): void => {
    rules.add({
      id: asId<RuleId>("r1"),
      projectId,
      effect: "allow",
      tool: "external",
      pattern: "probe/look",
      createdAt: 1,
    });
  };
  writeExtension(rig.place, "probe", files);
  allow();
  const { path } = await rig.enable("probe");
  expect(rules.list(projectId)).toEqual([]);
  expect(toolSources.names("extension")).toEqual(["probe"]);
  toolSources.save({ kind: "mcp", projectId: null, name: "probe" }, source);
  expect((await rig.find("probe")).status).toBe("on");
  allow();
  valueOf(await rig.commands["extensions.disable"]({ projectId, extension: path }));
  expect(rules.list(projectId)).toEqual([]);
  expect(toolSources.names("extension")).toEqual([]);
});
