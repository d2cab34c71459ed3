/** Signing in and out in the whole feature: what the settings show, and what the model is answered. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { callAnswer, promptAndWait, textAnswer } from "@/server/session/testing/test-harness";
import { startProtectedServer } from "../../../../e2e/fixtures/protected-server.mjs";
import { callsOf, makeMcpRig, type McpRig, promptAndAllow, succeed } from "../test-feature";

/** The first connection loads the client. */
async function makeProtectedRig(config: { readonly [name: string]: string } = {}) {
  const server = await startProtectedServer();
  onTestFinished(() => server.close());
  const rig = await makeMcpRig();
  const { commands, projectId } = rig;
  const text = JSON.stringify({ mcpServers: { "My Server": { url: server.url, ...config } } });
  succeed(await commands["mcp.add"]({ projectId, text, names: ["My Server"] }));
  const input = { projectId, server: "my_server" };
  const test = async (): Promise<void> => {
    const { launchHash } = await rig.only();
    succeed(await commands["mcp.approve"]({ ...input, launch: launchHash }));
  };
  const begin = async (): Promise<URL> => {
    const { launchHash: launch } = await rig.only();
    const { address } = succeed(await commands["mcp.sign_in"]({ ...input, launch }));
    return server.signIn(address);
  };
  return { ...rig, server, input, test, begin };
}

test("a server that requires a sign-in is approved after it, called, and not after a sign-out", async () => {
  const { commands, harness, session, only, pushes, server, input, test: approve, begin } = await makeProtectedRig();
  expect(await only()).not.toHaveProperty("signIn");
  await approve();
  await eventually(async () => expect(await only()).toMatchObject({ status: "unapproved", signIn: "signed_out" }));
  expect((await only()).error).toMatchObject({ facts: { reason: "signed_out" } });

  const back = await begin();
  pushes.length = 0;
  const page = `/settings/tools#mcp/${input.projectId}/my_server`;
  // The target of the request, as the public route gets it.
  expect(await commands["mcp.finish_sign_in"]({ address: `${back.pathname}${back.search}` })).toEqual({
    ok: true,
    value: { page },
  });
  expect(pushes).toContain("mcp");
  const signedIn = await only();
  expect(signedIn).toMatchObject({ status: "unapproved", signIn: "signed_in" });
  expect(signedIn).not.toHaveProperty("error");
  await approve();
  await eventually(async () => expect(await only()).toMatchObject({ status: "idle", tools: [{ ownName: "echo" }] }));
  const [token = ""] = server.tokens;
  harness.script(callAnswer(["toolbox", { tool: "my_server__echo", input: { a: 1 } }]), textAnswer("done"));
  await promptAndAllow(session);
  expect(callsOf(session.view)).toMatchObject([{ state: "ok" }]);
  expect(JSON.stringify([session.view, await only(), harness.requests])).not.toContain(token);

  expect(succeed(await commands["mcp.sign_out"](input)).servers).not.toMatchObject([{ signIn: "signed_in" }]);
  harness.script(callAnswer(["toolbox", { tool: "my_server__echo", input: { a: 2 } }]), textAnswer("done"));
  await promptAndWait(session, "again");
  expect(callsOf(session.view).at(-1)).toMatchObject({ state: "error", facts: { code: "not_allowed" } });
  expect(JSON.stringify(harness.requests.at(-1))).toContain(
    "The user is signed out of the server My Server. Ask the user to sign in to it in Settings > Tools",
  );
  expect(await only()).toMatchObject({ status: "failed", signIn: "signed_out" });
});

test("a permission that a call needs is shown at its server until the next sign-in", async () => {
  const { commands, harness, session, only, pushes, server, test: approve, begin } = await makeProtectedRig();
  const finish = async () => {
    const back = await begin();
    succeed(await commands["mcp.finish_sign_in"]({ address: back.href }));
  };
  await finish();
  await approve();
  await eventually(async () => expect(await only()).toMatchObject({ status: "idle", signIn: "signed_in" }));
  server.behavior.requiresScope = { tool: "echo", scopes: "write" };
  harness.script(callAnswer(["toolbox", { tool: "my_server__echo", input: {} }]), textAnswer("done"));
  pushes.length = 0;
  await promptAndAllow(session);
  expect(pushes).toContain("mcp");
  expect(JSON.stringify(harness.requests.at(-1))).toContain("The server My Server needs another permission");
  expect(await only()).toMatchObject({ status: "running", signIn: "scope_missing", missingScope: "write" });
  await finish();
  expect(await only()).toMatchObject({ signIn: "signed_in" });
});

