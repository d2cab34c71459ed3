import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { startTestServer } from "./test-http-server";

/** Sends the head of a request and the start of a body that never ends; `answer` resolves when the server closes. */
function sendUnfinished(port: number, target: string, headers: readonly string[] = []) {
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part) => void parts.push(part));
  socket.on("error", () => {});
  const head = [`POST ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Content-Length: 1000", ...headers];
  socket.write(`${head.join("\r\n")}\r\n\r\n{`);
  onTestFinished(() => void socket.destroy());
  return { socket, answer: once(socket, "close").then(() => Buffer.concat(parts).toString("latin1")) };
}

it("a request without a sign-in is answered, and its connection closed, before its body has arrived", async () => {
  const { port } = await startTestServer();
  for (const target of ["/api/call", "/api/file", "/api/import", "/api/link", "/api/none"])
    expect((await sendUnfinished(port, target).answer).split("\r\n", 1)).toEqual(["HTTP/1.1 401 Unauthorized"]);
});

it("only the owner has an hour to send a body", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { port, http } = await startTestServer();
  const send = async (target: string, headers: readonly string[]) => {
    const sent = sendUnfinished(port, target, headers);
    await once(http, "request");
    return sent;
  };
  const json = "Content-Type: application/json";
  const owner = await send("/api/call", [json, `Authorization: Bearer ${"b".repeat(32)}`]);
  const unknown = [await send("/api/sign-in", [json]), await send("/", [])];
  vi.advanceTimersByTime(60_000);
  await Promise.all(unknown.map(({ answer }) => answer));
  owner.socket.write(`"name":"x"}${" ".repeat(1_000 - 11)}`);
  await once(owner.socket, "data");
});

it("the page of a session makes a signed-in browser's log be read ahead", async () => {
  const { prepared, cookie, get } = await startTestServer();
  expect(await get("/s/sabc123", { cookie })).toBe("page");
  expect(prepared).toEqual([asId<SessionId>("sabc123")]);
});

it("no log is read ahead without a sign-in, nor for other pages", async () => {
  const { prepared, cookie, get } = await startTestServer();
  expect(await get("/s/sabc123", {})).toBe("page");
  expect(await get("/s/sabc123", { cookie: "gopi=no" })).toBe("page");
  for (const path of ["/", "/s", "/s/", "/s/a/b", "/history", "/s/a.b"]) await get(path, { cookie });
  expect(prepared).toEqual([]);
});

it("an exception in a request gives 500 and is logged with its path, without the query", async () => {
  const { bugs, port } = await startTestServer();
  const response = await fetch(`http://127.0.0.1:${port}/api/call?secret`, {
    method: "POST",
    headers: { authorization: `Bearer ${"b".repeat(32)}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "fails", input: {} }),
  });
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { code: "internal" } });
  expect(bugs).toEqual(["POST /api/call: Error: broken"]);
});

it("a client that disconnects in the middle of its body is not logged", async () => {
  const { bugs, port } = await startTestServer();
  const headers = { authorization: `Bearer ${"b".repeat(32)}`, "content-type": "application/json" };
  const closed = new Promise<void>((resolve) => {
    const sent = request({ port, host: "127.0.0.1", method: "POST", path: "/api/call", headers });
    sent.on("error", () => {}).on("close", () => resolve());
    sent.write('{"name":', () => sent.destroy());
  });
  await closed;
  const next = await fetch(`http://127.0.0.1:${port}/api/call`, { method: "POST", headers, body: '{"name":"fails"}' });
  expect(next.status).toBe(500);
  expect(bugs).toEqual(["POST /api/call: Error: broken"]);
});

describe("the Sec-Fetch-Site header", () => {
  const paths = ["/api/health", "/api/call", "/api/sign-in", "/api/link", "/api/nothing"];
  const status = async (path: string, site: string, headers: Record<string, string> = {}): Promise<number> => {
    const { port } = await startTestServer();
    const method = path === "/api/health" || path === "/" ? "GET" : "POST";
    const more = { "content-type": "application/json", "sec-fetch-site": site, ...headers };
    const body = method === "POST" ? "{}" : null;
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: more, body })).status;
  };
  const right = { authorization: `Bearer ${"b".repeat(32)}` };

  it.each(["same-site", "cross-site", "unknown", "Same-Origin", "same-origin, none"])(
    "%s is refused at /api",
    async (site) => {
      for (const path of paths) {
        expect(await status(path, site)).toBe(403);
        expect(await status(path, site, right)).toBe(403);
      }
      // A link on another site may lead to the page.
      expect(await status("/", site)).toBe(200);
    },
  );

  it.each(["same-origin", "none"])("%s is decided by the other rules", async (site) => {
    expect(await status("/api/health", site)).toBe(200);
    expect(await status("/api/call", site)).toBe(401);
    expect(await status("/api/call", site, right)).toBe(400);
  });
});

