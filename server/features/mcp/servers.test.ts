/** The life of servers, with real processes and a clock that the tests move. */
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import type { Json } from "@/lib/events/content";
import { fail, ok } from "@/lib/events/error";
import { asId, type Hash } from "@/lib/events/id";
import { killProcess } from "@/lib/testing/test-process";
import { describeFailure } from "./failure";
import type { McpServerState, ServerKey } from "./server-life";
import { type CallUpdate, makeMcpServers, type McpServersOptions } from "./servers";
import {
  answerLegacy,
  answerTo,
  httpServer,
  sendMessage,
  serveHttp,
  type TestRequest,
  textResult,
} from "./transport/test-http-server";
import { hostileServer, isRunning, makeTestClock, never } from "./test-mcp";

const key: ServerKey = { project: "p1", server: "github", launch: asId<Hash>("one") };

function makeRig(mode: () => string, more: Partial<McpServersOptions> = {}) {
  const clock = makeTestClock();
  const states: McpServerState[] = [];
  const lists: (readonly string[])[] = [];
  const servers = makeMcpServers({
    version: "0",
    clock,
    resolve: () => Promise.resolve(ok({ target: hostileServer(mode()) })),
    onTools: (_key, { entries }) => void lists.push(entries.map(({ name }) => name)),
    onState: (_key, state) => void states.push(state),
    ...more,
  });
  onTestFinished(() => servers.close());
  const updates: CallUpdate[] = [];
  const call = (signal = never, tool = "echo") =>
    servers.call(
      key,
      { tool, input: { text: "hi" }, onUpdate: (update) => void updates.push(update), check: () => null },
      signal,
    );
  const statuses = () => states.map(({ status }) => status);
  const pid = (): number => {
    const running = states.findLast(({ status }) => status === "running");
    return running?.status === "running" ? (running.pid ?? 0) : 0;
  };
  return { servers, clock, states, statuses, lists, updates, call, pid };
}

test("nothing runs before the first call, which starts the server and reports its tools", async () => {
  const { servers, states, statuses, lists, updates, call } = makeRig(() => "ok");
  expect(servers.state(key)).toEqual({ status: "stopped" });
  const before = Date.now();
  expect(await call()).toMatchObject({ ok: true, value: { content: [{ text: 'echo {"text":"hi"}' }] } });
  expect(statuses()).toEqual(["starting", "running"]);
  // Pages compare it with their own clock, not with the time since the program started.
  expect(states[0]?.status === "starting" ? states[0].since : 0).toBeGreaterThanOrEqual(before);
  expect(lists).toEqual([["echo"]]);
  expect(updates).toEqual([{ kind: "starting", seconds: 0 }]);
});

test("prompts that cannot be stored fail a test of the server, and neither its calls nor the process", async () => {
  let listed = (): void => {};
  const stored = new Promise<void>((resolve) => (listed = resolve));
  const onOffers = (): never => {
    listed();
    throw new Error("the store is damaged");
  };
  const { servers, call } = makeRig(() => "ok", { onOffers });
  expect(await call()).toMatchObject({ ok: true });
  await stored;
  // A rejection without a handler would be reported by now, and fail the tests.
  await new Promise(setImmediate);
  await expect(servers.test(key, never)).rejects.toThrow("damaged");
  expect(await call()).toMatchObject({ ok: true });
});

test("a project and a server have one process, two projects have two", async () => {
  const { servers, states, call } = makeRig(() => "ok");
  await Promise.all([call(), call(), call()]);
  const other = { tool: "echo", input: {}, onUpdate: () => {}, check: () => null };
  await servers.call({ ...key, project: "p2" }, other, never);
  const pids = states.flatMap((state) => (state.status === "running" ? [state.pid] : []));
  expect(new Set(pids).size).toBe(2);
});

test("a test starts, lists and ends the server; it leaves one that was running", async () => {
  const { servers, call, pid } = makeRig(() => "ok");
  const tested = await servers.test(key, never);
  expect(tested).toMatchObject({ ok: true, value: { entries: [{ name: "echo" }] } });
  expect([servers.state(key).status, isRunning(pid())]).toEqual(["stopped", false]);
  await call();
  expect((await servers.test(key, never)).ok).toBe(true);
  expect(servers.state(key).status).toBe("running");
});

test("a call of a tool that has changed is not sent", async () => {
  const { servers } = makeRig(() => "silent");
  const error = { code: "tool_missing" } as const;
  const call = { tool: "echo", input: {}, onUpdate: () => {}, check: () => error };
  expect(await servers.call(key, call, never)).toEqual({ ok: false, error });
  expect(servers.log(key)).toEqual([]);
});

