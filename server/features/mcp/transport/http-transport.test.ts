/** Faults and attacks of servers over HTTP: one test each. */
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { connectServer } from "../connection";
import { describeCallFailure } from "../failure";
import { connectForTest, never } from "../test-mcp";
import {
  answerLegacy,
  answerTo,
  httpServer,
  legacyAnswer,
  sendEvent,
  sendMessage,
  serveHttp,
  type TestRequest,
  textResult,
} from "./test-http-server";

const ignore = (): void => {};
const key = "s3cret-key-0123456789";
const withKey = { headers: { Authorization: `Bearer ${key}` } };

const connect = (url: string, more: Parameters<typeof httpServer>[1] = {}) =>
  connectServer({ version: "0", server: httpServer(url, more) }, never);

/** A server of 2025 whose answer to a call is up to `answer`. */
const serveCall = (answer: (request: TestRequest, response: ServerResponse) => void) =>
  serveHttp((request, response) =>
    request.message.method === "tools/call" ? answer(request, response) : answerLegacy(request, response),
  );

async function callOn(origin: string, limits = {}) {
  const connection = await connectForTest(httpServer(`${origin}/mcp`), { limits });
  return connection.callTool("echo", {}, ignore, never);
}

test("the headers of the user are sent to the server, and to no other origin", async () => {
  const other = await serveHttp(answerLegacy);
  for (const status of [301, 307, 308]) {
    const { origin, requests } = await serveHttp((_request, response) => {
      response.writeHead(status, { Location: `${other.origin}/mcp?token=1` }).end();
    });
    expect(await connect(`${origin}/mcp`, withKey)).toMatchObject({
      error: { facts: { reason: "redirected", address: `${other.origin}/mcp` } },
    });
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  }
  expect(other.requests).toEqual([]);
});

test("a redirect to the same origin that keeps the method is followed", async () => {
  const { origin } = await serveHttp((request, response) => {
    if (request.url === "/mcp/") return answerLegacy(request, response);
    response.writeHead(307, { Location: "/mcp/" }).end();
  });
  expect(await callOn(origin)).toMatchObject({ ok: true });
});

test.each([
  [401, { reason: "forbidden", status: 401 }],
  [403, { reason: "forbidden", status: 403 }],
  [500, { reason: "http_status", status: 500 }],
  [400, { reason: "http_status", status: 400 }],
])("a server that answers %i to a key is reported so, with the key masked", async (status, facts) => {
  const { origin } = await serveHttp((_request, response) => {
    response.writeHead(status, { "Content-Type": "text/plain" }).end(`no: ${key}`);
  });
  const connected = await connect(`${origin}/mcp`, withKey);
  expect(connected).toMatchObject({ ok: false, error: { facts } });
  expect(JSON.stringify(connected)).not.toContain(key);
});

test("a server that wants a sign-in is reported as signed out, with the next step for the model", async () => {
  const { origin } = await serveHttp((_request, response) => {
    response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
  });
  const connected = await connect(`${origin}/mcp`);
  if (connected.ok) throw new Error("it connected");
  expect(connected.error).toEqual({ code: "not_allowed", facts: { reason: "signed_out" } });
  expect(describeCallFailure("docs", "find", connected.error)).toBe(
    "The user is signed out of the server docs. Ask the user to sign in to it in Settings > Tools, or use another tool.",
  );
});

test.each([404, 405])("after %i SSE is tried once", async (status) => {
  const { origin, requests } = await serveHttp((_request, response) => void response.writeHead(status).end());
  expect(await connect(`${origin}/mcp`)).toMatchObject({
    ok: false,
    error: { facts: { reason: "http_status", status } },
  });
  expect(requests.filter(({ method }) => method === "GET").length).toBe(1);
});

test("a web page is reported with its beginning", async () => {
  const { origin } = await serveHttp((_request, response) => {
    response
      .writeHead(200, { "Content-Type": "text/html" })
      .end(`<html><title>Welcome</title>${" word".repeat(10_000)}`);
  });
  const connected = await connect(`${origin}/mcp`);
  expect(connected).toMatchObject({ error: { facts: { reason: "no_protocol" } } });
  expect(JSON.stringify(connected)).toContain("<html><title>Welcome</title> word word");
  expect(JSON.stringify(connected).length).toBeLessThan(500);
});