test("a sign-in that failed is shown at its server; a pasted address of none is not found", async () => {
  const { commands, only, server, begin, test: approve } = await makeProtectedRig();
  await approve();
  await eventually(async () => expect((await only()).error).toMatchObject({ facts: { reason: "signed_out" } }));
  server.behavior.denies = true;
  const back = await begin();
  expect(await commands["mcp.finish_sign_in"]({ address: back.href })).toMatchObject({
    value: { error: { facts: { reason: "sign_in_denied" } } },
  });
  expect(await only()).toMatchObject({ signIn: "signed_out", error: { facts: { reason: "sign_in_denied" } } });
  for (const address of [back.href, "http://localhost/oauth/callback?code=1", "no address", "http://["])
    expect(await commands["mcp.finish_sign_in"]({ address })).toMatchObject({ error: { code: "not_found" } });
});

test("a wrong return address, which anyone can send, leaves no timer behind", async () => {
  const { commands } = await makeProtectedRig();
  const timers = vi.spyOn(globalThis, "setTimeout");
  await commands["mcp.finish_sign_in"]({ address: "/oauth/callback?code=1&state=2" });
  expect(timers).not.toHaveBeenCalled();
});

test("a removed server leaves no token behind", async () => {
  const { commands, harness, server, input, begin } = await makeProtectedRig();
  succeed(await commands["mcp.finish_sign_in"]({ address: (await begin()).href }));
  const [token = ""] = server.tokens;
  expect(harness.store.secrets.all()).toContain(token);
  const late = await begin();
  succeed(await commands["mcp.remove"](input));
  expect(await commands["mcp.finish_sign_in"]({ address: late.href })).toMatchObject({ error: { code: "not_found" } });
  expect(harness.store.secrets.all().filter((secret) => secret.startsWith("access-"))).toEqual([]);
  expect(harness.store.secrets.all()).not.toContain(token);
});

test("a removed server leaves the sign-in of another one at its address", async () => {
  const { commands, harness, server, input, begin } = await makeProtectedRig();
  const { projectId } = input;
  const text = JSON.stringify({ mcpServers: { other: { url: server.url } } });
  succeed(await commands["mcp.add"]({ projectId, text, names: ["other"] }));
  succeed(await commands["mcp.finish_sign_in"]({ address: (await begin()).href }));
  const [token = ""] = server.tokens;
  succeed(await commands["mcp.remove"](input));
  expect(harness.store.secrets.all()).toContain(token);
  succeed(await commands["mcp.remove"]({ projectId, server: "other" }));
  expect(harness.store.secrets.all()).not.toContain(token);
});

/** Texts that the stored tokens of the server have. */
const tokensOf = ({ harness }: Pick<McpRig, "harness">) =>
  harness.store.secrets.all().filter((secret) => /^(?:access|refresh)-/.test(secret));

test("a server that is deleted in the file leaves no token behind, whatever the file was meanwhile", async () => {
  const rig = await makeProtectedRig();
  const { commands, file, harness, state, begin } = rig;
  succeed(await commands["mcp.finish_sign_in"]({ address: (await begin()).href }));
  expect(tokensOf(rig)).toHaveLength(2);
  const written = readFileSync(file, "utf8");
  // A fault in the entry of another server does not matter.
  const none = JSON.stringify({ mcpServers: { other: { commnad: "npx" } } });
  const rewrite = async (text: string | null): Promise<void> => {
    const before = JSON.stringify(await state());
    if (text === null) rmSync(file);
    else writeFileSync(file, text);
    await eventually(async () => expect(JSON.stringify(await state())).not.toBe(before));
  };
  // As editors and mistakes leave it for a moment.
  for (const text of [null, "", '{ "mcpServers": { "My Server": { "url": 1 } } }', written.replace("}", "")]) {
    await rewrite(text);
    await rewrite(written);
    expect(tokensOf(rig)).toHaveLength(2);
  }
  await rewrite(none);
  await eventually(() => expect(tokensOf(rig)).toEqual([]));
  expect(
    harness.store.secrets
      .in("signIns")
      .names()
      .filter((name) => name.endsWith(".session")),
  ).toEqual([]);
});