test("the process of a former launch ends at the start of the configured one, which a former launch does not end", async () => {
  let configured = key.launch;
  const { servers, call, pid } = makeRig(() => "ok", {
    resolve: ({ launch }) =>
      Promise.resolve(launch === configured ? ok({ target: hostileServer("ok") }) : fail("changed_meanwhile")),
  });
  await call();
  const first = pid();
  configured = asId<Hash>("two");
  const next = { ...key, launch: configured };
  expect(await servers.test(next, never)).toMatchObject({ ok: true });
  await eventually(() => expect(isRunning(first)).toBe(false));
  const waiting = { tool: "echo", input: {}, onUpdate: () => {}, check: () => null };
  expect(await servers.call(next, waiting, never)).toMatchObject({ ok: true });
  expect(await call()).toMatchObject({ error: { code: "changed_meanwhile" } });
  expect(servers.state(next).status).toBe("running");
});

test("a server ends after ten minutes without a call, not before", async () => {
  const { servers, clock, call, pid } = makeRig(() => "ok");
  await call();
  const first = pid();
  clock.advance(599_999);
  await call();
  expect(pid()).toBe(first);
  clock.advance(599_999);
  expect(servers.state(key).status).toBe("running");
  clock.advance(1);
  expect(servers.state(key).status).toBe("stopped");
  await call();
  expect(pid()).not.toBe(first);
  expect(isRunning(first)).toBe(false);
});

test("a call waits a minute for the start, which continues for three", async () => {
  const { servers, clock, updates, call } = makeRig(() => "never-ready");
  const first = call();
  await clock.untilWaiting(60_000);
  clock.advance(60_000);
  const late = await first;
  expect(late).toMatchObject({ error: { code: "busy", facts: { reason: "starting", seconds: 60 } } });
  expect(late.ok ? "" : describeFailure("github", late.error)).toContain("still starting (60 s");
  expect(updates).toContainEqual({ kind: "starting", seconds: 12 });
  expect(servers.state(key).status).toBe("starting");
  clock.advance(119_999);
  expect(servers.state(key).status).toBe("starting");
  const second = call();
  clock.advance(1);
  expect(await second).toMatchObject({ error: { code: "timeout", facts: { reason: "no_answer", seconds: 180 } } });
  expect(servers.state(key).status).toBe("failed");
});

test("output that is not MCP is the reason when a start takes too long", async () => {
  const { servers, clock, call, states } = makeRig(() => "garbage");
  const called = call();
  const line = "Usage: this is no server";
  await expect.poll(() => servers.log(key)).toEqual([line]);
  clock.advance(180_000);
  expect(await called).toMatchObject({ error: { facts: { reason: "starting" } } });
  await expect.poll(() => states.at(-1)).toMatchObject({ error: { facts: { reason: "no_protocol", line } } });
});

test("failed starts are repeated later each time, five times; then the server waits for the user", async () => {
  let mode = "exit-at-once";
  const { servers, clock, call } = makeRig(() => mode);
  for (const delay of [0, 1_000, 2_000, 4_000, 8_000]) {
    const called = call();
    if (delay > 0) {
      await clock.untilWaiting(delay);
      clock.advance(delay - 1);
      expect(servers.state(key).status).toBe("starting");
      clock.advance(1);
    }
    expect(await called).toMatchObject({ error: { facts: { reason: "exited", exit: 4 } } });
  }
  expect(servers.state(key)).toMatchObject({ status: "failed", isWaiting: true });
  expect(await call()).toMatchObject({ error: { facts: { reason: "waiting", failures: 5 } } });
  mode = "ok";
  await servers.stop(() => true);
  expect((await call()).ok).toBe(true);
});

test("failures are forgotten after ten minutes", async () => {
  let mode = "exit-at-once";
  const { clock, call, statuses } = makeRig(() => mode);
  await call();
  clock.advance(600_000);
  mode = "ok";
  expect((await call()).ok).toBe(true);
  expect(statuses()).toEqual(["starting", "failed", "starting", "running"]);
});

test("a server that ends by itself is started again by the next call, after a delay", async () => {
  const { clock, call, pid, servers } = makeRig(() => "ok");
  await call();
  const first = pid();
  killProcess(first);
  await expect.poll(() => servers.state(key)).toMatchObject({ status: "failed", isWaiting: false });
  const again = call();
  await clock.untilWaiting(1_000);
  clock.advance(1_000);
  expect((await again).ok).toBe(true);
  expect(pid()).not.toBe(first);
});

