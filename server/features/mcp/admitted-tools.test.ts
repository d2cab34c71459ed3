/** Edits of the file by hand while the server is approved: which tools it admits, and whether it is disabled. */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import type { Json } from "@/lib/events/content";
import { ToolError } from "@/server/tools/core/tool";
import { never } from "./test-mcp";
import { makeMcpRig, type McpRig, succeed } from "./test-feature";

/** Writes the entry of the server, and waits until the file was read again. */
async function edit(rig: McpRig, more: { readonly [name: string]: Json }): Promise<void> {
  const before = JSON.stringify(await rig.state());
  writeFileSync(rig.file, rig.config(more));
  await eventually(async () => expect(JSON.stringify(await rig.state())).not.toBe(before));
}

/** A tool of the server as a run that has begun has it. Its calls give their text, or the error. */
function prepare({ sources, projectId, harness }: McpRig, name: string) {
  const found = sources()
    .flatMap(({ tools }) => tools(projectId))
    .find((tool) => tool.name === name);
  const runner = found?.tool.createTrial?.({ vision: true, storeBlob: harness.store.blobs.putAsync });
  if (runner === undefined) throw new Error(`no tool ${name}`);
  const call = { id: null, isAttended: () => false, progress: () => {} };
  return async (): Promise<string> => {
    try {
      return JSON.stringify((await runner.run({ text: "hi", number: 1 }, call, never)).output);
    } catch (error) {
      if (error instanceof ToolError) return `${error.code}: ${error.message}`;
      throw error;
    }
  };
}

const offered = ({ sources, projectId }: McpRig): readonly string[] =>
  sources().flatMap(({ tools }) => tools(projectId).map(({ name }) => name));

const shown = async (rig: McpRig) => (await rig.only()).tools.map(({ ownName, status }) => [ownName, status]);

test("a tool that the file excludes after the approval is neither offered nor called, until the file admits it", async () => {
  const rig = await makeMcpRig();
  const { commands, projectId } = rig;
  writeFileSync(rig.file, rig.config());
  await rig.approve();
  const callEcho = prepare(rig, "my_server__echo");
  expect(await callEcho()).toContain("echo {");
  const { hash } = (await rig.only()).tools.find(({ ownName }) => ownName === "echo") ?? { hash: null };
  if (hash === null) throw new Error("no echo");

  const edits: readonly { readonly [name: string]: Json }[] = [
    { excludeTools: ["echo"] },
    { includeTools: ["close_issue"] },
  ];
  for (const more of edits) {
    await edit(rig, more);
    expect(await shown(rig)).toEqual([["close_issue", "ready"]]);
    expect(offered(rig)).toEqual(["my_server__close_issue"]);
    expect(await callEcho()).toBe(
      "tool_off: echo of My Server is excluded in the server's configuration file. Do not call it again; the user can admit it there.",
    );
    const input = { projectId, server: "my_server" };
    expect(await commands["mcp.accept"]({ ...input, tools: [{ name: "echo", hash }] })).toMatchObject({ ok: false });
    expect(await commands["mcp.set_tool"]({ ...input, tool: "echo", isOff: true })).toMatchObject({ ok: false });
    await edit(rig, {});
    expect(offered(rig)).toEqual(["my_server__close_issue", "my_server__echo"]);
    expect(await callEcho()).toContain("echo {");
  }
});

test("a tool that the file excluded at the approval waits for one of its own when the file admits it", async () => {
  const rig = await makeMcpRig();
  const { commands, projectId } = rig;
  writeFileSync(rig.file, rig.config({ excludeTools: ["echo"] }));
  await rig.approve();
  expect(await shown(rig)).toEqual([["close_issue", "ready"]]);

  // The server is not started for this.
  await edit(rig, {});
  expect(await shown(rig)).toEqual([
    ["close_issue", "ready"],
    ["echo", "new"],
  ]);
  expect(offered(rig)).toEqual(["my_server__close_issue"]);
  const tools = (await rig.only()).tools.map(({ ownName: name, hash }) => ({ name, hash }));
  succeed(await commands["mcp.accept"]({ projectId, server: "my_server", tools }));
  expect(offered(rig)).toEqual(["my_server__close_issue", "my_server__echo"]);
});

test("excluding one of two tools with similar names leaves the other its name", async () => {
  const tool = (name: string) => ({ name, description: "Gets it.", inputSchema: { type: "object" } });
  const rig = await makeMcpRig([tool("get item"), tool("get_item")]);
  writeFileSync(rig.file, rig.config());
  await rig.approve();
  const [, second] = offered(rig);
  await edit(rig, { excludeTools: ["get item"] });
  expect(offered(rig)).toEqual([second]);
});

test("a server that is disabled in the file ends, and its tools are refused", async () => {
  const rig = await makeMcpRig();
  writeFileSync(rig.file, rig.config());
  await rig.approve();
  const callEcho = prepare(rig, "my_server__echo");
  expect(await callEcho()).toContain("echo {");
  expect((await rig.only()).status).toBe("running");

  await edit(rig, { disabled: true });
  expect((await rig.only()).status).toBe("disabled");
  expect(await callEcho()).toBe(
    "tool_off: The server My Server was switched off. Do not call its tools again; the user can switch it on in Settings > Tools.",
  );
  await edit(rig, {});
  // It had ended.
  expect((await rig.only()).status).toBe("idle");
});

test("a call that was prepared before the command line changed does not end the process of the new one", async () => {
  const rig = await makeMcpRig();
  writeFileSync(rig.file, rig.config());
  await rig.approve();
  const callFormer = prepare(rig, "my_server__echo");
  await edit(rig, { env: { LIST_TOKEN: "new" } });
  await rig.approve();
  expect(await prepare(rig, "my_server__echo")()).toContain("new");
  expect((await rig.only()).status).toBe("running");
  expect(await callFormer()).toMatch(/^tool_changed: /);
  expect((await rig.only()).status).toBe("running");
});
