import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../http/test-http-server";
import { makeProxyUserDoor } from "./proxy-user";
import { makeSocketListener } from "./socket-listener";

type Headers = Readonly<Record<string, string | string[]>>;
/** Names and values in turn. */
type HeaderList = readonly string[];

/** A server at a port and at a socket, whose proxy signs alice in. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), "gopi-p-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const socketPath = join(folder, "s");
  const listener = makeSocketListener(socketPath, log);
  const isOverSocket = listener.has;
  const frontDoor = makeProxyUserDoor({ header: "x-user", name: "alice", isOverSocket, log, now: () => 0 });
  const server = await startTestServer({ frontDoor, isOverSocket });
  expect(await listener.listen(server.http)).toBe(true);
  const send = async (target: object, method: string, path: string, headers: Headers | HeaderList, body = "") => {
    const [answer] = await once(request({ ...target, agent: false, method, path, headers }).end(body), "response");
    const text = Buffer.concat(await answer.toArray()).toString();
    return { status: answer.statusCode, text, cookies: answer.headers["set-cookie"] ?? [] };
  };
  const signIn = (target: object, headers: Headers) =>
    send(target, "POST", "/api/sign-in", { "content-type": "application/json", ...headers }, "{}");
  return { lines, send, signIn, socket: { socketPath }, port: { host: "127.0.0.1", port: server.port } };
}

const origin = { host: "ide.example.org", origin: "https://ide.example.org" };

test("the user whom the proxy names is signed in, over https as the page", async () => {
  const { signIn, socket, lines } = await start();
  const { status, text, cookies } = await signIn(socket, { ...origin, "x-user": "alice" });
  expect([status, JSON.parse(text)]).toEqual([200, { ok: true, value: { page: expect.any(String) } }]);
  expect(cookies).toEqual([expect.stringMatching(/^__Host-gopi_.*; Secure$/)]);
  expect(lines).toEqual([]);
});

test.each<[string, Headers]>([
  ["nobody", {}],
  ["another user", { "x-user": "bob" }],
  ["a list", { "x-user": "alice, bob" }],
  ["two values", { "x-user": ["bob", "alice"] }],
  ["the same value twice", { "x-user": ["alice", "alice"] }],
  ["no name", { "x-user": "" }],
  ["another case", { "x-user": "Alice" }],
])("%s is refused at every path, and logged", async (_what, headers) => {
  const { send, signIn, socket, lines } = await start();
  for (const path of ["/", "/s/s1", "/api/health", "/api/call"]) {
    const { status, text } = await send(socket, "GET", path, { host: "localhost", ...headers });
    expect([status, text]).toEqual([403, expect.stringContaining("This gopi-web belongs to alice.")]);
  }
  expect((await signIn(socket, { ...origin, ...headers })).status).toBe(403);
  expect(lines.length).toBe(5);
  await send(socket, "GET", "/", { host: "localhost" });
  await send(socket, "GET", "/", { host: "localhost" });
  expect(lines.slice(5)).toEqual(["Refused more requests over the socket, for the same reason."]);
});

test("what another value has is seen in the log", async () => {
  const { send, socket, lines } = await start();
  await send(socket, "GET", "/", { host: "localhost", "x-user": "alice\u009b" });
  expect(lines).toEqual(['Refused a request over the socket: x-user has "alice\\u009b" instead of "alice".']);
});

test("a second value is found behind any number of other headers", async () => {
  const { send, socket } = await start();
  const between = Array.from({ length: 3_000 }, () => ["x", "y"]).flat();
  const headers = ["host", "localhost", "x-user", "alice", ...between, "x-user", "bob"];
  expect((await send(socket, "GET", "/", headers)).status).toBe(403);
});

test("over a port the header is not read", async () => {
  const { send, signIn, port } = await start();
  const own = { host: `localhost:${port.port}`, origin: `http://localhost:${port.port}` };
  expect((await signIn(port, { ...own, "x-user": "alice" })).status).toBe(401);
  expect((await send(port, "GET", "/", { host: own.host, "x-user": "bob" })).text).toBe("page");
  expect((await send(port, "GET", "/", { host: "ide.example.org", "x-user": "alice" })).status).toBe(421);
});

test("a page of another origin is not signed in", async () => {
  const { signIn, socket } = await start();
  const other = { host: "ide.example.org", origin: "https://evil.example", "x-user": "alice" };
  expect((await signIn(socket, other)).status).toBe(403);
});

test("health needs no name, and is 503 until the store is open", async () => {
  const { send, socket, port } = await start();
  for (const target of [socket, port]) {
    const { status, text } = await send(target, "GET", "/healthz", { host: "anything" });
    expect([status, text]).toEqual([200, '{"ok":true}']);
  }
  const closed = await startTestServer({ store: new Promise(() => {}) });
  const { status, text } = await send({ host: "127.0.0.1", port: closed.port }, "GET", "/healthz", {});
  expect([status, text]).toEqual([503, '{"ok":false}']);
});