test("at most four calls are at once, and a waiting one can be stopped", async () => {
  const { servers, call } = makeRig(() => "silent");
  const stop = new AbortController();
  const calls = Array.from({ length: 4 }, () => call(stop.signal));
  await expect.poll(() => servers.log(key).length).toBe(4);
  const last = new AbortController();
  const fifth = call(last.signal, "again");
  last.abort();
  expect(await fifth).toMatchObject({ error: { code: "aborted" } });
  const sixth = call(never, "again");
  stop.abort();
  expect(await Promise.all(calls)).toMatchObject(Array.from({ length: 4 }, () => ({ error: { code: "aborted" } })));
  expect((await sixth).ok).toBe(true);
});

test("a change of the list is reported", async () => {
  const { lists, call } = makeRig(() => "changes");
  await call();
  await expect.poll(() => lists.length).toBeGreaterThan(1);
});

test("a start that is not possible fails with its reason", async () => {
  const missing = { ok: false, error: { code: "bad_input" } } as const;
  const { call, states } = makeRig(() => "ok", { resolve: () => Promise.resolve(missing) });
  expect(await call()).toEqual(missing);
  expect(states.at(-1)).toMatchObject({ status: "failed", error: { code: "bad_input" } });
});

test("stopping a server ends it and fails its calls; a later call starts it again", async () => {
  const { servers, call, pid } = makeRig(() => "silent");
  const called = call();
  await expect.poll(() => servers.log(key).length).toBe(1);
  const first = pid();
  await servers.stop(({ server }) => server === "github");
  expect(await called).toMatchObject({ error: { code: "aborted", facts: { reason: "closed" } } });
  expect([servers.state(key).status, isRunning(first)]).toEqual(["stopped", false]);
  expect((await call(never, "again")).ok).toBe(true);
});

test("closing ends all servers, also one that is starting; nothing starts afterwards", async () => {
  const { servers, call, pid } = makeRig(() => "ok");
  await call();
  const starting = servers.test({ ...key, project: "p2" }, never);
  await servers.close();
  expect(await starting).toMatchObject({ error: { code: "aborted" } });
  expect(isRunning(pid())).toBe(false);
  expect(await call()).toMatchObject({ error: { code: "aborted" } });
});

/** A server at an address with sessions, of which it knows the newest. */
async function serveSessions() {
  let last = 0;
  const methods: string[] = [];
  const served = await serveHttp((request, response) => {
    const { method } = request.message;
    if (typeof method === "string") methods.push(method);
    if (method === "initialize") {
      last += 1;
      return answerLegacy(request, response, { "Mcp-Session-Id": `session-${last}` });
    }
    const session = request.headers["mcp-session-id"];
    if (request.method === "POST" && method !== "server/discover" && session !== `session-${last}`)
      return void response.writeHead(404).end();
    if (method === "tools/call") return sendMessage(response, answerTo(request, textResult(String(session))));
    answerLegacy(request, response);
  });
  const forget = (): void => {
    last += 1;
  };
  const resolve = () => Promise.resolve(ok({ target: httpServer(`${served.origin}/mcp`) }));
  return { ...served, methods, forget, resolve };
}

test("a session that the server has forgotten is begun again, once, and the call runs", async () => {
  const { forget, resolve } = await serveSessions();
  const { call, statuses } = makeRig(() => "", { resolve });
  expect(await call()).toMatchObject({ ok: true, value: { content: [{ text: "session-1" }] } });
  forget();
  expect(await call()).toMatchObject({ ok: true, value: { content: [{ text: "session-3" }] } });
  expect(statuses()).toEqual(["starting", "running", "stopped", "starting", "running"]);
});

