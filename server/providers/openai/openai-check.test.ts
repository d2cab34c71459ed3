import { afterEach, describe, expect, it, vi } from "vitest";
import { serverLimits } from "@/lib/settings/server-limits";
import { anyFacts } from "@/lib/events/error";
import { chunk, type OpenAiServer, startOpenAiServer, type WireTurn } from "./__fixtures__/openai-server";
import { findSimilarNames } from "../wire/check/similar-names";
import { makeOpenAi } from "./openai";
import type { CheckStep } from "../wire/check/check-steps";
import { findPreset } from "../presets";

const key = "sk-check-1234567890abcdef";
const list: WireTurn = { body: { object: "list", data: [{ id: "qwen3-coder:30b" }, { id: "gpt-oss-20b" }] } };
const ready: WireTurn = { events: [chunk({ content: "ready" }), chunk({}, "stop")] };
const called: WireTurn = {
  events: [
    chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "echo", arguments: '{"text":"ready"}' } }] }),
    chunk({}, "tool_calls"),
  ],
};
const open: Readonly<Record<string, WireTurn>> = { "GET /v1/models": list };

let server: OpenAiServer | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.close();
  server = undefined;
});

interface Case {
  readonly turns?: readonly WireTurn[];
  readonly fixed?: Readonly<Record<string, WireTurn>>;
  readonly model?: string;
  readonly preset?: string;
  /** Default addresses of the preset. */
  readonly defaults?: { readonly baseUrl: string; readonly otherBaseUrls: readonly string[] };
  /** Base address, given the server's origin. */
  readonly base?: (origin: string) => string;
  readonly apiKey?: string | null;
}

async function checkAt(wire: OpenAiServer, scene: Case) {
  const provider = makeOpenAi({
    id: "one",
    preset: { ...findPreset(scene.preset ?? "custom"), ...scene.defaults },
    baseUrl: () => (scene.base ?? ((origin) => `${origin}/v1`))(wire.url),
    apiKey: () => (scene.apiKey === undefined ? key : scene.apiKey),
  });
  const steps: CheckStep[] = [];
  for await (const step of provider.check(scene.model ?? "gpt-oss-20b", new AbortController().signal)) steps.push(step);
  return { wire, steps };
}

async function check(scene: Case) {
  server = await startOpenAiServer(scene.turns ?? [ready, called], scene.fixed ?? open);
  return await checkAt(server, scene);
}
const stepResults = (steps: readonly CheckStep[]): readonly string[] =>
  steps.map(({ step, ok, error }) => `${step} ${ok ? "ok" : (error?.code ?? "")}`);

