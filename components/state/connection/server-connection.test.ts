import { createHash } from "node:crypto";
import { createServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, connect as connectTo, createServer as createLink, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Server } from "socket.io";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import {
  type ServerConnection,
  type ServerConnectionState,
  createServerConnection,
  reconnectDelayMs,
} from "./server-connection";

interface Rig {
  readonly http: HttpServer;
  readonly io: Server;
  readonly port: number;
}

const rigs: Rig[] = [];
const connections: ServerConnection[] = [];

type OnCall = (name: string, input: unknown, answer: (value: unknown) => void) => void;

async function serve(port: number, onCall: OnCall, isSignedIn = (): boolean => true): Promise<Rig> {
  const http = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      response.writeHead(isSignedIn() ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify({ ok: true, value: { hash: `${request.url} ${body.length}` } }));
    });
  });
  const io = new Server(http);
  io.use((_socket, next) => next(isSignedIn() ? undefined : new Error("unauthorized")));
  io.on("connection", (socket) => void socket.on("call", onCall));
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const address = http.address();
  const rig = { http, io, port: isPort(address) ? address.port : 0 };
  rigs.push(rig);
  return rig;
}

const isPort = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

const end = ({ io }: Rig): Promise<void> => io.close();

function connect(
  port: number,
  goneMs?: number,
  attemptMs?: number,
): { readonly connection: ServerConnection; readonly onlines: () => number } {
  let onlines = 0;
  const connection = createServerConnection({
    address: `http://127.0.0.1:${port}`,
    onEvents: () => undefined,
    onPush: () => undefined,
    onOnline: () => {
      onlines += 1;
    },
    goneMs,
    attemptMs,
  });
  connections.push(connection);
  return { connection, onlines: () => onlines };
}

const reaches = (connection: ServerConnection, wanted: ServerConnectionState): Promise<void> =>
  new Promise((resolve) => {
    if (connection.state.get() === wanted) return resolve();
    const stop = connection.state.subscribe(() => {
      if (connection.state.get() !== wanted) return;
      stop();
      resolve();
    });
  });

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  for (const rig of rigs.splice(0)) await end(rig);
});

const sessionId = asId<SessionId>("s1");

test("a call made before the first connection is answered after connecting", async () => {
  const { port } = await serve(0, (name, _input, answer) => answer({ ok: true, value: name }));
  const { connection } = connect(port);
  const answer = connection.call("session.abort", { sessionId });
  connection.connect();
  expect(await answer).toEqual({ ok: true, value: "session.abort" });
  expect(connection.state.get()).toBe("online");
});

test("a call pending when the server dies is sent to the next one, in call order", async () => {
  let onFirst = (): void => undefined;
  const received = new Promise<void>((resolve) => {
    onFirst = resolve;
  });
  const first = await serve(0, () => onFirst());
  const { connection, onlines } = connect(first.port);
  connection.connect();
  await reaches(connection, "online");
  const one = connection.call("session.abort", { sessionId });
  const two = connection.call("session.answer_now", { sessionId });
  await received;
  await end(first);
  await reaches(connection, "offline");
  const names: string[] = [];
  await serve(first.port, (name, _input, answer) => {
    names.push(name);
    answer({ ok: true, value: null });
  });
  expect(await one).toEqual({ ok: true, value: null });
  expect(await two).toEqual({ ok: true, value: null });
  expect(names).toEqual(["session.abort", "session.answer_now"]);
  expect(onlines()).toBe(2);
});

test("without a server the state becomes gone after a while, and online once a server responds", async () => {
  const first = await serve(0, () => undefined);
  const { connection } = connect(first.port, 30);
  connection.connect();
  await reaches(connection, "online");
  await end(first);
  await reaches(connection, "gone");
  await serve(first.port, () => undefined);
  await reaches(connection, "online");
  expect(connection.state.get()).toBe("online");
});

test("behind a proxy that never answers an upgrade it connects by long polling", async () => {
  const rig = await serve(0, (name, _input, answer) => answer({ ok: true, value: name }));
  const held: Duplex[] = [];
  rig.http.removeAllListeners("upgrade").on("upgrade", (_request, socket) => held.push(socket));
  const { connection } = connect(rig.port, undefined, 300);
  connection.connect();
  expect(await connection.call("session.abort", { sessionId })).toEqual({ ok: true, value: "session.abort" });
  for (const socket of held) socket.destroy();
});

test.each([
  [0, 500],
  [4_000, 500],
  [60_000, 6_000],
  [3_600_000, 30_000],
])("after %i ms without a server the next attempt is made within %i ms", (lostMs, delayMs) => {
  expect(reconnectDelayMs(lostMs)).toBe(delayMs);
});

