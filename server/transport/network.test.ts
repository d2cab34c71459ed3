import { makeServerLog } from "@/server/base/server-log";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { io, type Socket } from "socket.io-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHome } from "@/server/home";
import { readServerFile } from "@/server/store/core/server-file";
import { sendRequest, type CallAnswer } from "@/server/features/share/test-sharing";
import { type ListenAddress, loopbackNames } from "./auth/guard";
import type { FrontDoor } from "./front-door/front-door";
import { type HttpCore, makeHttpServer } from "./http/http";
import { toHostName, makeAddressListeners } from "./http/address-listeners";
import { makeNetwork } from "./network";
import { wrongTriesPerHour } from "./auth/failed-attempts";

/** An address of this machine that represents one on a network. */
const address = "127.0.0.31";

/** A server with --host: on 127.0.0.1 and at that address. */
async function running() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-network-")));
  const home = join(folder, "home");
  const listenAddress: { port: number; names: readonly string[] } = { port: 0, names: loopbackNames };
  let ready = (_core: HttpCore): void => {};
  const core = new Promise<HttpCore>((resolve) => {
    ready = resolve;
  });
  const http = makeHttpServer({
    listenAddress: (): ListenAddress => listenAddress,
    version: "1.0.0",
    now: () => performance.now(),
    serveStatic: (_request, response) => void response.end("page"),
    reportBug: () => {},
    store: Promise.resolve(),
    core,
  });
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const own = http.address();
  listenAddress.port = typeof own === "object" && own !== null ? own.port : 0;
  const lan = makeAddressListeners(http);
  expect(await lan.open([address], listenAddress.port)).toEqual([]);
  listenAddress.names = [...loopbackNames, ...lan.addresses.map(toHostName)];
  const opened = await openHome({
    command: {
      kind: "serve",
      folder,
      port: null,
      host: "127.0.0.1",
      network: [address],
      model: null,
      files: [],
      home,
      open: false,
      json: false,
      demo: false,
      background: true,
    },
    environment: { OLLAMA_HOST: "http://127.0.0.1:1", NODE_ENV: "test" },
    http,
    listenAddress: () => listenAddress,
    lan,
    ui: folder,
    onStoreOpen: () => {},
    serverLog: makeServerLog(() => {}, Date.now),
    log: () => {},
  });
  if (opened.kind !== "open") throw new Error(opened.kind);
  ready(opened.core);
  onTestFinished(async () => {
    await opened.end();
    http.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const bearer = readServerFile(home)?.token ?? "";
  const call = async (name: string, input: unknown = {}) => {
    const response = await fetch(`http://127.0.0.1:${listenAddress.port}/api/call`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ name, input }),
    });
    const answer: { readonly ok: boolean; readonly value: never } = await response.json();
    return answer.value;
  };
  return {
    core: opened.core,
    origin: `http://${address}:${listenAddress.port}`,
    port: listenAddress.port,
    call,
    bearer,
  };
}

type Running = Awaited<ReturnType<typeof running>>;