describe("the connection test", () => {
  it("passes where everything works, with two short answers", async () => {
    const { wire, steps } = await check({});
    expect(stepResults(steps)).toEqual(["reach ok", "key ok", "model ok", "answer ok", "tools ok"]);
    expect(steps[3]?.detail).toBe("ready");
    expect(steps.every(({ ms }) => Number.isInteger(ms) && ms >= 0)).toBe(true);
    expect(wire.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v1/models",
      "POST /v1/chat/completions",
      "POST /v1/chat/completions",
    ]);
  });

  it("reports an unreachable server, and why", async () => {
    const dead = await startOpenAiServer();
    await dead.close();
    const { steps } = await check({ base: () => dead.base });
    expect(steps).toMatchObject([
      { step: "reach", ok: false, error: { code: "server_unreachable", facts: { reason: "refused" } } },
    ]);
  });

  it("names the address at which another version of the preset's server answers", async () => {
    const dead = await startOpenAiServer();
    await dead.close();
    server = await startOpenAiServer([], open);
    const defaults = { baseUrl: dead.base, otherBaseUrls: [server.base] };
    expect((await checkAt(server, { base: () => dead.base, defaults })).steps).toMatchObject([
      { step: "reach", error: { code: "server_unreachable", facts: { suggested: server.base } } },
    ]);
    // Another program may listen there.
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    const typed = dead.base.replace("127.0.0.1", "localhost");
    const { steps } = await checkAt(server, { base: () => typed, defaults });
    expect(anyFacts(steps[0]?.error).suggested).toBeUndefined();
  });

  it.each([
    ["https://nowhere.invalid/v1", "server_unreachable"],
    ["not an address", "bad_input"],
  ])("reports that %s leads nowhere", async (base, code) => {
    expect(stepResults((await check({ base: () => base })).steps)).toEqual([`reach ${code}`]);
  });

  it("reports missing TLS", async () => {
    const { steps } = await check({ base: (origin) => `${origin.replace("http:", "https:")}/v1` });
    expect(steps).toMatchObject([
      { step: "reach", ok: false, error: { code: "wrong_scheme", facts: { speaks: "http" } } },
    ]);
  });

  it("reports only a timeout when the server does not answer in time", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const wire = await startOpenAiServer([], { "GET /v1/models": { ...list, holdAfter: 0 } });
    server = wire;
    // Lets the time limit run out as soon as the server has the request.
    void wire
      .waitFor((requests) => requests.length === 1)
      .then(() => timers.mock.calls.find(([, ms]) => ms === serverLimits.serverListMs)?.[0]());
    const { steps } = await checkAt(wire, {});
    expect(steps).toMatchObject([
      { step: "reach", ok: false, error: { code: "server_unreachable", facts: { reason: "timeout" } } },
    ]);
  });

  it.each([
    ["the base without /v1", (origin: string) => origin, open],
    ["a path of its own", (origin: string) => `${origin}/v1`, { "GET /api/v1/models": list }],
    [
      "a page in its place",
      (origin: string) => origin,
      { ...open, "GET /models": { type: "text/html", body: "<html>hello</html>" } },
    ],
    [
      "200 for every path",
      (origin: string) => origin,
      {
        ...open,
        "GET /models": { body: { error: "Unexpected endpoint or method. (GET /models). Returning 200 anyway" } },
      },
    ],
  ])("finds the right address behind %s", async (_name, base, fixed) => {
    const { wire, steps } = await check({ base, fixed });
    const suggested = "GET /api/v1/models" in fixed ? `${wire.url}/api/v1` : wire.base;
    expect(steps).toMatchObject([{ step: "reach", ok: false, error: { code: "wrong_address", facts: { suggested } } }]);
  });

  it("suggests an address that requires a key, without a better one", async () => {
    const { wire, steps } = await check({
      base: (origin) => origin,
      fixed: { "GET /v1/models": { status: 401, body: "" } },
    });
    expect(steps).toMatchObject([{ step: "reach", error: { code: "wrong_address", facts: { suggested: wire.base } } }]);
  });

  it("reports that a web page is not a model server", async () => {
    const page: WireTurn = { type: "text/html", body: "<html><body>Router login</body></html>" };
    const { steps } = await check({ fixed: { "GET /v1/models": page } });
    expect(steps).toMatchObject([{ step: "reach", ok: false, detail: "Router login", error: { code: "bad_answer" } }]);
  });

  it.each([
    [401, key, {}],
    [403, key, {}],
    [401, null, { missing: true }],
  ])("reports a refused key: %i with %s", async (status, apiKey, facts) => {
    const { steps } = await check({
      apiKey,
      fixed: { "GET /v1/models": { status, body: { error: { message: "no" } } } },
    });
    expect(stepResults(steps)).toEqual(["reach ok", "key key_refused"]);
    expect(steps[1]?.error?.facts).toMatchObject(facts);
  });

  it("tests the key separately where the list is public", async () => {
    const fixed = {
      ...open,
      "GET /v1/key": { status: 401, body: { error: { message: "No cookie auth credentials found", code: 401 } } },
    };
    expect(stepResults((await check({ preset: "openrouter", fixed })).steps)).toEqual(["reach ok", "key key_refused"]);
  });

  it("lists the models with names similar to a missing one", async () => {
    const missing: WireTurn = {
      status: 404,
      body: { error: { message: "The model `gpt-oss` does not exist", code: "model_not_found" } },
    };
    const { steps } = await check({ model: "gpt-oss", turns: [missing] });
    expect(stepResults(steps)).toEqual(["reach ok", "key ok", "model model_missing"]);
    expect(steps[2]?.error?.facts).toMatchObject({ model: "gpt-oss", near: ["gpt-oss-20b"] });
  });

  it("accepts an unlisted model that answers", async () => {
    expect(stepResults((await check({ model: "alias" })).steps)).toEqual([
      "reach ok",
      "key ok",
      "model ok",
      "answer ok",
      "tools ok",
    ]);
  });

  it("reports that no model is chosen", async () => {
    const { steps } = await check({ model: "" });
    expect(stepResults(steps)).toEqual(["reach ok", "key ok", "model no_model"]);
    expect(steps.at(-1)?.choices).toEqual(["qwen3-coder:30b", "gpt-oss-20b"]);
  });

  it("passes a server without a list by its answer", async () => {
    const { steps } = await check({ fixed: {} });
    expect(stepResults(steps)).toEqual(["reach ok", "key ok", "model ok", "answer ok", "tools ok"]);
  });

  it("detects a refused key from the answer of a server without a list", async () => {
    const { steps } = await check({ fixed: {}, turns: [{ status: 401, body: "" }] });
    expect(stepResults(steps)).toEqual(["reach ok", "key key_refused"]);
  });

  it("reports a server with neither a list nor an answer", async () => {
    const { steps } = await check({ fixed: {}, turns: [] });
    expect(stepResults(steps)).toEqual(["reach ok", "answer wrong_address"]);
  });

  it.each([
    [{ status: 402, body: { error: { message: "Insufficient Balance" } } }, "quota_used"],
    [{ status: 503, body: { error: { message: "Loading model" } } }, "server_busy"],
    [{ events: [chunk({ content: "rea" })], end: "close" }, "incomplete"],
    [{ events: [chunk({}, "stop")] }, "empty_answer"],
  ] as const)("says why there is no answer: %j", async (turn, code) => {
    expect(stepResults((await check({ turns: [turn] })).steps)).toEqual([
      "reach ok",
      "key ok",
      "model ok",
      `answer ${code}`,
    ]);
  });

  it("reports that a server does not stream, and continues", async () => {
    const whole: WireTurn = {
      body: { choices: [{ index: 0, message: { role: "assistant", content: "ready" }, finish_reason: "stop" }] },
    };
    expect(stepResults((await check({ turns: [whole, called] })).steps).slice(3)).toEqual([
      "answer no_streaming",
      "tools ok",
    ]);
  });

  it("reports that tools are refused, or not called", async () => {
    const refused: WireTurn = { status: 400, body: { error: { message: "m does not support tools" } } };
    expect((await check({ turns: [ready, refused] })).steps[4]).toMatchObject({
      step: "tools",
      ok: false,
      error: { code: "no_tools" },
    });
    await server?.close();
    expect((await check({ turns: [ready, ready] })).steps[4]).toMatchObject({
      step: "tools",
      ok: false,
      detail: "ready",
      error: { code: "no_tools" },
    });
  });

  it("never contains the key", async () => {
    const echo: WireTurn = { status: 400, body: { error: { message: `what is ${key}` } } };
    const { steps } = await check({ fixed: { "GET /v1/models": echo }, turns: [echo] });
    expect(steps.some(({ ok }) => !ok)).toBe(true);
    expect(JSON.stringify(steps)).not.toContain(key);
  });

  it("ends without a step when aborted, and closes the connection", async () => {
    const wire = await startOpenAiServer([{ ...ready, holdAfter: 1 }], open);
    server = wire;
    const stop = new AbortController();
    const provider = makeOpenAi({ id: "one", baseUrl: () => wire.base, apiKey: () => null });
    const steps: CheckStep[] = [];
    for await (const step of provider.check("gpt-oss-20b", stop.signal)) {
      steps.push(step);
      if (step.step === "model") void wire.waitFor((requests) => requests.length === 2).then(() => stop.abort());
    }
    await wire.waitFor((requests) => requests.at(-1)?.closed ?? false);
    expect(stepResults(steps)).toEqual(["reach ok", "key ok", "model ok"]);
  });
});

describe("similar names", () => {
  const names = ["qwen3-coder:30b", "qwen/qwen3-8b", "gpt-oss-20b", "deepseek-v4"];
  it.each([
    ["qwen3coder", ["qwen3-coder:30b"]],
    ["Qwen3-8B", ["qwen/qwen3-8b"]],
    ["deepseek", ["deepseek-v4"]],
  ])("of %s begin with %j", (name, near) => {
    expect(findSimilarNames(name, names).slice(0, near.length)).toEqual(near);
  });
  it("are empty where none is similar", () => {
    expect(findSimilarNames("zzz", names)).toEqual([]);
  });
});