test("without a cookie it is unauthorized, pending calls are refused, and signing in connects", async () => {
  let isSignedIn = false;
  const { port } = await serve(
    0,
    (_name, _input, answer) => answer({ ok: true, value: null }),
    () => isSignedIn,
  );
  const { connection } = connect(port);
  const refused = connection.call("session.abort", { sessionId });
  connection.connect();
  await reaches(connection, "unauthorized");
  expect(await refused).toEqual({ ok: false, error: { code: "not_allowed" } });
  isSignedIn = true;
  connection.connect();
  await reaches(connection, "online");
  expect(await connection.call("session.abort", { sessionId })).toEqual({ ok: true, value: null });
});

test("sends an input too large for a packet by HTTP", async () => {
  let packets = 0;
  const { port } = await serve(0, () => {
    packets += 1;
  });
  const { connection } = connect(port);
  connection.connect();
  await reaches(connection, "online");
  const text = "x".repeat(1_200_000);
  const answer = await connection.call("session.send", {
    sessionId,
    commandId: asId("c1"),
    text,
    intent: "prompt",
  });
  expect(answer.ok && JSON.stringify(answer.value)).toContain("/api/call 12000");
  expect(packets).toBe(0);
});

test("sends a call with a possibly large answer by HTTP", async () => {
  let packets = 0;
  const { port } = await serve(0, () => {
    packets += 1;
  });
  const { connection } = connect(port);
  connection.connect();
  await reaches(connection, "online");
  await connection.call("session.export", { sessionId, format: "md" });
  expect(packets).toBe(0);
});

test("retries a connection that breaks between the upgrade and the first packet", async () => {
  const rig = await serve(0, (_name, _input, answer) => answer(null));
  const listeners = rig.http.listeners("upgrade");
  let broken = 0;
  rig.http.removeAllListeners("upgrade");
  rig.http.on("upgrade", (request, socket, head) => {
    if (broken > 0) {
      for (const listener of listeners) Reflect.apply(listener, rig.http, [request, socket, head]);
      return;
    }
    broken += 1;
    const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${guid}`).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      () => socket.destroy(),
    );
  });
  const connection = createServerConnection({
    address: `http://127.0.0.1:${rig.port}`,
    onEvents: () => undefined,
    onPush: () => undefined,
    onOnline: () => undefined,
    attemptMs: 200,
  });
  connections.push(connection);
  connection.connect();
  await reaches(connection, "online");
  expect(broken).toBe(1);
});

const other = asId<SessionId>("s2");

test.each<[string, (call: ServerConnection["call"]) => void, string[]]>([
  [
    "a close of before does not follow the open of the new connection",
    (call) => void call("session.close", { sessionId }),
    ["session.open s1"],
  ],
  [
    "what was opened and closed meanwhile is not joined again",
    (call) => {
      void call("session.open", { sessionId: other });
      void call("session.close", { sessionId: other });
    },
    ["session.open s1"],
  ],
  [
    "what was closed and opened again is opened",
    (call) => {
      void call("session.close", { sessionId: other });
      void call("session.open", { sessionId: other });
    },
    ["session.open s1", "session.open s2"],
  ],
  [
    "what was watched before does not replace what is watched now",
    (call) => {
      void call("models.watch", { on: false });
      void call("files.watch", { projectId: asId("p"), folders: ["old"] });
      void call("session.abort", { sessionId: other });
    },
    ["session.open s1", "session.abort s2"],
  ],
])("calls made while offline: %s", async (_name, offline, expected) => {
  const { port } = await serve(0, (name, input, answer) => {
    const id = typeof input === "object" && input !== null && "sessionId" in input ? input.sessionId : "";
    received.push(`${name} ${String(id)}`.trim());
    answer({ ok: true, value: null });
  });
  const received: string[] = [];
  const connection: ServerConnection = createServerConnection({
    address: `http://127.0.0.1:${port}`,
    onEvents: () => undefined,
    onPush: () => undefined,
    onOnline: () => void connection.call("session.open", { sessionId }),
  });
  connections.push(connection);
  offline(connection.call);
  connection.connect();
  await reaches(connection, "online");
  await connection.call("session.run_first", { sessionId });
  expect(received.slice(0, -1)).toEqual(expected);
});

