/** LM Studio 0.4, scripted as its REST API is documented, over real sockets. */
import { expect, test } from "vitest";
import { makeModelRig } from "./test-model-rig";
import { openTinySession, sendPrompt } from "./test-tiny-session";
import { startWireServer } from "./test-wire-server";

const never = new AbortController().signal;

/** `loaded` = the windows of the instances in memory, by model; `faults` = what the first requests for an answer fail with. Loading `huge` fails; `slow` waits for `release`. */
async function startLmStudio(loaded: Record<string, number[]>, faults: string[] = []) {
  const requests: unknown[] = [];
  const toolCounts: number[] = [];
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const models = () =>
    Object.entries(loaded).map(([key, windows]) => ({
      type: "llm",
      key,
      max_context_length: 131_072,
      loaded_instances: windows.map((context_length, index) => ({ id: `${key}:${index}`, config: { context_length } })),
      capabilities: { trained_for_tool_use: true, vision: false },
    }));
  const baseUrl = await startWireServer(async (request, body, response) => {
    const path = request.url ?? "";
    const input = body === "" ? {} : JSON.parse(body);
    if (path === "/v1/chat/completions") {
      requests.push("chat");
      toolCounts.push(input.tools?.length ?? 0);
      const fault = faults.shift();
      if (fault !== undefined) {
        response.writeHead(400, { "content-type": "application/json" });
        return void response.end(JSON.stringify({ error: fault }));
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const event = { choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }] };
      return void response.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
    }
    let status = 200;
    let answer: object = { models: models() };
    if (path === "/api/v1/models/load") {
      requests.push([path, input]);
      if (input.model === "slow") await released;
      if (input.model === "huge") {
        status = 500;
        answer = { error: { type: "model_load_failed", message: "insufficient memory to load the model" } };
      } else {
        loaded[input.model]?.push(input.context_length);
        answer = { type: "llm", instance_id: input.model, status: "loaded", load_time_seconds: 1 };
      }
    } else if (path === "/api/v1/models/unload") {
      requests.push([path, input]);
      const [key = "", index] = String(input.instance_id).split(":");
      loaded[key]?.splice(Number(index), 1);
      answer = { instance_id: input.instance_id };
    } else if (path !== "/api/v1/models") status = 404;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  const rig = await makeModelRig();
  const saved = rig.access.connections.save({ name: "Studio", preset: "lmstudio", baseUrl, model: "", numCtx: 0 });
  if (!saved.ok) throw new Error(saved.error.code);
  const { id } = saved.value;
  await rig.access.connections.ready(id);
  const live = rig.access.connections.live().get(id) ?? expect.fail();
  const stateOf = async (name: string) => {
    const list = await rig.access.connections.models({ id });
    return list.ok ? list.value.find((model) => model.name === name)?.load?.state : list.error;
  };
  return { rig, id, live, requests, toolCounts, stateOf, release };
}

const loadOf = (model: string, context_length: number) => ["/api/v1/models/load", { model, context_length }];

test("a first message loads the model with the session's window, shown as loading", async () => {
  const { rig, id, requests } = await startLmStudio({ small: [] });
  const session = await openTinySession(rig, { name: "small", connection: id });
  expect(session.view.model?.numCtx).toBe(32_768);
  const phases: string[] = [];
  session.subscribe(({ event }) => {
    if (event.type === "phase") phases.push(event.phase);
  });
  expect(await sendPrompt(session, "hi")).toBe("done");
  expect(requests).toEqual([loadOf("small", 32_768), "chat"]);
  expect(phases.slice(0, 2)).toEqual(["loading", "reading"]);
  expect(await sendPrompt(session, "again")).toBe("done");
  expect(requests).toHaveLength(3);
});

test("a session that waited for another one to load the model does not load it again", async () => {
  const { rig, id, requests, release } = await startLmStudio({ slow: [] });
  const first = await openTinySession(rig, { name: "slow", connection: id });
  const second = await openTinySession(rig, { name: "slow", connection: id });
  const queued = new Promise<void>((resolve) =>
    second.subscribe(({ event }) => event.type === "phase" && event.phase === "queued" && resolve()),
  );
  const ends = [sendPrompt(first, "hi")];
  await expect.poll(() => requests).toHaveLength(1);
  ends.push(sendPrompt(second, "hi"));
  await queued;
  release();
  expect(await Promise.all(ends)).toEqual(["done", "done"]);
  expect(requests).toEqual([loadOf("slow", 32_768), "chat", "chat"]);
});

test("a model in memory with less than the user chose for it is loaded again, one with more is not", async () => {
  const { rig, id, requests } = await startLmStudio({ small: [4_096], large: [65_536] });
  const session = await openTinySession(rig, { name: "small", connection: id, numCtx: 16_384 });
  expect(session.view.model?.numCtx).toBe(16_384);
  expect(await sendPrompt(session, "hi")).toBe("done");
  expect(requests).toEqual([["/api/v1/models/unload", { instance_id: "small:0" }], loadOf("small", 16_384), "chat"]);
  requests.length = 0;
  const other = await openTinySession(rig, { name: "large", connection: id, numCtx: 8_192 });
  expect(await sendPrompt(other, "hi")).toBe("done");
  expect(requests).toEqual(["chat"]);
});

test("without a choice, the window in memory is that of a session", async () => {
  const { rig, id, requests } = await startLmStudio({ small: [4_096] });
  const session = await openTinySession(rig, { name: "small", connection: id });
  expect(session.view.model?.numCtx).toBe(4_096);
  expect(await sendPrompt(session, "hi")).toBe("done");
  expect(requests).toEqual(["chat"]);
});

test("a model that was loaded elsewhere since the page was drawn is not loaded beside it", async () => {
  const loaded: Record<string, number[]> = { small: [] };
  const { live, requests } = await startLmStudio(loaded);
  loaded.small = [16_384];
  expect(await live.loader?.change("load", "small", 8_192, never)).toEqual({ ok: true, value: null });
  expect(requests).toEqual([]);
  expect(await live.loader?.change("load", "small", 32_768, never)).toEqual({ ok: true, value: null });
  expect(requests).toEqual([["/api/v1/models/unload", { instance_id: "small:0" }], loadOf("small", 32_768)]);
});

test.each([
  [
    "that cannot be parsed",
    ["Failed to parse tool call", "Failed to parse tool call", "Bad sampler"],
    (all: number) => [all, all, 0, 0],
  ],
  [
    "of a refused tool",
    ["Invalid schema for function 'bash': no type", "Bad sampler"],
    (all: number) => [all, all - 1, all - 1],
  ],
])("what a session gave up for an answer %s stays so, also if it ends before one", async (_name, faults, counts) => {
  const loaded: Record<string, number[]> = { small: [] };
  const { rig, id, toolCounts } = await startLmStudio(loaded, faults);
  const session = await openTinySession(rig, { name: "small", connection: id });
  expect(await sendPrompt(session, "hi")).toBe("error");
  loaded.small = [65_536];
  await rig.access.connections.models({ id });
  expect(await sendPrompt(session, "again")).toBe("done");
  expect(toolCounts).toEqual(counts(toolCounts[0] ?? 0));
});

test("the user loads and unloads a model, and reads why that failed", async () => {
  const loaded: Record<string, number[]> = { slow: [], huge: [] };
  const { live, requests, stateOf, release } = await startLmStudio(loaded);
  const loading = live.loader?.change("load", "slow", 8_192, never);
  await expect.poll(() => requests).toEqual([loadOf("slow", 8_192)]);
  expect(await stateOf("slow")).toBe("loading");
  release();
  expect(await loading).toEqual({ ok: true, value: null });
  expect(await stateOf("slow")).toBe("loaded");
  expect(await live.loader?.change("unload", "slow", 0, never)).toEqual({ ok: true, value: null });
  expect(await stateOf("slow")).toBe("unloaded");
  expect(await live.loader?.change("load", "huge", 8_192, never)).toMatchObject({ error: { code: "out_of_memory" } });
  expect(await stateOf("huge")).toBe("failed");
  // Loaded in LM Studio's own window meanwhile, and unloaded there.
  loaded.huge = [4_096];
  expect(await stateOf("huge")).toBe("loaded");
  loaded.huge = [];
  expect(await stateOf("huge")).toBe("unloaded");
});
