/**
 * A socket id grants no access: each request of a socket is checked like the first one. With a real server and real
 * requests.
 */
import { createServer, request } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "@/server/store/open-store";
import { loopbackNames } from "./auth/guard";
import { makeSignIns } from "./auth/sign-in";
import type { FrontDoor } from "./front-door/front-door";
import { makeSocketServer } from "./socket/socket";

type Headers = Readonly<Record<string, string>>;
const bearer = "b".repeat(32);

async function running(frontDoor?: FrontDoor) {
  const home = mkdtempSync(join(tmpdir(), "gopi-socket-"));
  const opened = openStore({ home, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const http = createServer();
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const signIns = makeSignIns({ store: store.signIns, port: () => port, bearer, now: Date.now });
  const registry = { watch: () => {}, release: () => {}, subscribe: () => () => {} };
  const socket = makeSocketServer({
    http,
    listenAddress: () => ({ port, names: loopbackNames }),
    signIns,
    frontDoor,
    handlers: { table: {}, clientDisconnected: () => {}, reportBug: () => {} },
    registry,
    topicSources: () => ({}),
    devicesChanged: () => {},
  });
  onTestFinished(async () => {
    await socket.close();
    http.closeAllConnections();
    store.close();
    rmSync(home, { recursive: true });
  });
  const browser = () => {
    const signedIn = signIns.exchange(signIns.freshLinkToken(), "x", "192.0.2.7");
    if (signedIn === null || signedIn === "slow_down") throw new Error("not signed in");
    return { page: signedIn.page, cookie: signedIn.cookie.split(";", 1).join("") };
  };
  const send = (method: string, query: string, headers: Headers, body = "") =>
    new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
      const path = `/socket.io/?EIO=4&transport=polling${query}`;
      const sent = request({ port, host: "127.0.0.1", method, path, agent: false, headers }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: text }));
      });
      // The upgrade was accepted.
      sent.on("upgrade", (answer, socket) => {
        socket.destroy();
        resolve({ status: answer.statusCode ?? 0, body: "" });
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return { port, browser, send, own: { host: `localhost:${port}`, origin: `http://localhost:${port}` } };
}

const upgrade: Headers = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

test("what the front door refuses opens no socket, with any credential", async () => {
  const { send, own, browser } = await running({ refusal: () => "another user", signIn: () => ({ kind: "refused" }) });
  const credentials: readonly Headers[] = [{ cookie: browser().cookie }, { authorization: `Bearer ${bearer}` }];
  for (const more of credentials) {
    expect((await send("GET", "", { ...own, ...more })).status).toBe(403);
    expect((await send("GET", "&transport=websocket", { ...own, ...more, ...upgrade })).status).toBe(403);
  }
});

/** A socket of a signed-in page, by long polling. */
async function connected() {
  const rig = await running();
  const { cookie, page } = rig.browser();
  const headers = { ...rig.own, cookie };
  const opened = await rig.send("GET", "", headers);
  const sid = /"sid":"([^"]+)"/.exec(opened.body)?.[1] ?? "";
  expect((await rig.send("POST", `&sid=${sid}`, headers, `40${JSON.stringify({ page })}`)).status).toBe(200);
  expect((await rig.send("GET", `&sid=${sid}`, headers)).body).toContain('40{"sid"');
  return { ...rig, sid, headers };
}

/** Requests of an attacker who has learned the id of a socket. */
const attacks: readonly (readonly [what: string, (right: Headers, port: number, other: string) => Headers])[] = [
  ["no cookie", ({ cookie: _cookie, ...rest }) => rest],
  ["the cookie of another browser", (right, _port, other) => ({ ...right, cookie: other })],
  ["a cookie more", (right) => ({ ...right, cookie: `${right.cookie}; a=b` })],
  ["the bearer token in place of the cookie", ({ host }) => ({ host: host ?? "", authorization: `Bearer ${bearer}` })],
  ["the page of another site", (right) => ({ ...right, origin: "http://evil.example" })],
  ["a page at another port", (right, port) => ({ ...right, origin: `http://localhost:${port + 1}` })],
  ["no Origin", ({ origin: _origin, ...rest }) => rest],
  ["the name of another host", (right, port) => ({ ...right, host: `evil.example:${port}` })],
  [
    "a foreign host and its own origin",
    (_right, port) => ({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` }),
  ],
  ["Sec-Fetch-Site same-site", (right) => ({ ...right, "sec-fetch-site": "same-site" })],
  ["Sec-Fetch-Site cross-site", (right) => ({ ...right, "sec-fetch-site": "cross-site" })],
];

describe("a request with the id of a socket and", () => {
  test.each(attacks)("%s is refused: reading, writing and the upgrade", async (_what, change) => {
    const { send, sid, headers, port, browser } = await connected();
    const wrong = change(headers, port, browser().cookie);
    expect((await send("GET", `&sid=${sid}`, wrong)).status).toBe(400);
    expect((await send("POST", `&sid=${sid}`, wrong, '420["call","app.welcome",{}]')).status).toBe(400);
    const websocket = (await send("GET", `&sid=${sid}&transport=websocket`, { ...wrong, ...upgrade })).status;
    expect(websocket).toBe(400);
    // The socket itself stays open.
    expect((await send("POST", `&sid=${sid}`, headers, "41")).status).toBe(200);
  });

  test("a second, invented id is refused", async () => {
    const { send, sid, headers } = await connected();
    for (const query of [`&sid=none&sid=${sid}`, `&sid=${sid}&sid=none`])
      expect((await send("POST", query, headers, "41")).status).toBe(400);
  });
});

describe("a handshake", () => {
  const answerOf = async (page: (own: string, other: string) => unknown): Promise<string> => {
    const { send, own, browser } = await running();
    const [ownBrowser, other] = [browser(), browser()];
    const headers = { ...own, cookie: ownBrowser.cookie };
    const sid = /"sid":"([^"]+)"/.exec((await send("GET", "", headers)).body)?.[1] ?? "";
    await send("POST", `&sid=${sid}`, headers, `40${JSON.stringify(page(ownBrowser.page, other.page))}`);
    return (await send("GET", `&sid=${sid}`, headers)).body;
  };

  test("with the cookie and the secret of its page is accepted", async () => {
    expect(await answerOf((page) => ({ page }))).toContain('40{"sid"');
  });

  test.each<[string, (own: string, other: string) => unknown]>([
    ["no secret", () => ({})],
    ["an empty one", () => ({ page: "" })],
    ["that of another browser", (_mine, other) => ({ page: other })],
    ["a list", (own) => ({ page: [own] })],
    ["no object", (own) => own],
    ["null", () => null],
  ])("with the cookie and %s is unauthorized", async (_what, page) => {
    const answer = await answerOf(page);
    expect(answer).not.toContain('40{"sid"');
  });

  test.each(["same-site", "cross-site"])("from %s is refused, with any credential", async (site) => {
    const { send, own, browser } = await running();
    const more = { "sec-fetch-site": site };
    expect((await send("GET", "", { ...own, ...more, cookie: browser().cookie })).status).toBeGreaterThanOrEqual(400);
    const script = { host: own.host, authorization: `Bearer ${bearer}`, ...more };
    expect((await send("GET", "", script)).status).toBeGreaterThanOrEqual(400);
  });
});