test.each(["text/plain", "application/octet-stream", "application/json; charset=utf-8"])(
  "messages sent as %s are messages",
  async (type) => {
    const { origin } = await serveHttp((request, response) =>
      answerLegacy(request, response, { "Content-Type": type }),
    );
    expect(await callOn(origin)).toMatchObject({ ok: true, value: { content: [{ type: "text", text: "hello" }] } });
  },
);

test("messages without the version of JSON-RPC, and in a batch, are messages", async () => {
  const { origin } = await serveCall((request, response) =>
    sendMessage(response, [{ id: request.message.id ?? null, result: textResult("batch") }]),
  );
  expect(await callOn(origin)).toMatchObject({ ok: true, value: { content: [{ text: "batch" }] } });
});

test("an answer over the limit fails its call only", async () => {
  let calls = 0;
  const { origin } = await serveCall((request, response) => {
    calls += 1;
    sendMessage(response, answerTo(request, textResult(calls === 1 ? "x".repeat(9_000_000) : "small")));
  });
  const connection = await connectForTest(httpServer(`${origin}/mcp`));
  const first = await connection.callTool("echo", {}, ignore, never);
  expect(first).toMatchObject({ error: { code: "too_large", facts: { reason: "too_large" } } });
  expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({ ok: true });
});

test("an event over the limit fails its call", async () => {
  const { origin } = await serveCall((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write("data: ");
    const write = (): void => {
      while (!response.destroyed && response.write("x".repeat(1_000_000)));
    };
    response.on("drain", write);
    write();
  });
  expect(await callOn(origin)).toMatchObject({ ok: false, error: { facts: { reason: "cut" } } });
});

test("a stream of events without an end does not outlive the limit of the call", async () => {
  const closed: Promise<void>[] = [];
  const { origin } = await serveCall((request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    closed.push(new Promise((resolve) => void response.once("close", resolve)));
    const send = (): void => {
      if (response.destroyed) return;
      const params = { progressToken: request.message.id ?? 0, progress: 1 };
      sendEvent(response, { jsonrpc: "2.0", method: "notifications/progress", params });
      setImmediate(send);
    };
    send();
  });
  const called = await callOn(origin, { idleMs: 60_000, totalMs: 100 });
  expect(called).toMatchObject({ ok: false, error: { facts: { reason: "no_answer" } } });
});

test.each([
  ["before its answer", "application/json"],
  ["in the stream of its answer", "text/event-stream"],
])("a connection that ends %s fails the call, and says that it may have run", async (_name, type) => {
  const { origin } = await serveCall((_request, response) => {
    response.writeHead(200, { "Content-Type": type, "Content-Length": "1000" });
    response.write(type === "application/json" ? '{"jsonrpc"' : ": comment\n\n", () => response.destroy());
  });
  const called = await callOn(origin);
  if (called.ok) throw new Error("it has an answer");
  expect(called.error.facts).toMatchObject({ reason: "cut" });
  expect(describeCallFailure("docs", "find", called.error)).toContain("it may have run the call");
});

test("a stream that ends without the answer fails the call", async () => {
  const { origin } = await serveCall((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).end(": nothing\n\n");
  });
  expect(await callOn(origin)).toMatchObject({ error: { facts: { reason: "cut" } } });
});

test("a call that is answered on its tenth stream is repeated as often as the server requests", async () => {
  let request: TestRequest | null = null;
  let streams = 0;
  const { origin } = await serveHttp((received, response) => {
    const { message, method, headers } = received;
    if (message.method === "tools/call") request = received;
    else if (method !== "GET" || headers["last-event-id"] === undefined) return answerLegacy(received, response);
    streams += 1;
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    if (streams < 10 || request === null) return void response.end(`id: ${streams}\nretry: 100\ndata: \n\n`);
    sendEvent(response, answerTo(request, textResult("polled")));
    response.end();
  });
  // Doubled from a second on, the delays would exceed the limit.
  expect(await callOn(origin, { idleMs: 20_000, totalMs: 20_000 })).toMatchObject({
    value: { content: [{ text: "polled" }] },
  });
});

test("Stop ends the waiting at once", async () => {
  const stop = new AbortController();
  const { origin } = await serveCall(() => stop.abort());
  const connection = await connectForTest(httpServer(`${origin}/mcp`));
  expect(await connection.callTool("echo", {}, ignore, stop.signal)).toMatchObject({ error: { code: "aborted" } });
});