describe("an import", () => {
  const limit = 3 * limits.editorMaxBytes;
  const post = async (path: string, type: string, body: string) => {
    const { port } = await startTestServer();
    const headers = { authorization: `Bearer ${"b".repeat(32)}`, "content-type": type };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
    return { status: response.status, answer: await response.text() };
  };
  const ndjson = "application/x-ndjson";

  it("has its raw file after one line, of any allowed size", async () => {
    const text = `{"type":"header"}\n${'é"\n'.repeat(limit / 3)}`;
    const { status, answer } = await post("/api/import", ndjson, `{"name":"a.jsonl"}\n${text}`);
    expect(status).toBe(200);
    expect(JSON.parse(answer)).toEqual({ ok: true, value: { name: "a.jsonl", text } });
  });

  it.each([
    ["no line", "{}"],
    ["no object", "1\nx"],
    ["nothing", ""],
    ["a line without an end", "x".repeat(100_000)],
  ])("with %s is bad_input", async (_name, body) => {
    expect((await post("/api/import", ndjson, body)).status).toBe(400);
  });

  it("is refused with other content types, which pages of other sites could send", async () => {
    for (const type of ["application/json", "text/plain"])
      expect((await post("/api/import", type, "{}\nx")).status).toBe(415);
  });

  it("a body's limit depends on its path, whatever its first bytes are", async () => {
    const body = `{"name":"session.import","input":{"text":"${"x".repeat(limit)}"}}`;
    expect(
      await post("/api/call", "application/json", body).then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413);
  });
});

it("a return address of a sign-in needs no cookie, and the browser leaves it at once", async () => {
  const { port } = await startTestServer();
  const open = (query: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/oauth/callback${query}`, { redirect: "manual", ...init });
  const right = await open("?code=1&state=right", { headers: { "Sec-Fetch-Site": "cross-site" } });
  expect([right.status, right.headers.get("location")]).toEqual([303, "/settings/tools#mcp/p1/docs"]);
  expect(right.headers.get("cache-control")).toBe("no-store");
  expect(right.headers.get("referrer-policy")).toBe("no-referrer");
  const wrong = await open("?code=1&state=wrong");
  expect([wrong.status, wrong.headers.get("location")]).toEqual([303, "/settings/tools"]);
  expect((await open("", { method: "POST" })).status).toBe(405);
});

describe("below a public path", () => {
  const published = { origins: ["https://ide.example.org"], prefix: "/user/x" };

  it("the path without its final slash leads to the page, with the query", async () => {
    const { port } = await startTestServer({ publicAddress: published });
    const answer = await fetch(`http://127.0.0.1:${port}/user/x?pin=a?b`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/user/x/?pin=a?b"]);
  });

  it("a request in plain http from a network is sent to https below it", async () => {
    const { http, port } = await startTestServer({ publicAddress: published, covers: () => true });
    http.prependListener("connection", (socket) =>
      Object.defineProperty(socket, "localAddress", { value: "10.0.0.5" }),
    );
    const answer = await fetch(`http://127.0.0.1:${port}/user/x/s/s1`, { redirect: "manual" });
    expect(answer.headers.get("location")).toBe(`https://127.0.0.1:${port}/user/x/s/s1`);
  });

  it("pages and calls are served with the prefix and without it", async () => {
    const { get } = await startTestServer({ publicAddress: published });
    expect(await get("/user/x/s/s1")).toBe("page");
    expect(await get("/s/s1")).toBe("page");
    for (const path of ["/user/x/api/health", "/api/health"]) expect(await get(path)).toContain('"ok":true');
  });

  it("the return of a sign-in leads to a page below it", async () => {
    const { port } = await startTestServer({ publicAddress: published });
    const answer = await fetch(`http://127.0.0.1:${port}/user/x/oauth/callback?state=right`, { redirect: "manual" });
    expect(answer.headers.get("location")).toBe("/user/x/settings/tools#mcp/p1/docs");
  });

  it.each([
    ["https://ide.example.org", /^__Secure-gopi_\w+=.*Path=\/user\/x\/;.*Secure$/],
    [null, /^gopi_\w+=.*Path=\/user\/x\/;.*Max-Age=\d+$/],
  ])("a page of %s gets its cookie", async (origin, cookie) => {
    const { port, freshToken } = await startTestServer({ publicAddress: published });
    const answer = await fetch(`http://127.0.0.1:${port}/user/x/api/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(origin === null ? {} : { origin }) },
      body: JSON.stringify({ token: freshToken() }),
    });
    expect(answer.headers.get("set-cookie")).toMatch(cookie);
  });
});

it.each([
  ["ide.example.org", "gopi-web doesn't answer to ide.example.org."],
  ["<b>x</b>", "gopi-web doesn't answer to this name."],
])("the Host %s is refused with the option that allows it", async (host, sentence) => {
  const { port } = await startTestServer();
  const sent = request({ host: "127.0.0.1", port, headers: { host } }).end();
  const [answer] = await once(sent, "response");
  const text = Buffer.concat(await answer.toArray()).toString();
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([421, "text/plain; charset=utf-8"]);
  expect(text).toContain(sentence);
  expect(text).toContain("--public-url");
  expect(text).not.toContain("<");
});
