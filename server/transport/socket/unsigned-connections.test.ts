/** Limits of a client before its sign-in: real WebSockets, written byte by byte, against a real server. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect, type Socket as TcpSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { io } from "socket.io-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "@/server/store/open-store";
import { loopbackNames } from "../auth/guard";
import { makeSignIns } from "../auth/sign-in";
import { makeSocketServer } from "./socket";
import { unsignedMaxBytes, unsignedMostPerAddress, unsignedMs } from "./unsigned-connections";

type Headers = Readonly<Record<string, string>>;
const bearer = "b".repeat(32);

async function running() {
  const home = mkdtempSync(join(tmpdir(), "gopi-unsigned-"));
  const opened = openStore({ home, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const http = createServer();
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const signIns = makeSignIns({ store: store.signIns, port: () => port, bearer, now: Date.now });
  const sockets = makeSocketServer({
    http,
    listenAddress: () => ({ port, names: loopbackNames }),
    signIns,
    handlers: { table: {}, clientDisconnected: () => {}, reportBug: () => {} },
    registry: { watch: () => {}, release: () => {}, subscribe: () => () => {} },
    topicSources: () => ({}),
    devicesChanged: () => {},
  });
  onTestFinished(async () => {
    await sockets.close();
    http.closeAllConnections();
    store.close();
    rmSync(home, { recursive: true });
  });
  const signedIn = signIns.exchange(signIns.freshLinkToken(), "x", "192.0.2.7");
  if (signedIn === null || signedIn === "slow_down") throw new Error("not signed in");
  const cookie = signedIn.cookie.split(";", 1).join("");
  const own = { Host: `localhost:${port}`, Origin: `http://localhost:${port}` };
  return { port, sockets, own, cookie, page: signedIn.page };
}

/** A WebSocket whose bytes the test writes, `after` with its upgrade. `status` is that of the answer to the upgrade. */
async function openRaw(port: number, headers: Headers, after: Buffer = Buffer.alloc(0), query = "") {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  const upgrade = {
    ...headers,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const lines = Object.entries(upgrade).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1\r\n${lines.join("")}\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), after]));
  const text = await new Promise<string>((resolve) => {
    socket.once("data", (data) => resolve(data.toString("latin1")));
    socket.once("close", () => resolve(""));
  });
  return { socket, closed, status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0) };
}

/** Starts a text frame of `bytes` and writes the part of it that is given. */
const writeFrame = (socket: TcpSocket, bytes: number, part: Buffer): void => void socket.write(startFrame(bytes, part));

function startFrame(bytes: number, part: Buffer): Buffer {
  const head = Buffer.alloc(14);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0xff, 1);
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return Buffer.concat([head, part]);
}

const poll = (port: number, method: string, query: string, headers: Headers, body = "") =>
  new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
    const path = `/socket.io/?EIO=4&transport=polling${query}`;
    const sent = request({ port, host: "127.0.0.1", method, path, agent: false, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });

describe("before the sign-in", () => {
  test.each<[string, (own: Headers, cookie: string) => Headers]>([
    ["no cookie", (own) => own],
    ["an invented cookie", (own, cookie) => ({ ...own, Cookie: `${cookie.split("=", 1).join("")}=${"x".repeat(32)}` })],
    ["a cookie that was cut", (own, cookie) => ({ ...own, Cookie: cookie.slice(0, -1) })],
    ["the cookie under another name", (own, cookie) => ({ ...own, Cookie: `x${cookie}` })],
    ["a wrong token", (own) => ({ ...own, Authorization: `Bearer ${"c".repeat(32)}` })],
    [
      "a cookie and a wrong token",
      (own, cookie) => ({ ...own, Cookie: cookie, Authorization: `Bearer ${"c".repeat(32)}` }),
    ],
    ["neither Origin nor token", ({ Host = "" }) => ({ Host })],
    ["the cookie without an Origin", ({ Host = "" }, cookie) => ({ Host, Cookie: cookie })],
  ])("a client with %s is refused with 401, by WebSocket and long polling", async (_what, change) => {
    const { port, own, cookie, sockets } = await running();
    const headers = change(own, cookie);
    const raw = await openRaw(port, headers);
    expect(raw.status).toBe(401);
    await raw.closed;
    expect((await poll(port, "GET", "", headers)).status).toBe(401);
    expect(sockets.count()).toBe(0);
  });

  test("a page's own GET of long polling, which has no Origin, is accepted with the page's secret alone", async () => {
    const { port, own, cookie, page } = await running();
    const headers = { Host: own.Host, Cookie: cookie, "X-Gopi-Page": page };
    const opened = await poll(port, "GET", "", headers);
    expect(opened.status).toBe(200);
    const sid = /"sid":"([^"]+)"/.exec(opened.body)?.[1] ?? "";
    expect((await poll(port, "POST", `&sid=${sid}`, { ...headers, Origin: own.Origin }, "40")).status).toBe(200);
    expect((await poll(port, "POST", `&sid=${sid}`, headers, "40")).status).toBe(400);
    expect((await openRaw(port, headers)).status).toBe(401);
  });

  test("a client of another page is refused with 403, whatever its cookie", async () => {
    const { port, own, cookie } = await running();
    const headers = { ...own, Cookie: cookie, Origin: "http://evil.example" };
    expect((await openRaw(port, headers)).status).toBe(403);
  });

  test("a WebSocket may send few bytes, in one frame or in many", async () => {
    const { port, own, cookie } = await running();
    const headers = { ...own, Cookie: cookie };
    const unfinished = await openRaw(port, headers);
    expect(unfinished.status).toBe(101);
    writeFrame(unfinished.socket, 900_000, Buffer.alloc(unsignedMaxBytes + 1));
    await unfinished.closed;
    const many = await openRaw(port, headers);
    for (let sent = 0; sent <= unsignedMaxBytes; sent += 1_000)
      writeFrame(many.socket, 1_000, Buffer.alloc(1_000, "2"));
    await many.closed;
  });

  test("bytes that come with the upgrade count", async () => {
    const { port, own, cookie, sockets } = await running();
    const headers = { ...own, Cookie: cookie };
    const few = await openRaw(port, headers, startFrame(20_000, Buffer.alloc(unsignedMaxBytes - 20)));
    expect(few.status).toBe(101);
    const many = startFrame(900_000, Buffer.alloc(60_000));
    await (await openRaw(port, headers, many)).closed;
    const sid = /"sid":"([^"]+)"/.exec((await poll(port, "GET", "", headers)).body)?.[1] ?? "";
    await (await openRaw(port, headers, many, `&sid=${sid}`)).closed;
    // The first one is still open, so no other was ended by time.
    expect(sockets.count()).toBe(1);
  });

  test("a request of long polling may send few bytes and has a length", async () => {
    const { port, own, cookie } = await running();
    const headers = { ...own, Cookie: cookie };
    const sid = /"sid":"([^"]+)"/.exec((await poll(port, "GET", "", headers)).body)?.[1] ?? "";
    expect((await poll(port, "POST", `&sid=${sid}`, headers, "2".repeat(unsignedMaxBytes + 1))).status).toBe(413);
    const chunked = { ...headers, "Transfer-Encoding": "chunked" };
    expect((await poll(port, "POST", `&sid=${sid}`, chunked, "2")).status).toBe(413);
  });

  test("an unfinished frame ends after a few seconds, also when the client does not read", async () => {
    const { port, own, cookie, sockets } = await running();
    const raws = await Promise.all(Array.from({ length: 5 }, () => openRaw(port, { ...own, Cookie: cookie })));
    for (const { socket } of raws) {
      writeFrame(socket, 10_000, Buffer.alloc(100));
      socket.pause();
    }
    expect(sockets.count()).toBe(5);
    const began = performance.now();
    await expect.poll(sockets.count, { timeout: 4 * unsignedMs }).toBe(0);
    expect(performance.now() - began).toBeGreaterThan(unsignedMs / 2);
  });

  test("one address has a number of connections, and those that sign in are not counted", async () => {
    const { port, own, cookie, page, sockets } = await running();
    const headers = { ...own, Cookie: cookie };
    const open = async (): Promise<number> => (await openRaw(port, headers)).status;
    const statuses: number[] = [];
    for (let count = 0; count < unsignedMostPerAddress; count += 1) statuses.push(await open());
    expect(new Set(statuses)).toEqual(new Set([101]));
    expect(await open()).toBe(429);
    // A page that sends its secret with the first request is signed in already.
    const signed = await poll(port, "GET", "", { ...headers, "x-gopi-page": page });
    expect(signed.status).toBe(200);
    expect(sockets.count()).toBe(unsignedMostPerAddress + 1);
  });
});

describe("after the sign-in", () => {
  test.each<[string, "websocket" | "polling", "cookie" | "bearer"]>([
    ["a page by WebSocket", "websocket", "cookie"],
    ["a page by long polling", "polling", "cookie"],
    ["a script by WebSocket", "websocket", "bearer"],
    ["a script by long polling", "polling", "bearer"],
  ])("%s sends large packets, and stays", async (_what, transport, credential) => {
    const { port, own, cookie, page } = await running();
    const client = io(`http://localhost:${port}`, {
      transports: [transport],
      forceNew: true,
      reconnection: false,
      auth: credential === "cookie" ? { page } : {},
      extraHeaders:
        credential === "cookie" ? { Origin: own.Origin, Cookie: cookie } : { Authorization: `Bearer ${bearer}` },
    });
    onTestFinished(() => void client.disconnect());
    await new Promise<void>((resolve, reject) => {
      client.once("connect", resolve);
      client.once("connect_error", reject);
    });
    const answer: unknown = await client.emitWithAck("call", "no.such", { text: "x".repeat(40 * unsignedMaxBytes) });
    expect(answer).toMatchObject({ ok: false });
  });
});
