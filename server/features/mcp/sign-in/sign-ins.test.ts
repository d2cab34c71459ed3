/** Signing in to a real server with its authorization server, and what either may do wrong. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { createSecrets } from "@/server/store/access/secrets";
import {
  type ProtectedServer,
  type ProtectedServerBehavior,
  startProtectedServer,
} from "../../../../e2e/fixtures/protected-server.mjs";
import type { McpOauthConfig } from "../config/server-config";
import { connectServer } from "../connection";
import { connectForTest, never } from "../test-mcp";
import { httpServer, serveHttp } from "../transport/test-http-server";
import { makeCallbackListener } from "./callback-listener";
import { makeOauthSignIns } from "./sign-ins";
import { makeStoredSignIns } from "./stored-sign-ins";

const ignore = (): void => {};
const owner = { file: "/home/mcp.json", name: "server" };

async function makeRig(
  behavior: ProtectedServerBehavior = {},
  port = 7_311,
  pagesAt = () => `http://localhost:${port}`,
) {
  const server = await startProtectedServer(behavior);
  onTestFinished(() => server.close());
  const home = mkdtempSync(join(tmpdir(), "gopi-sign-in-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const secrets = createSecrets(home);
  const stored = makeStoredSignIns(secrets.in("signIns"));
  const clock = { now: 1_000_000 };
  const targets: string[] = [];
  const listener = makeCallbackListener((target) => {
    targets.push(target);
    return Promise.resolve("http://localhost:7311/settings/tools");
  });
  onTestFinished(() => listener.closeAll());
  const signIns = makeOauthSignIns<string>({ stored, now: () => clock.now, port: () => port, pagesAt, listener });
  const begin = (oauth: McpOauthConfig | null = null) =>
    signIns.begin({ url: server.url, headers: {}, oauth, owner }, "subject", never);
  const open = async (oauth: McpOauthConfig | null = null): Promise<URL> => {
    const begun = await begin(oauth);
    if (!begun.ok) throw new Error(JSON.stringify(begun.error));
    return begun.value;
  };
  const target = httpServer(server.url, { authorization: signIns.authorization(server.url) });
  /** Signs in as the user does. */
  const signIn = async (oauth: McpOauthConfig | null = null) => {
    const back = await server.signIn((await open(oauth)).href);
    return { back, finished: await signIns.finish(back, never) };
  };
  return { server, home, secrets, stored, clock, signIns, begin, open, target, signIn, targets };
}

function makeGate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const paths = ({ requests }: ProtectedServer, path: string) => requests.filter((one) => one.path === path);

test("a user signs in with a registered client, and the token goes to the server alone", async () => {
  const { server, home, secrets, signIns, target, signIn, open } = await makeRig();
  expect(await connectServer({ version: "0", server: target }, never)).toMatchObject({
    error: { facts: { reason: "signed_out" } },
  });
  const address = await open();
  expect(address.origin).toBe(server.origin);
  expect(address.searchParams.get("redirect_uri")).toBe("http://localhost:7311/oauth/callback");
  expect(address.searchParams.get("code_challenge_method")).toBe("S256");
  expect(address.searchParams.get("scope")).toBe("tools offline_access");
  expect(address.searchParams.get("resource")).toBe(server.url);
  // 128 bit are 22 characters of base64.
  expect(address.searchParams.get("state")?.length).toBeGreaterThanOrEqual(22);
  expect((await signIn()).finished).toEqual({ subject: "subject", result: { ok: true, value: undefined } });
  expect(signIns.session(server.url)).not.toBe(null);
  const connection = await connectForTest(target);
  expect(await connection.callTool("echo", { a: 1 }, ignore, never)).toMatchObject({
    ok: true,
    value: { content: [{ text: 'echo {"a":1}' }] },
  });
  // One client is registered for both sign-ins.
  expect(paths(server, "/register").length).toBe(1);
  const [token = ""] = server.tokens;
  expect(statSync(join(home, "keys.json")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(home, "keys.json"), "utf8")).toContain(token);
  // They are masked wherever a secret is.
  expect(secrets.all()).toContain(token);
  expect(target.authorization?.secrets()).toContain(token);
  expect(server.requests.filter(({ headers, path }) => path !== "/mcp" && headers.authorization !== undefined)).toEqual(
    [],
  );
  signIns.signOut(server.url);
  expect(signIns.session(server.url)).toBe(null);
  expect(readFileSync(join(home, "keys.json"), "utf8")).not.toContain(token);
});