test("a sign-in that ends after its server was deleted in the file leaves no token behind", async () => {
  const rig = await makeProtectedRig();
  const { commands, file, state, begin } = rig;
  const { href: address } = await begin();
  writeFileSync(file, JSON.stringify({ mcpServers: {} }));
  await eventually(async () => expect((await state()).servers).toEqual([]));
  expect(await commands["mcp.finish_sign_in"]({ address })).toMatchObject({ error: { code: "not_found" } });
  expect(tokensOf(rig)).toEqual([]);
});

test("a server of a project leaves no token behind when the user removes it", async () => {
  const rig = await makeProtectedRig();
  const { commands, harness, server, projectId, input } = rig;
  succeed(await commands["mcp.remove"](input));
  const common = join(harness.root, ".mcp.json");
  writeFileSync(common, JSON.stringify({ mcpServers: { mine: { url: server.url } } }));
  harness.store.projects.setTrust(projectId, Date.now());
  const mine = { projectId, server: "mine" };
  await eventually(async () => expect((await rig.state()).servers).toMatchObject([{ id: "mine" }]));
  const signIn = async (): Promise<void> => {
    const launch = (await rig.state()).servers[0]?.launchHash;
    if (launch === undefined) throw new Error("no server");
    const { address } = succeed(await commands["mcp.sign_in"]({ ...mine, launch }));
    succeed(await commands["mcp.finish_sign_in"]({ address: (await server.signIn(address)).href }));
    expect(tokensOf(rig)).toHaveLength(2);
  };
  await signIn();
  succeed(await commands["mcp.remove"](mine));
  expect(tokensOf(rig)).toEqual([]);
  // Another branch of the repository may have another file.
  await signIn();
  writeFileSync(common, JSON.stringify({ mcpServers: {} }));
  await eventually(async () => expect((await rig.state()).servers).toEqual([]));
  expect(tokensOf(rig)).toHaveLength(2);
});

test("a sign-in at an address in the project is shown, ended and removed", async () => {
  const rig = await makeProtectedRig();
  const { commands, file, server, only, input, begin } = rig;
  const text = JSON.stringify({ mcpServers: { "My Server": { url: `${server.url}?in=\${workspaceFolder}` } } });
  const { launchHash } = await only();
  writeFileSync(file, text);
  await eventually(async () => expect((await only()).launchHash).not.toBe(launchHash));
  succeed(await commands["mcp.finish_sign_in"]({ address: (await begin()).href }));
  expect(await only()).toMatchObject({ signIn: "signed_in" });
  succeed(await commands["mcp.sign_out"](input));
  expect(await only()).not.toMatchObject({ signIn: "signed_in" });
  expect(tokensOf(rig)).toEqual([]);
  succeed(await commands["mcp.finish_sign_in"]({ address: (await begin()).href }));
  succeed(await commands["mcp.remove"](input));
  expect(tokensOf(rig)).toEqual([]);
});

test("why a sign-in cannot begin is answered", async () => {
  const { commands, server, input, only } = await makeProtectedRig();
  const shown = { ...input, launch: (await only()).launchHash };
  server.behavior.refusesRegistration = true;
  expect(await commands["mcp.sign_in"](shown)).toMatchObject({ error: { facts: { reason: "sign_in_unsupported" } } });
  await server.close();
  expect(await commands["mcp.sign_in"](shown)).toMatchObject({ error: { facts: { reason: "unreachable" } } });
  expect(await commands["mcp.sign_in"]({ ...shown, server: "none" })).toMatchObject({ error: { code: "not_found" } });
});

test("a sign-in begins only at the address that was shown", async () => {
  const { commands, server, input, only, file } = await makeProtectedRig();
  const { launchHash: launch } = await only();
  const other = await startProtectedServer();
  onTestFinished(() => other.close());
  writeFileSync(file, JSON.stringify({ mcpServers: { "My Server": { url: other.url } } }));
  await eventually(async () => expect((await only()).launchHash).not.toBe(launch));
  expect(await commands["mcp.sign_in"]({ ...input, launch })).toMatchObject({ error: { code: "changed_meanwhile" } });
  expect([server.requests, other.requests]).toEqual([[], []]);
});