describe("a call that a server answers with status 400", () => {
  /** A server with sessions; `refuse` gets each call with the number of calls before. Null = the call is run. */
  async function serveRefusals(refuse: (request: TestRequest, calls: number) => Json | string | null | Promise<null>) {
    let sessions = 0;
    let calls = 0;
    const served = await serveHttp(async (request, response) => {
      const { method } = request.message;
      if (method === "initialize") {
        sessions += 1;
        return answerLegacy(request, response, { "Mcp-Session-Id": `session-${sessions}` });
      }
      if (method !== "tools/call") return answerLegacy(request, response);
      calls += 1;
      const text = `call ${calls}`;
      const refusal = await refuse(request, calls - 1);
      if (refusal === null) return sendMessage(response, answerTo(request, textResult(text)));
      const body = typeof refusal === "string" ? refusal : JSON.stringify(refusal);
      response.writeHead(400, { "Content-Type": "application/json" }).end(body);
    });
    const resolve = () => Promise.resolve(ok({ target: httpServer(`${served.origin}/mcp`) }));
    return { ...served, resolve, counts: () => ({ sessions, calls }) };
  }

  const refusal = (id: Json): Json => ({ jsonrpc: "2.0", id, error: { code: -32_602, message: "number is required" } });

  test("and its id is refused with the reason of the server, sent once, and costs no other call", async () => {
    let answerFirst = (): void => {};
    const isRefused = new Promise<null>((resolve) => (answerFirst = () => resolve(null)));
    const { resolve, counts } = await serveRefusals(({ message }, calls) =>
      calls === 0 ? isRefused : refusal(message.id ?? null),
    );
    const { call, statuses } = makeRig(() => "", { resolve });
    const first = call();
    expect(await call()).toMatchObject({ error: { detail: "number is required", facts: { reason: "refused" } } });
    answerFirst();
    expect(await first).toMatchObject({ ok: true, value: { content: [{ text: "call 1" }] } });
    expect(counts()).toEqual({ sessions: 1, calls: 2 });
    expect(statuses()).toEqual(["starting", "running"]);
  });

  test.each([
    ["no id", { jsonrpc: "2.0", id: null, error: { code: -32_000, message: "No valid session ID provided" } }],
    [
      "an id of the server",
      { jsonrpc: "2.0", id: "server-error", error: { code: -32_600, message: "Session not found" } },
    ],
    ["text", "Invalid session ID"],
  ])("and %s begins the session again and runs", async (_name, body) => {
    const { resolve, counts } = await serveRefusals((_request, calls) => (calls === 0 ? body : null));
    const { call } = makeRig(() => "", { resolve });
    expect(await call()).toMatchObject({ ok: true, value: { content: [{ text: "call 2" }] } });
    expect(counts()).toEqual({ sessions: 2, calls: 2 });
  });

  test("in each session fails with what the server said", async () => {
    const { resolve } = await serveRefusals(() => "This version is not supported.");
    const { call } = makeRig(() => "", { resolve });
    const answer = await call();
    expect(answer).toMatchObject({ error: { facts: { reason: "session_expired" } } });
    if (answer.ok) throw new Error("no error");
    expect(describeFailure("github", answer.error)).toContain("[from github] This version is not supported.");
  });
});

test("a server that forgets every session fails the call after the second one", async () => {
  const { forget, resolve, methods } = await serveSessions();
  const { call } = makeRig(() => "", {
    resolve,
    onTools: forget,
  });
  expect(await call()).toMatchObject({ ok: false, error: { facts: { reason: "session_expired" } } });
  expect(methods.filter((method) => method === "initialize").length).toBe(2);
});

test("what a server at an address speaks is requested once a day", async () => {
  const { methods, resolve } = await serveSessions();
  const { servers, clock, call } = makeRig(() => "", { resolve });
  const discoveries = (): number => methods.filter((method) => method === "server/discover").length;
  await call();
  await servers.stop(() => true);
  await call();
  await servers.stop(() => true);
  expect(discoveries()).toBe(1);
  clock.advance(86_400_000);
  await call();
  expect(discoveries()).toBe(2);
});

test("a server that cannot be reached any more has failed, and is tried again at the next call", async () => {
  const first = await serveHttp(answerLegacy);
  const resolve = () => Promise.resolve(ok({ target: httpServer(`${first.origin}/mcp`) }));
  const { servers, clock, call } = makeRig(() => "", { resolve });
  expect(await call()).toMatchObject({ ok: true });
  await first.close();
  expect(await call()).toMatchObject({ error: { facts: { reason: "unreachable" } } });
  expect(servers.state(key)).toMatchObject({ status: "failed", isWaiting: false });
  await serveHttp(answerLegacy, Number(new URL(first.origin).port));
  const waited = clock.untilWaiting(1_000);
  const next = call();
  await waited;
  clock.advance(1_000);
  expect(await next).toMatchObject({ ok: true });
});

test("a server that wants a sign-in is tried at each call, however often", async () => {
  const { origin, requests } = await serveHttp((_request, response) => void response.writeHead(401).end());
  const resolve = () => Promise.resolve(ok({ target: httpServer(`${origin}/mcp`) }));
  const { servers, call } = makeRig(() => "", { resolve });
  for (let count = 0; count < 6; count += 1)
    expect(await call()).toMatchObject({ error: { facts: { reason: "signed_out" } } });
  expect(servers.state(key)).toMatchObject({ status: "failed", isWaiting: false });
  expect(requests.length).toBe(6);
});