test("a server that a proxy publishes is returned to at its public address", async () => {
  const { open } = await makeRig({}, 7_311, () => "https://ide.example.org/alice");
  expect((await open()).searchParams.get("redirect_uri")).toBe("https://ide.example.org/alice/oauth/callback");
});

test("a return address with another state, a used one, or one that is ten minutes old is refused", async () => {
  const { server, clock, signIns, open } = await makeRig();
  const back = await server.signIn((await open()).href);
  const wrong = new URL(back);
  wrong.searchParams.set("state", "x".repeat(32));
  expect(await signIns.finish(wrong, never)).toBe(null);
  wrong.searchParams.delete("state");
  expect(await signIns.finish(wrong, never)).toBe(null);
  expect(await signIns.finish(back, never)).toMatchObject({ result: { ok: true } });
  expect(await signIns.finish(back, never)).toBe(null);
  const late = await server.signIn((await open()).href);
  clock.now += 600_000;
  expect(await signIns.finish(late, never)).toBe(null);
});

test("a refusal is reported without the words of the address", async () => {
  const { signIn, signIns, server } = await makeRig({ denies: true });
  const { finished } = await signIn();
  expect(finished?.result).toMatchObject({ error: { facts: { reason: "sign_in_denied" } } });
  expect(JSON.stringify(finished)).not.toContain("555");
  expect(signIns.session(server.url)).toBe(null);
});

test("a code of another sign-in is refused: its verifier is another one", async () => {
  const { server, signIns, open } = await makeRig();
  const [first, second] = [await server.signIn((await open()).href), await server.signIn((await open()).href)];
  first.searchParams.set("code", second.searchParams.get("code") ?? "");
  expect(await signIns.finish(first, never)).toMatchObject({
    result: { error: { facts: { reason: "sign_in_failed" } } },
  });
});

test("another issuer is refused in the metadata, and in the return address", async () => {
  const { server, signIns, begin, open } = await makeRig({ issuer: "https://other.example" });
  const facts = { reason: "sign_in_issuer", issuer: "https://other.example/", expected: `${server.origin}/` };
  expect(await begin()).toMatchObject({ error: { facts } });
  delete server.behavior.issuer;
  for (const parameter of ["code", "error"]) {
    const back = await server.signIn((await open()).href);
    back.searchParams.set("iss", "https://other.example");
    if (parameter === "error") back.searchParams.delete("code");
    expect(await signIns.finish(back, never)).toMatchObject({
      result: { error: { facts: { reason: "sign_in_issuer" } } },
    });
  }
  expect(server.tokens.size).toBe(0);
});

test.each<[issuer: (origin: string) => string, isAccepted: boolean]>([
  [(origin) => origin, true],
  [(origin) => `${origin}/`, true],
  [(origin) => `${origin}/tenant/v2`, true],
  [(origin) => origin.replace("127.0.0.1", "localhost"), false],
  [(origin) => origin.replace("http://", "http://user@"), false],
  [() => "no address", false],
])(
  "%#: an issuer of the metadata is accepted at the origin of the authorization server",
  async (issuer, isAccepted) => {
    const { server, open, begin, signIns } = await makeRig({ hidesMetadata: true });
    server.behavior.issuer = issuer(server.origin);
    if (!isAccepted) return expect(await begin()).toMatchObject({ error: { facts: { reason: "sign_in_issuer" } } });
    const back = await server.signIn((await open()).href);
    expect(await signIns.finish(back, never)).toMatchObject({ result: { ok: true } });
    const [token = ""] = server.tokens;
    expect(await signIns.authorization(server.url).renew(token, never)).not.toBe(null);
  },
);

test.each([
  ["", true],
  ["/", true],
  ["/other", false],
])("an issuer with a path, and %j after it, is accepted: %s", async (after, isAccepted) => {
  const { server, begin } = await makeRig({ authorizationPath: "/realms/a" });
  server.behavior.issuer = `${server.origin}/realms/a${after}`;
  if (isAccepted) expect(await begin()).toMatchObject({ ok: true });
  else expect(await begin()).toMatchObject({ error: { facts: { reason: "sign_in_issuer" } } });
});

test.each([
  'Bearer error = "insufficient_scope" , scope = write',
  "Bearer scope=write, error=insufficient_scope",
  'Basic realm="a, scope=b", Bearer error_description="needs scope=admin", error="INSUFFICIENT_SCOPE", scope="write"',
])("the permission is read from the refusal %s", async (challenge) => {
  const { server, target, signIn, signIns } = await makeRig();
  await signIn();
  server.behavior.requiresScope = { tool: "echo", scopes: "write", challenge };
  const connection = await connectForTest(target);
  const missing = { code: "not_allowed", facts: { reason: "scope_missing", scopes: "write" } };
  expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({ error: missing });
  expect(signIns.session(server.url)).toMatchObject({ missingScope: "write" });
});