test.each([
  [413, "text/html", "<html>Request Entity Too Large</html>", "too_large"],
  [502, "text/html", "<html>Bad Gateway</html>", "server_unreachable"],
  [400, "text/plain", "", "bad_input"],
  [401, "application/json", '{"ok":false,"error":{"code":"not_allowed"}}', "not_allowed"],
  [405, "text/plain", "", "bad_answer"],
  [415, "text/plain", "", "bad_answer"],
  [421, "text/plain", "", "not_allowed"],
  [200, "text/html", "<html>Please sign in to the hotel's network</html>", "bad_answer"],
  [200, "application/json", "null", "bad_answer"],
  [500, "application/json", '{"message":"no"}', "bad_answer"],
])("a long call answered with %i, %s %j resolves once", async (status, type, body, code) => {
  let posts = 0;
  const http = createServer((request, response) => {
    posts += 1;
    request.resume().on("end", () => response.writeHead(status, { "content-type": type }).end(body));
  });
  const io = new Server(http);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const rig = { http, io, port: isPort(address) ? address.port : 0 };
  rigs.push(rig);
  const { connection } = connect(rig.port);
  connection.connect();
  await reaches(connection, "online");
  const answer = await connection.call("session.export", { sessionId, format: "md" });
  expect(answer).toMatchObject({ ok: false, error: { code } });
  // fetch itself retries once on a new connection after a 421.
  expect(posts).toBeLessThanOrEqual(status === 421 ? 2 : 1);
});

/** Forwards to a port. `freeze` ends the forwarding of the connections that exist then, without closing them. */
async function serveLink(target: number): Promise<{ readonly port: number; freeze(): void; end(): void }> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const link = createLink((near) => {
    const far = connectTo(target, "127.0.0.1");
    pairs.add([near, far]);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => link.listen(0, "127.0.0.1", resolve));
  const end = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    link.close();
  };
  const address = link.address();
  return {
    port: isPort(address) ? address.port : 0,
    end,
    freeze() {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
  };
}

test("a connection that lost its network without an error is opened again when an answer is missing", async () => {
  const rig = await serve(0, (_name, _input, answer) => answer({ ok: true, value: null }));
  const link = await serveLink(rig.port);
  let onlines = 0;
  const connection: ServerConnection = createServerConnection({
    address: `http://127.0.0.1:${link.port}`,
    onEvents: () => undefined,
    onPush: () => undefined,
    onOnline: () => (onlines += 1),
    verifyMs: 200,
  });
  connections.push(connection);
  connection.connect();
  await reaches(connection, "online");
  const watched = connection.call("models.watch", { on: true });
  connection.verify(watched);
  await watched;
  expect(onlines).toBe(1);
  link.freeze();
  const lost = reaches(connection, "offline");
  const second = connection.call("app.welcome", {});
  connection.verify(second);
  await lost;
  await reaches(connection, "online");
  // The call that got no answer is sent again.
  expect(await second).toEqual({ ok: true, value: null });
  expect(onlines).toBe(2);
  link.end();
});

test("bytes of a push arrive as a byte array", async () => {
  const rig = await serve(0, () => undefined);
  rig.io.on("connection", (socket) => void socket.emit("push", { type: "output", bytes: new Uint8Array([0, 200]) }));
  const pushed = new Promise<unknown>((resolve) => {
    const address = `http://127.0.0.1:${rig.port}`;
    const ignore = (): void => {};
    const connection = createServerConnection({ address, onEvents: ignore, onOnline: ignore, onPush: resolve });
    connections.push(connection);
    connection.connect();
  });
  const push = await pushed;
  const bytes = typeof push === "object" && push !== null && "bytes" in push ? push.bytes : null;
  expect(bytes instanceof Uint8Array ? [...bytes] : null).toEqual([0, 200]);
});

test("the first request of long polling carries the secret of the page as it is now", async () => {
  const secrets: unknown[] = [];
  const http = createServer((request, response) => {
    if (request.url?.includes("transport=polling") === true) secrets.push(request.headers["x-gopi-page"]);
    response.writeHead(503).end();
  });
  // Like a server that refuses the cookie at the upgrade.
  http.on("upgrade", (_request, socket) => void socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  let page = 0;
  const connection = createServerConnection({
    address: `http://127.0.0.1:${isPort(address) ? address.port : 0}`,
    onEvents: () => undefined,
    onPush: () => undefined,
    onOnline: () => undefined,
    page: () => `secret-${++page}`,
  });
  connections.push(connection);
  connection.connect();
  await expect.poll(() => new Set(secrets).size).toBeGreaterThan(1);
  for (const secret of secrets) expect(secret).toMatch(/^secret-\d+$/);
  await new Promise<void>((resolve) => {
    http.close(() => resolve());
    http.closeAllConnections();
    connection.close();
  });
});

test.each([401, 403])("a handshake that is refused with %i is not lost: the page says what to do", async (status) => {
  const http = createServer((_request, response) => void response.writeHead(status).end());
  http.on("upgrade", (_request, socket) => void socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  const address = http.address();
  const connection = createServerConnection({
    address: `http://127.0.0.1:${isPort(address) ? address.port : 0}`,
    onEvents: () => undefined,
    onPush: () => undefined,
    onOnline: () => undefined,
  });
  connections.push(connection);
  connection.connect();
  await expect.poll(() => connection.state.get()).toBe("unauthorized");
});
