/** Servers of a project's files, and servers of the home that list other tools in one project than in another. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import type { Json } from "@/lib/events/content";
import { asId, type Hash, type RuleId } from "@/lib/events/id";
import { callAnswer, promptAndWait, textAnswer } from "@/server/session/testing/test-harness";
import { callsOf, close, echo, makeMcpRig, promptAndAllow, succeed } from "./test-feature";

type Rig = Awaited<ReturnType<typeof makeMcpRig>>;

const server = (rig: Rig, more: { readonly [name: string]: Json } = {}): Json => ({
  ...JSON.parse(rig.config()).mcpServers["My Server"],
  ...more,
});

function writeInProject({ harness }: Rig, path: string, value: Json): string {
  const file = join(harness.root, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const trust = ({ harness, projectId }: Rig) => harness.store.projects.setTrust(projectId, Date.now());
const idsOf = async (rig: Rig) => (await rig.state()).servers.map(({ id }) => id);

async function approveIn(rig: Rig, id: string): Promise<void> {
  const { commands, projectId } = rig;
  const find = async () => (await rig.state()).servers.find((one) => one.id === id);
  const launch = (await find())?.launchHash;
  if (launch === undefined) throw new Error(`no server ${id}`);
  succeed(await commands["mcp.approve"]({ projectId, server: id, launch }));
  await eventually(async () => expect((await find())?.status).toBe("idle"));
}

describe("the files of a project", () => {
  test("are read once the project is trusted; each server is off until approved, with its file as origin", async () => {
    const rig = await makeMcpRig();
    const { commands, projectId, harness, session } = rig;
    const common = writeInProject(rig, ".mcp.json", { mcpServers: { one: server(rig) } });
    const cursor = writeInProject(rig, ".cursor/mcp.json", { mcpServers: { two: server(rig), ONE: server(rig) } });
    const code = writeInProject(rig, ".vscode/mcp.json", { servers: { three: server(rig) } });
    const own = writeInProject(rig, ".gopi/mcp.json", { mcpServers: { four: server(rig) } });
    expect(await rig.state()).toMatchObject({ servers: [], untrusted: [own, common, cursor, code] });
    trust(rig);
    const { servers, untrusted } = await rig.state();
    expect(untrusted).toBeUndefined();
    expect(servers.map(({ id, file, isOfProject, status }) => [id, file, isOfProject, status])).toEqual([
      ["four", own, true, "unapproved"],
      ["one", common, true, "unapproved"],
      ["three", code, true, "unapproved"],
      ["two", cursor, true, "unapproved"],
    ]);
    expect(servers[1]?.alsoIn).toEqual([cursor]);
    harness.script(callAnswer(["toolbox", { tool: "one__echo", input: { text: "a" } }]), textAnswer("Done."));
    await promptAndWait(session, "go");
    expect(callsOf(session.view)).toMatchObject([{ state: "error", facts: { code: "not_approved" } }]);

    await approveIn(rig, "one");
    harness.script(callAnswer(["toolbox", { tool: "one__echo", input: { text: "a" } }]), textAnswer("Done."));
    await promptAndAllow(session);
    expect(callsOf(session.view).at(-1)).toMatchObject({ name: "one__echo", state: "ok" });
    // The approval is removed here, the file stays as it is.
    succeed(await commands["mcp.remove"]({ projectId, server: "one" }));
    expect((await rig.state()).servers[1]).toMatchObject({ id: "one", status: "unapproved" });
    expect(await commands["mcp.disable"]({ projectId, server: "one", disabled: true })).toMatchObject({
      ok: false,
      error: { code: "not_allowed" },
    });
  });

  test("get other ids than an extension, and no rights of an earlier source", async () => {
    const rig = await makeMcpRig();
    const { toolSources, rules } = rig.harness.store;
    trust(rig);
    writeFileSync(rig.file, rig.config());
    writeInProject(rig, ".mcp.json", { mcpServers: { one: server(rig) } });
    expect(await idsOf(rig)).toEqual(["my_server", "one"]);
    const extension = { launch: asId<Hash>("h"), instructions: "", tools: [] };
    for (const name of ["my_server", "one"]) toolSources.save({ kind: "extension", projectId: null, name }, extension);
    expect(await idsOf(rig)).toEqual(["my_server2", "one2"]);
    const { projectId } = rig;
    rules.add({
      id: asId<RuleId>("r1"),
      projectId,
      effect: "allow",
      tool: "external",
      pattern: "one2/echo",
      createdAt: 1,
    });
    await approveIn(rig, "one2");
    expect(rules.list(projectId)).toEqual([]);
  });

  test("a server whose id moves to a number is off until approved, and gets no rights of that id", async () => {
    const rig = await makeMcpRig();
    const { rules, approvedTools } = rig.harness.store;
    const { projectId } = rig;
    trust(rig);
    writeInProject(rig, ".mcp.json", { mcpServers: { one: server(rig), one2: server(rig) } });
    await approveIn(rig, "one");
    await approveIn(rig, "one2");
    const allow = (id: string, pattern: string) =>
      rules.add({ id: asId<RuleId>(id), projectId, effect: "allow", tool: "external", pattern, createdAt: 1 });
    allow("r1", "one/echo");
    allow("r2", "one2/echo");
    const statuses = async () => (await rig.state()).servers.map(({ id, status }) => `${id} ${status}`);
    expect(await statuses()).toEqual(["one idle", "one2 idle"]);
    writeFileSync(rig.file, JSON.stringify({ mcpServers: { one: server(rig) } }));
    // The id one2, with its rule, is now that of another server of the project.
    const moved = ["one unapproved", "one2 unapproved", "one22 unapproved"];
    await eventually(async () => expect(await statuses()).toEqual(moved));
    await approveIn(rig, "one2");
    expect(rules.list(projectId)).toMatchObject([{ pattern: "one/echo" }]);
    await approveIn(rig, "one");
    expect(rules.list(projectId)).toEqual([]);
    expect(approvedTools.list(projectId).size).toBe(0);
    // The home's server is gone: the project's gets its id again, but not the approval of then.
    allow("r3", "one/echo");
    rmSync(rig.file);
    await eventually(async () => expect(await statuses()).toEqual(["one unapproved", "one2 idle"]));
    await approveIn(rig, "one");
    expect(rules.list(projectId)).toEqual([]);
  });

  test("are read again when they change: another definition asks again, and ends its process", async () => {
    const rig = await makeMcpRig();
    const { session, harness } = rig;
    trust(rig);
    const file = writeInProject(rig, ".mcp.json", { mcpServers: { one: server(rig) } });
    await approveIn(rig, "one");
    harness.script(callAnswer(["toolbox", { tool: "one__echo", input: { text: "a" } }]), textAnswer("Done."));
    await promptAndAllow(session);
    expect((await rig.state()).servers).toMatchObject([{ status: "running" }]);
    writeInProject(rig, ".mcp.json", { mcpServers: { one: server(rig, { env: { MORE: "1" } }) } });
    await eventually(async () =>
      expect((await rig.state()).servers).toMatchObject([{ status: "unapproved", tools: [] }]),
    );
    // The former definition is still the approved one.
    writeInProject(rig, ".mcp.json", { mcpServers: { one: server(rig) } });
    await eventually(async () => expect((await rig.state()).servers).toMatchObject([{ status: "idle" }]));
    writeFileSync(file, "{");
    await eventually(async () =>
      expect(await rig.state()).toMatchObject({ servers: [{ id: "one" }], problems: [{ file }] }),
    );
    rmSync(file);
    await eventually(async () => expect(await idsOf(rig)).toEqual([]));
  });

  test("have no effect any more when the trust is withdrawn", async () => {
    const rig = await makeMcpRig();
    const { session, harness } = rig;
    trust(rig);
    writeInProject(rig, ".mcp.json", { mcpServers: { one: server(rig) } });
    await approveIn(rig, "one");
    harness.store.projects.setTrust(rig.projectId, null);
    expect(await idsOf(rig)).toEqual([]);
    harness.script(callAnswer(["toolbox", { tool: "one__echo", input: { text: "a" } }]), textAnswer("Done."));
    await promptAndWait(session, "go");
    expect(callsOf(session.view)).toMatchObject([{ state: "error" }]);
  });

  test("are watched at the new place after the folder was moved", async () => {
    const rig = await makeMcpRig();
    const { harness, projectId } = rig;
    await rig.state();
    const moved = join(harness.userHome, "moved");
    mkdirSync(moved);
    succeed(await harness.services().projects.relink(projectId, moved));
    await rig.state();
    // The first report is that the files are missing.
    await eventually(() => expect(rig.changedProjects).toContain(projectId));
    rig.changedProjects.length = 0;
    writeFileSync(join(moved, ".mcp.json"), "{}");
    await eventually(() => expect(rig.changedProjects).toContain(projectId));
  });

  test("end their processes when the trust is withdrawn, and so do those of the home, which ran in the project", async () => {
    const rig = await makeMcpRig();
    const { session, harness, projectId } = rig;
    trust(rig);
    writeFileSync(rig.file, rig.config());
    writeInProject(rig, ".mcp.json", { mcpServers: { one: server(rig) } });
    await rig.approve();
    await approveIn(rig, "one");
    for (const source of ["one", "my_server"]) {
      harness.script(callAnswer(["toolbox", { tool: `${source}__echo`, input: { text: "a" } }]), textAnswer("Done."));
      await promptAndAllow(session);
    }
    const running = async (): Promise<readonly string[]> =>
      (await rig.state()).servers.filter(({ status }) => status === "running").map(({ id }) => id);
    expect(await running()).toEqual(["my_server", "one"]);
    harness.store.projects.setTrust(projectId, null);
    rig.trustWithdrawn(projectId);
    trust(rig);
    expect(await running()).toEqual([]);
  });

  test("get other ids than servers of the home whose names differ in case", async () => {
    const rig = await makeMcpRig();
    writeFileSync(rig.file, JSON.stringify({ mcpServers: { GitHub: server(rig) } }));
    writeInProject(rig, ".mcp.json", { mcpServers: { github: server(rig) } });
    trust(rig);
    expect((await rig.state()).servers.map(({ id, name }) => [id, name])).toEqual([
      ["github", "GitHub"],
      ["github2", "github"],
    ]);
  });

  test("leave the servers of the home their names and rights", async () => {
    const rig = await makeMcpRig();
    const { harness, session, projectId, commands } = rig;
    trust(rig);
    writeFileSync(rig.file, rig.config());
    await rig.approve();
    writeInProject(rig, ".mcp.json", { mcpServers: { "My Server": server(rig, { env: { OTHER: "1" } }) } });
    await eventually(async () => expect(await idsOf(rig)).toEqual(["my_server", "my_server2"]));
    expect((await rig.state()).servers).toMatchObject([
      { isOfProject: false, status: "idle" },
      { isOfProject: true, status: "unapproved" },
    ]);
    await approveIn(rig, "my_server2");
    // Both processes run side by side.
    for (const name of ["my_server__echo", "my_server2__echo"]) {
      harness.script(callAnswer(["toolbox", { tool: name, input: { text: "a" } }]), textAnswer("Done."));
      await promptAndAllow(session);
      expect(callsOf(session.view).at(-1)).toMatchObject({ name, state: "ok" });
    }
    expect((await rig.state()).servers.map(({ status }) => status)).toEqual(["running", "running"]);
    succeed(await commands["mcp.stop"]({ projectId, server: "my_server2" }));
    expect((await rig.state()).servers.map(({ status }) => status)).toEqual(["running", "idle"]);
  });

  test("what is no file is not opened, and values of the home are not given to their servers", async () => {
    const rig = await makeMcpRig();
    const { commands, projectId, harness } = rig;
    trust(rig);
    mkdirSync(join(harness.root, ".mcp.json"));
    harness.store.secrets.in("mcp").set("HOME_KEY", "hunter2hunter2");
    harness.store.secrets.in("mcp").set("input:token", "hunter3hunter3");
    writeInProject(rig, ".vscode/mcp.json", {
      inputs: [{ id: "token", type: "promptString", description: "Token of the tracker", password: true }],
      servers: { one: server(rig, { env: { KEY: "${HOME_KEY}", LIST_TOKEN: "${input:token}" } }) },
    });
    const only = async () => (await rig.state()).servers[0];
    expect(await only()).toMatchObject({
      id: "one",
      values: [
        { name: "HOME_KEY", from: "none", isSecret: true },
        { name: "input:token", description: "Token of the tracker", from: "none", isSecret: true },
      ],
    });
    const launch = (await only())?.launchHash;
    if (launch === undefined) throw new Error("no server");
    succeed(await commands["mcp.approve"]({ projectId, server: "one", launch }));
    await eventually(async () =>
      expect((await only())?.error).toMatchObject({
        facts: { reason: "missing_variables", names: ["HOME_KEY", "input:token"] },
      }),
    );
    for (const name of ["HOME_KEY", "input:token"])
      succeed(await commands["mcp.set_value"]({ projectId, server: "one", name, value: `own ${name}` }));
    expect(await commands["mcp.set_value"]({ projectId, server: "one", name: "OTHER", value: "a" })).toMatchObject({
      ok: false,
      error: { code: "not_found" },
    });
    expect((await only())?.values).toMatchObject([{ from: "stored" }, { from: "stored" }]);
    await approveIn(rig, "one");
    expect(succeed(await commands["mcp.log"]({ projectId, server: "one" })).text).not.toContain("hunter3");
    expect(harness.store.secrets.in("mcp").get("HOME_KEY")).toBe("hunter2hunter2");
    succeed(await commands["mcp.remove"]({ projectId, server: "one" }));
    expect((await only())?.values).toMatchObject([{ from: "none" }, { from: "none" }]);
    expect(existsSync(join(harness.root, ".mcp.json"))).toBe(true);
  });
});

describe("a server of the home that lists other tools in one project", () => {
  test("has a list there of its own; one that was approved in a project is approved in all", async () => {
    const rig = await makeMcpRig();
    const { commands, projectId, session, harness } = rig;
    writeFileSync(rig.file, rig.config());
    await rig.approve();
    const other = succeed(await rig.openProject("other"));
    const toolsIn = async (id: typeof projectId) => {
      const { servers } = succeed(await commands["mcp.state"]({ projectId: id }));
      return Object.fromEntries((servers[0]?.tools ?? []).map(({ ownName, status }) => [ownName, status]));
    };
    const both = { close_issue: "ready", echo: "ready" };
    expect([await toolsIn(projectId), await toolsIn(other)]).toEqual([both, both]);
    // In the other project it lists a changed tool and no second one.
    const changed = { ...echo, description: "Repeats a text twice." };
    rig.offer([changed]);
    const { launchHash: launch } = await rig.only();
    succeed(await commands["mcp.approve"]({ projectId: other, server: "my_server", launch }));
    const there = { close_issue: "gone", echo: "changed" };
    await eventually(async () => expect(await toolsIn(other)).toEqual(there));
    expect(await toolsIn(projectId)).toEqual(both);
    // Here it lists what was approved; the list there stays.
    rig.offer([echo, close]);
    harness.script(callAnswer(["toolbox", { tool: "my_server__echo", input: { text: "a" } }]), textAnswer("Done."));
    await promptAndAllow(session);
    expect(callsOf(session.view)).toMatchObject([{ state: "ok" }]);
    expect([await toolsIn(projectId), await toolsIn(other)]).toEqual([both, there]);

    // A switch is one for all projects.
    succeed(await commands["mcp.set_tool"]({ projectId, server: "my_server", tool: "echo", isOff: true }));
    const { servers } = succeed(await commands["mcp.state"]({ projectId: other }));
    const shown = (servers[0]?.tools ?? []).map(({ ownName: name, hash }) => ({ name, hash }));
    succeed(await commands["mcp.accept"]({ projectId: other, server: "my_server", tools: shown }));
    expect(await toolsIn(other)).toEqual({ echo: "off" });
    succeed(await commands["mcp.stop"]({ projectId, server: "my_server" }));
    rig.offer([changed, close]);
    succeed(await commands["mcp.approve"]({ projectId, server: "my_server", launch }));
    await eventually(async () => expect((await rig.only()).tools[1]?.definition.description).toContain("twice"));
    expect(await toolsIn(projectId)).toEqual({ close_issue: "ready", echo: "off" });
    succeed(await commands["mcp.remove"]({ projectId, server: "my_server" }));
    expect(harness.store.toolSources.named("mcp_in_project", "My Server")).toEqual([]);
  });
});