test.each([undefined, "write admin"])(
  "a token without the permissions %s is replaced once, by one for all",
  async (scopes) => {
    const { server, target, signIn, open, signIns } = await makeRig();
    await signIn();
    server.behavior.requiresScope = { tool: "echo", scopes };
    const connection = await connectForTest(target);
    const missing = { code: "not_allowed", facts: { reason: "scope_missing", scopes: scopes ?? "" } };
    expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({ error: missing });
    expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({ error: missing });
    expect(signIns.session(server.url)).toMatchObject({ missingScope: scopes ?? "" });
    // The other requests of the connection are answered.
    expect(await connection.listTools(never)).toMatchObject({ ok: true });
    const requested = ["tools", "offline_access", ...(scopes?.split(" ") ?? [])];
    expect((await open()).searchParams.get("scope")?.split(" ").toSorted()).toEqual(requested.toSorted());
    await signIn();
    expect(signIns.session(server.url)).not.toHaveProperty("missingScope");
    expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({ ok: true });
  },
);

test("a refusal without that reason, and one of a key of the user, are refusals", async () => {
  const { server, target, signIn } = await makeRig();
  await signIn();
  const connection = await connectForTest(target);
  server.behavior.requiresScope = { tool: "echo", scopes: "write", error: "invalid_request" };
  const forbidden = { error: { facts: { reason: "forbidden", status: 403 } } };
  expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject(forbidden);
  server.behavior.requiresScope = { tool: "echo", scopes: "write" };
  const [token = ""] = server.tokens;
  const own = await connectForTest(httpServer(server.url, { headers: { Authorization: `Bearer ${token}` } }));
  expect(await own.callTool("echo", {}, ignore, never)).toMatchObject(forbidden);
});

test("a code of another issuer is not sent to a server without metadata", async () => {
  const { server, signIns, open } = await makeRig({ hidesEndpoints: true, hidesMetadata: true });
  const back = await server.signIn((await open()).href);
  const other = new URL(back);
  other.searchParams.set("iss", "https://other.example");
  expect(await signIns.finish(other, never)).toMatchObject({
    result: { error: { facts: { reason: "sign_in_issuer" } } },
  });
  expect(paths(server, "/token")).toEqual([]);
  const own = await server.signIn((await open()).href);
  expect(own.searchParams.get("iss")).toBe(server.origin);
  expect(await signIns.finish(own, never)).toMatchObject({ result: { ok: true } });
});

test("after a sign-out no sign-in that was begun before ends with a token", async () => {
  const { server, signIns, open } = await makeRig();
  const begun = await server.signIn((await open()).href);
  signIns.signOut(server.url);
  expect(await signIns.finish(begun, never)).toBe(null);
  const gate = makeGate();
  server.behavior.holdsTokens = gate.opened;
  const finished = signIns.finish(await server.signIn((await open()).href), never);
  await eventually(() => expect(paths(server, "/token")).toHaveLength(1));
  signIns.signOut(server.url);
  gate.open();
  expect(await finished).toMatchObject({ result: { error: { code: "aborted" } } });
  expect(signIns.session(server.url)).toBe(null);
});

test("an expired token is renewed before it is used, a refused one after that, each once for all requests", async () => {
  const { server, clock, target, signIn } = await makeRig({ expiresIn: 100 });
  await signIn();
  const connection = await connectForTest(target);
  const call = () => connection.callTool("echo", {}, ignore, never);
  clock.now += 50_000;
  expect(await Promise.all([call(), call(), call()])).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  const renewals = () => paths(server, "/token").filter(({ form }) => form.grant_type === "refresh_token");
  expect(renewals().length).toBe(1);
  expect(renewals()[0]?.form.resource).toBe(server.url);
  server.tokens.clear();
  expect(await Promise.all([call(), call()])).toMatchObject([{ ok: true }, { ok: true }]);
  expect(renewals().length).toBe(2);
});

test("when the renewal is refused the user is signed out; when its server is away he is not", async () => {
  const { server, signIns, target, signIn } = await makeRig();
  await signIn();
  const connection = await connectForTest(target);
  const call = () => connection.callTool("echo", {}, ignore, never);
  server.tokens.clear();
  server.behavior.issuer = "https://other.example";
  expect(await call()).toMatchObject({ error: { facts: { reason: "unreachable" } } });
  expect(signIns.session(server.url)).not.toBe(null);
  delete server.behavior.issuer;
  server.behavior.forgetsUsers = true;
  expect(await call()).toMatchObject({ error: { code: "not_allowed", facts: { reason: "signed_out" } } });
  expect(signIns.session(server.url)).toBe(null);
});

