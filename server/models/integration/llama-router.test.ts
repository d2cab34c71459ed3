/** A llama-server that loads models on demand, scripted as llama.cpp documents its wire, over real sockets. */
import { expect, test } from "vitest";
import type { ModelInfo } from "@/lib/models/models";
import { makeModelRig } from "./test-model-rig";
import { openTinySession, sendPrompt } from "./test-tiny-session";
import { startWireServer } from "./test-wire-server";

type State = "unloaded" | "loading" | "loaded" | "sleeping" | "failed";

const windows: Readonly<Record<string, number>> = { big: 8_192, small: 6_144, asleep: 4_096 };

/** `states` of its models at the start; one that loads is loaded when the list was requested twice. */
async function startRouter(states: Record<string, State>) {
  const requests: string[] = [];
  let reading = 0;
  let atOnce = 0;
  const entryOf = ([id, value]: readonly [string, State]) => ({
    id,
    status: {
      value: value === "failed" ? "unloaded" : value,
      args: ["llama-server", "--ctx-size", "16384"],
      ...(value === "failed" ? { failed: true, exit_code: 137 } : {}),
    },
    architecture: { input_modalities: ["text"], output_modalities: id === "judge" ? ["decisions"] : ["text"] },
    context_length: 131_072,
  });
  const answerTo = (path: string, body: string): object | null => {
    const url = new URL(path, "http://server");
    const model = url.searchParams.get("model") ?? "";
    if (url.pathname === "/v1/models") {
      const data = Object.entries(states).map(entryOf);
      for (const [id, state] of Object.entries(states)) if (state === "loading") states[id] = "loaded";
      return { data };
    }
    if (url.pathname === "/props")
      return { total_slots: 2, default_generation_settings: { n_ctx: windows[model] ?? 0 } };
    if (url.pathname.startsWith("/models/") && !(JSON.parse(body).model in states))
      return { error: { code: 400, message: "model 'none' not found", type: "invalid_request_error" } };
    if (url.pathname === "/models/load") states[String(JSON.parse(body).model)] = "loading";
    if (url.pathname === "/models/unload") states[String(JSON.parse(body).model)] = "unloaded";
    return url.pathname.startsWith("/models/") ? { success: true } : null;
  };
  const baseUrl = await startWireServer(async (request, body, response) => {
    const path = request.url ?? "";
    requests.push(`${request.method} ${path}`);
    if (path === "/v1/chat/completions") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const event = { choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }] };
      return void response.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
    }
    if (path.startsWith("/props")) {
      reading += 1;
      atOnce = Math.max(atOnce, reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
    }
    const answer = answerTo(path, body);
    response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: { message: "not found" } }));
  });
  const rig = await makeModelRig();
  const saved = rig.access.connections.save({ name: "Own", preset: "llamacpp", baseUrl, model: "", numCtx: 0 });
  if (!saved.ok) throw new Error(saved.error.code);
  const { id } = saved.value;
  await rig.access.connections.ready(id);
  const live = rig.access.connections.live().get(id) ?? expect.fail();
  const find = (name: string): ModelInfo | undefined => live.lastList()?.find((model) => model.name === name);
  return { rig, id, live, find, requests, propsAtOnce: () => atOnce };
}

test("the list has states, the windows of loaded models, and no model that cannot write text", async () => {
  const { rig, id, find, live, requests, propsAtOnce } = await startRouter({
    big: "loaded",
    small: "loaded",
    asleep: "sleeping",
    other: "unloaded",
    broken: "failed",
    judge: "loaded",
  });
  expect(find("big")).toMatchObject({ load: { state: "loaded" }, contextLength: 8_192 });
  expect(find("small")).toMatchObject({ load: { state: "loaded" }, contextLength: 6_144 });
  expect(find("other")).toMatchObject({ load: { state: "unloaded" }, possibleContext: 16_384 });
  expect(find("other")?.contextLength).toBeUndefined();
  expect(find("broken")?.load).toEqual({ state: "failed", exitCode: 137 });
  expect(find("judge")).toBeUndefined();
  expect(live.slots?.()).toBe(2);
  // Another model could take the place of the one that is answering.
  expect(rig.access.servers.get(id)?.atOnce()).toBe(1);
  // The question about a model that is not in memory could load or wake it; the one about held answers has no model.
  expect(requests.filter((request) => request !== "POST /v1/streams/lookup")).toEqual([
    "GET /v1/models",
    "GET /props?model=big&autoload=false",
    "GET /props?model=small&autoload=false",
  ]);
  expect(propsAtOnce()).toBe(1);
});

test("a first message loads the model, shows it, and is compiled for the window that was loaded", async () => {
  const { rig, id, requests } = await startRouter({ small: "unloaded", big: "loaded" });
  const session = await openTinySession(rig, { name: "small", connection: id });
  const model = session.view.model ?? expect.fail();
  expect(model.numCtx).toBe(16_384);
  const phases: string[] = [];
  session.subscribe(({ event }) => {
    if (event.type === "phase") phases.push(event.phase);
    if (event.type === "message_start" && event.role === "assistant")
      phases.push(`window ${rig.access.sessionModels.modelFacts(model).window}`);
  });
  requests.length = 0;
  expect(await sendPrompt(session, "hi")).toBe("done");
  expect(phases.slice(0, 3)).toEqual(["loading", "window 6144", "reading"]);
  const order = requests.filter((request) => !/^GET \/v1\/models|model=big/.test(request));
  expect(order.slice(0, 3)).toEqual([
    "POST /models/load",
    "GET /props?model=small&autoload=false",
    "POST /v1/chat/completions",
  ]);
  requests.length = 0;
  phases.length = 0;
  expect(await sendPrompt(session, "again")).toBe("done");
  expect(requests).not.toContain("POST /models/load");
  expect(phases).not.toContain("loading");
});

test("the user loads and unloads a model, and reads why that failed", async () => {
  const { rig, id, live, find } = await startRouter({ small: "unloaded" });
  const change = (name: "load" | "unload", model: string) =>
    live.loader?.change(name, model, new AbortController().signal);
  expect(await change("load", "small")).toEqual({ ok: true, value: null });
  await rig.access.connections.models({ id });
  await rig.access.connections.models({ id });
  expect(find("small")?.load?.state).toBe("loaded");
  expect(await change("unload", "small")).toEqual({ ok: true, value: null });
  await rig.access.connections.models({ id });
  expect(find("small")?.load?.state).toBe("unloaded");
  expect(await change("load", "none")).toMatchObject({ ok: false, error: { code: "model_missing" } });
});

test("a sleeping model is left alone until a message wakes it", async () => {
  const { rig, id, requests } = await startRouter({ asleep: "sleeping" });
  await rig.access.connections.models({ id });
  expect(requests).toEqual(["GET /v1/models", "POST /v1/streams/lookup", "GET /v1/models"]);
  const session = await openTinySession(rig, { name: "asleep", connection: id });
  expect(await sendPrompt(session, "hi")).toBe("done");
  expect(requests).toContain("POST /v1/chat/completions");
  expect(requests).not.toContain("POST /models/load");
});