test("SSE whose stream breaks ends the connection with the reason", async () => {
  let stream: ServerResponse | null = null;
  const { origin } = await serveHttp((request, response) => {
    if (request.method === "GET") {
      stream = response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("event: endpoint\ndata: /messages\n\n");
      return;
    }
    if (request.url !== "/messages") return void response.writeHead(405).end();
    response.writeHead(202).end("Accepted");
    const answer = legacyAnswer(request);
    if (request.message.method === "tools/call") stream?.destroy();
    else if (answer !== null && stream !== null) sendEvent(stream, answer);
  });
  const connection = await connectForTest(httpServer(`${origin}/sse`));
  expect(await connection.listTools(never)).toMatchObject({ ok: true });
  expect(await connection.callTool("echo", {}, ignore, never)).toMatchObject({ error: { facts: { reason: "cut" } } });
  expect(await connection.closed).toMatchObject({ facts: { reason: "cut" } });
});

test("SSE that names an endpoint of another origin is refused", async () => {
  const other = await serveHttp(answerLegacy);
  const { origin } = await serveHttp((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(`event: endpoint\ndata: ${other.origin}/messages\n\n`);
  });
  expect(await connect(`${origin}/sse`, { transport: "sse", ...withKey })).toMatchObject({ ok: false });
  expect(other.requests).toEqual([]);
});

test("an address on the internet without https is not used", async () => {
  expect(await connect("http://example.com/mcp")).toMatchObject({
    error: { facts: { reason: "insecure", host: "example.com" } },
  });
});

test("a server that is not there is unreachable", async () => {
  const { origin, close } = await serveHttp(answerLegacy);
  await close();
  expect(await connect(`${origin}/mcp`)).toMatchObject({
    error: { facts: { reason: "unreachable", host: new URL(origin).host } },
  });
});

test("a server that fails at the question for its versions is spoken to as one of 2025", async () => {
  const { origin } = await serveHttp((request, response) => {
    if (request.message.method === "server/discover") return void response.writeHead(500).end();
    answerLegacy(request, response);
  });
  expect(await callOn(origin)).toMatchObject({ ok: true });
});

test("the tools are reported to have changed over the stream of the session", async () => {
  let change = (): void => {};
  const opened = new Promise<void>((resolve) => {
    change = resolve;
  });
  const { origin } = await serveHttp((request, response) => {
    if (request.method !== "GET") return answerLegacy(request, response);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    void opened.then(() => sendEvent(response, { jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
  });
  const changed = new Promise<void>((resolve) => {
    void connectForTest(httpServer(`${origin}/mcp`), { onToolsChanged: resolve }).then(change);
  });
  await changed;
});

test("a call with the headers of an earlier definition is sent once more, with those of the new one", async () => {
  let header = "Old";
  const sent: unknown[] = [];
  const { origin } = await serveHttp((request, response) => {
    const { message, headers } = request;
    const base = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    const properties = { place: { type: "string", "x-mcp-header": header } };
    if (message.method === "server/discover") {
      const serverInfo = { name: "test", version: "1" };
      return sendMessage(
        response,
        answerTo(request, { ...base, supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, serverInfo }),
      );
    }
    if (message.method === "tools/list") {
      const tools = [{ name: "echo", inputSchema: { type: "object", properties } }];
      return sendMessage(response, answerTo(request, { ...base, tools }));
    }
    sent.push([headers["mcp-param-old"], headers["mcp-param-new"]]);
    if (headers["mcp-param-new"] === "Bonn")
      return sendMessage(response, answerTo(request, { ...base, content: [{ type: "text", text: "done" }] }));
    header = "New";
    const error = { code: -32_020, message: "another header" };
    response.writeHead(400, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id ?? null, error }));
  });
  const connection = await connectForTest(httpServer(`${origin}/mcp`));
  expect(await connection.listTools(never)).toMatchObject({ ok: true });
  const result = await connection.callTool("echo", { place: "Bonn" }, ignore, never);
  expect(sent).toEqual([
    ["Bonn", undefined],
    [undefined, "Bonn"],
  ]);
  expect(result).toMatchObject({ ok: true, value: { content: [{ text: "done" }] } });
});