test("a token that expires is used while its renewal fails for now, until the server refuses it", async () => {
  const { server, clock, signIns, target, signIn } = await makeRig({ expiresIn: 100 });
  await signIn();
  const connection = await connectForTest(target);
  const call = () => connection.callTool("echo", {}, ignore, never);
  server.behavior.issuer = "https://other.example";
  clock.now += 50_000;
  const before = server.requests.length;
  expect(await call()).toMatchObject({ ok: true });
  const requested = (): number => server.requests.slice(before).filter(({ path }) => path !== "/mcp").length;
  const first = requested();
  expect(first).toBeGreaterThan(0);
  // Its authorization server is left alone for a while.
  expect(await call()).toMatchObject({ ok: true });
  expect(requested()).toBe(first);
  server.tokens.clear();
  expect(await call()).toMatchObject({ error: { code: "tool_failed", facts: { reason: "unreachable" } } });
  expect(signIns.session(server.url)).not.toBe(null);
  delete server.behavior.issuer;
  expect(await call()).toMatchObject({ ok: true });
});

test("a refused renewal does not end the sign-in that followed it", async () => {
  const { server, signIns, target, signIn } = await makeRig();
  await signIn();
  const connection = await connectForTest(target);
  server.tokens.clear();
  const gate = makeGate();
  server.behavior.holdsTokens = gate.opened;
  const called = connection.callTool("echo", {}, ignore, never);
  await eventually(() => expect(paths(server, "/token")).toHaveLength(2));
  delete server.behavior.holdsTokens;
  await signIn();
  server.behavior.forgetsUsers = true;
  gate.open();
  expect(await called).toMatchObject({ ok: true });
  expect(signIns.session(server.url)).not.toBe(null);
});

test("a client that the server has forgotten at a renewal is registered again at the next sign-in", async () => {
  const { server, target, signIn } = await makeRig();
  await signIn();
  const connection = await connectForTest(target);
  server.tokens.clear();
  server.behavior.forgetsClients = true;
  expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({ error: { code: "not_allowed" } });
  delete server.behavior.forgetsClients;
  expect((await signIn()).finished?.result).toMatchObject({ ok: true });
  expect(paths(server, "/register")).toHaveLength(2);
});

test("an address in an error is its host alone", async () => {
  const { signIns } = await makeRig();
  for (const [url, host] of [
    ["http://example.com/mcp?key=secret-1", "example.com"],
    ["https://user:secret-1@exa mple.com/mcp?key=secret-1", "exa mple.com"],
  ] as const) {
    const begun = await signIns.begin({ url, headers: {}, oauth: null, owner }, "subject", never);
    expect(begun).toMatchObject({ error: { facts: { reason: "insecure", host } } });
    const connected = await connectServer({ version: "0", server: httpServer(url) }, never);
    expect(JSON.stringify([begun, connected])).not.toContain("secret-1");
  }
});

test("a configured client, its secret and scopes are used", async () => {
  const { server, signIn } = await makeRig({ refusesRegistration: true });
  const oauth = { clientId: "configured", clientSecret: "secret of the client", scopes: ["a", "b"] };
  const { finished } = await signIn(oauth);
  expect(finished?.result).toMatchObject({ ok: true });
  expect(paths(server, "/authorize")[0]?.form.scope).toBe("a b");
  expect(paths(server, "/token")[0]?.form).toMatchObject({
    client_id: "configured",
    client_secret: "secret of the client",
  });
});

test("without a client and without registration the sign-in is not possible", async () => {
  const { begin } = await makeRig({ refusesRegistration: true });
  expect(await begin()).toMatchObject({ error: { facts: { reason: "sign_in_unsupported" } } });
});

test("a server without a page about its authorization server is asked itself", async () => {
  const { signIn } = await makeRig({ hidesMetadata: true });
  expect((await signIn()).finished?.result).toMatchObject({ ok: true });
});

test.each(["http://example.com/authorize", "javascript:alert(1)", "https://user@example.com/authorize"])(
  "the address %s is not opened",
  async (authorizationEndpoint) => {
    const { begin } = await makeRig({ authorizationEndpoint });
    const begun = await begin();
    expect(begun.ok).toBe(false);
  },
);