const post = (origin: string, token: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${origin}/api/sign-in`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      origin,
      "user-agent": "Mozilla/5.0 (iPhone) Safari/605",
      ...headers,
    },
    body: JSON.stringify({ token }),
  });

/** A phone that signs in by the link of the devices page, and opens the socket. */
async function signIn({ core, origin }: Running): Promise<{
  readonly socket: Socket;
  readonly cookie: string;
  readonly page: string;
}> {
  const [link] = core.network.links();
  const answer = await post(origin, new URL(link?.url ?? "").hash.replace("#token=", ""));
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";", 1).join("");
  const { value }: { readonly value: { readonly page: string } } = await answer.json();
  const socket = io(origin, {
    transports: ["websocket"],
    reconnection: false,
    forceNew: true,
    auth: { page: value.page },
    extraHeaders: { Origin: origin, Cookie: cookie },
  });
  onTestFinished(() => void socket.disconnect());
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("connect_error", reject);
  });
  return { socket, cookie, page: value.page };
}

const ask = (socket: Socket, name: string, input: unknown = {}): Promise<CallAnswer> =>
  new Promise((resolve) => socket.emit("call", name, input, resolve));

describe("a server on a network", () => {
  it("grants access only by signing in, whatever the source address or the Host header", async () => {
    const { origin, port } = await running();
    expect((await sendRequest(origin, "/")).status).toBe(200);
    const places: readonly Readonly<Record<string, string>>[] = [
      {},
      { Host: `localhost:${port}` },
      { "X-Forwarded-For": "127.0.0.1" },
      { Forwarded: "for=127.0.0.1" },
    ];
    for (const headers of places) expect((await sendRequest(origin, "/api/call", headers, "POST")).status).toBe(401);
    expect((await sendRequest(origin, "/", { Host: "192.0.2.1" })).status).toBe(421);
    expect((await sendRequest(origin, "/", { Host: "127.0.0.32" })).status).toBe(421);
    expect((await sendRequest(origin, "/", { "X-Forwarded-Host": address, Host: "evil.example" })).status).toBe(421);
    expect((await post(origin, "wrong", { origin: "http://evil.example" })).status).toBe(403);
  });

  it("signs a device in by a one-time link, and lists it", async () => {
    const server = await running();
    const [link] = server.core.network.links();
    expect(link).toMatchObject({ address, url: expect.stringContaining(`${server.origin}/#token=`) });
    const { socket } = await signIn(server);
    expect(await ask(socket, "devices.list")).toMatchObject({
      value: { devices: [{ label: "Safari, iPhone", current: true, online: true }] },
    });
    expect(await server.call("devices.list")).toMatchObject({ devices: [{ current: false, online: true }] });
    const token = new URL(link?.url ?? "").hash.replace("#token=", "");
    expect((await post(server.origin, token)).status).toBe(200);
    expect((await post(server.origin, token)).status).toBe(401);
  });

  it("disconnects a device that is signed out, and no other", async () => {
    const server = await running();
    const lost = await signIn(server);
    const stays = await signIn(server);
    const answer = await ask(lost.socket, "devices.list");
    const list = JSON.stringify(answer.value);
    const id = /"id":"([^"]+)"[^}]*"current":true/.exec(list)?.[1] ?? "";
    const disconnected = new Promise<void>((resolve) => void lost.socket.once("disconnect", () => resolve()));
    await ask(stays.socket, "devices.revoke", { id });
    await disconnected;
    expect(stays.socket.connected).toBe(true);
    const headers = { Cookie: lost.cookie, Origin: server.origin, "x-gopi-page": lost.page };
    expect((await sendRequest(server.origin, "/api/call", headers, "POST")).status).toBe(401);
    expect(await ask(stays.socket, "devices.revoke", { id })).toMatchObject({ error: { code: "not_found" } });
    expect(await ask(stays.socket, "devices.list")).toMatchObject({ value: { devices: [{ current: true }] } });
  });

  it("slows down token guessing, per address", async () => {
    const { origin, port, core } = await running();
    for (let count = 0; count < wrongTriesPerHour; count += 1) expect((await post(origin, "wrong")).status).toBe(401);
    expect((await post(origin, "wrong")).status).toBe(429);
    expect(core.signIns.exchange("wrong", "x", "192.0.2.9")).toBeNull();
    expect((await sendRequest(`http://127.0.0.1:${port}`, "/api/health")).status).toBe(200);
  });

  it("can return to this machine only", async () => {
    const server = await running();
    const { socket } = await signIn(server);
    const disconnected = new Promise<void>((resolve) => void socket.once("disconnect", () => resolve()));
    expect(await ask(socket, "network.close")).toMatchObject({ value: { owner: [] } });
    await disconnected;
    await expect(sendRequest(server.origin, "/")).rejects.toThrow("ECONNREFUSED");
    expect(await server.call("devices.link")).toEqual({ links: [] });
    expect(await server.call("app.welcome")).toMatchObject({ network: { owner: [] }, shares: [] });
  });
});

describe("a server behind a front door", () => {
  const publicAddress = { origins: ["https://ide.example.org", "http://box:8080"], prefix: "/alice" };
  const networkOf = (address: Partial<ListenAddress>, frontDoor?: FrontDoor) =>
    makeNetwork({
      lan: null,
      listenAddress: () => ({ port: 4674, names: loopbackNames, ...address }),
      machine: () => [],
      frontDoor,
      shares: () => [],
      signIns: { freshLinkToken: () => "token", forget: () => {} },
      rows: { list: () => [], remove: () => false },
      socket: () => null,
      now: () => 0,
      deviceRevoked: () => {},
      push: () => {},
    });
  const addresses = ["https://ide.example.org/alice/", "http://box:8080/alice/"];

  it("has its public addresses, and sign-in links there", () => {
    const network = networkOf({ publicAddress });
    expect(network.state().frontDoor).toEqual({ addresses, signsIn: false });
    expect(network.links().map(({ url }) => url)).toEqual(addresses.map((page) => `${page}#token=token`));
  });

  it("differs from one that signs people in, and from none", () => {
    const signsIn: FrontDoor = { refusal: () => null, signIn: () => ({ kind: "refused" }) };
    expect(networkOf({ publicAddress }, signsIn).state().frontDoor).toEqual({ addresses, signsIn: true });
    expect(networkOf({}, signsIn).state().frontDoor).toEqual({ addresses: [], signsIn: true });
    expect(networkOf({}).state()).not.toHaveProperty("frontDoor");
  });
});
