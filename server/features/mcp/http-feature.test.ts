/** Servers at an address in the whole feature: pasted, approved, called, and with what can go wrong between. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { callAnswer, textAnswer } from "@/server/session/testing/test-harness";
import { callsOf, makeMcpRig, promptAndAllow, succeed } from "./test-feature";
import { answerLegacy, serveHttp } from "./transport/test-http-server";

/** The first connection loads the client. */
const key = "ghp_0123456789abcdefghij0123456789abcdef";

test("a pasted address is added, approved and called with its header, whose value is in the key file alone", async () => {
  const { origin, requests } = await serveHttp(answerLegacy);
  const rig = await makeMcpRig();
  const { commands, projectId, harness, session } = rig;
  const url = `${origin}/mcp`;
  const server = { type: "http", url, headers: { Authorization: `Bearer ${key}` } };
  const text = JSON.stringify({ mcpServers: { "My Server": server } });
  const { candidates } = succeed(await commands["mcp.find"]({ text }));
  const launch = { command: [], address: url, variables: ["Authorization"] };
  expect(candidates).toEqual([{ name: "My Server", from: "text", launch, secrets: ["MY_SERVER_AUTHORIZATION"] }]);
  succeed(await commands["mcp.add"]({ projectId, text, names: ["My Server"] }));
  expect(JSON.parse(readFileSync(rig.file, "utf8"))).toEqual({
    mcpServers: { "My Server": { ...server, headers: { Authorization: "Bearer ${MY_SERVER_AUTHORIZATION}" } } },
  });
  expect(requests).toEqual([]);
  expect(await rig.only()).toMatchObject({ status: "unapproved", launch });

  await rig.approve();
  expect(await rig.only()).toMatchObject({ tools: [{ name: "my_server__echo", status: "ready" }] });
  harness.script(callAnswer(["toolbox", { tool: "my_server__echo", input: {} }]), textAnswer("done"));
  await promptAndAllow(session);
  expect(callsOf(session.view)).toMatchObject([{ name: "my_server__echo", state: "ok" }]);
  expect(JSON.stringify(harness.requests)).toContain("hello");
  expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${key}`]));
  expect(JSON.stringify([session.view, await rig.state()])).not.toContain(key);
});

test.each(["url", "httpUrl", "serverUrl"])("an address in %s is used", async (member) => {
  const { origin } = await serveHttp(answerLegacy);
  const rig = await makeMcpRig();
  const text = JSON.stringify({ "My Server": { [member]: `${origin}/mcp` } });
  succeed(await rig.commands["mcp.add"]({ projectId: rig.projectId, text, names: ["My Server"] }));
  await rig.approve();
  expect(await rig.only()).toMatchObject({ tools: [{ ownName: "echo" }] });
});

test("why an address cannot be approved is shown", async () => {
  const rig = await makeMcpRig();
  const text = JSON.stringify({ "My Server": { url: "http://example.com/mcp" } });
  const { commands, projectId } = rig;
  succeed(await commands["mcp.add"]({ projectId, text, names: ["My Server"] }));
  const { launchHash } = await rig.only();
  succeed(await commands["mcp.approve"]({ projectId, server: "my_server", launch: launchHash }));
  await eventually(async () =>
    expect((await rig.only()).error).toMatchObject({ facts: { reason: "insecure", host: "example.com" } }),
  );
  expect(await rig.only()).toMatchObject({ status: "unapproved" });
});