test("a public server cannot lead the sign-in into the private network", async () => {
  const { checkOauthAddress } = await import("./oauth-fetch");
  for (const address of ["http://127.0.0.1/", "https://192.168.1.1/", "https://router.local/", "http://10.0.0.1/"])
    expect(() => checkOauthAddress(new URL(address), "internet"), address).toThrow();
  for (const address of ["https://accounts.example.com/", "https://8.8.8.8/"])
    expect(() => checkOauthAddress(new URL(address), "internet"), address).not.toThrow();
  for (const address of ["http://127.0.0.1/", "https://192.168.1.1/"])
    expect(() => checkOauthAddress(new URL(address), "private"), address).not.toThrow();
  expect(() => checkOauthAddress(new URL("http://192.168.1.1/"), "private")).toThrow();
});

test("after the return address of this program changed, another client is registered", async () => {
  const first = await makeRig();
  await first.signIn();
  expect(first.stored.client(first.server.origin, "http://localhost:7311/oauth/callback")).not.toBe(null);
  expect(first.stored.client(first.server.origin, "http://localhost:7312/oauth/callback")).toBe(null);
});

async function freePort(): Promise<number> {
  const { origin, close } = await serveHttp(() => {});
  await close();
  return Number(new URL(origin).port);
}

test("a configured port takes the return address, and sends the browser on to the settings", async () => {
  const { server, targets, open, signIns } = await makeRig();
  const callbackPort = await freePort();
  const back = await server.signIn((await open({ callbackPort })).href);
  expect(back.origin).toBe(`http://localhost:${callbackPort}`);
  const answer = await fetch(`http://127.0.0.1:${callbackPort}${back.pathname}${back.search}`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "http://localhost:7311/settings/tools"]);
  expect(targets).toEqual([`${back.pathname}${back.search}`]);
  expect(await signIns.finish(new URL(targets[0] ?? "", "http://localhost"), never)).toMatchObject({
    result: { ok: true },
  });
  // It listens while a sign-in runs.
  await expect(fetch(`http://127.0.0.1:${callbackPort}/`, { redirect: "manual" })).rejects.toThrow();
});

test("a token that lives shorter than a minute is renewed after half of its life, not at each request", async () => {
  const { server, clock, target, signIn } = await makeRig({ expiresIn: 30 });
  await signIn();
  const connection = await connectForTest(target);
  const call = () => connection.callTool("echo", {}, ignore, never);
  const renewals = () => paths(server, "/token").filter(({ form }) => form.grant_type === "refresh_token").length;
  await call();
  clock.now += 14_999;
  await call();
  expect(renewals()).toBe(0);
  clock.now += 1;
  expect(await call()).toMatchObject({ ok: true });
  await call();
  expect(renewals()).toBe(1);
});

test("two sign-ins at once share a configured port, also when one of them cannot begin", async () => {
  const { server, open, begin, signIns, targets } = await makeRig();
  const callbackPort = await freePort();
  const insecure = { url: "http://mcp.example/", headers: {}, oauth: { callbackPort }, owner };
  const [first, second, failed] = await Promise.all([
    open({ callbackPort }),
    open({ callbackPort }),
    signIns.begin(insecure, "subject", never),
  ]);
  expect(failed).toMatchObject({ error: { facts: { reason: "insecure" } } });
  for (const { href } of [first, second]) {
    const { pathname, search } = await server.signIn(href);
    await fetch(`http://127.0.0.1:${callbackPort}${pathname}${search}`, { redirect: "manual" });
    const returned = new URL(targets.at(-1) ?? "", "http://localhost");
    expect(await signIns.finish(returned, never)).toMatchObject({ result: { ok: true } });
  }
  // After the last one it is closed, and can be used again.
  await expect(fetch(`http://127.0.0.1:${callbackPort}/`, { redirect: "manual" })).rejects.toThrow();
  expect(await begin({ callbackPort })).toMatchObject({ ok: true });
});

test("a configured port is closed when the sign-in cannot begin", async () => {
  const { begin } = await makeRig({ refusesRegistration: true });
  const callbackPort = await freePort();
  expect(await begin({ callbackPort })).toMatchObject({ error: { facts: { reason: "sign_in_unsupported" } } });
  await expect(fetch(`http://127.0.0.1:${callbackPort}/`, { redirect: "manual" })).rejects.toThrow();
});

test("a configured port that is in use is reported", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { begin } = await makeRig();
  expect(await begin({ callbackPort: port })).toMatchObject({ error: { facts: { reason: "sign_in_port", port } } });
});
