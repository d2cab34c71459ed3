/** A llama-server that loads models on demand, scripted as llama.cpp documents its wire, over real sockets. */
import { expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import { makeOpenAi } from "@/server/providers/openai/openai";
import { nextCommandId, openTinySession, sendPrompt } from "./test-tiny-session";
import { startRouter } from "./test-router";

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
  expect(find("broken")?.load).toMatchObject({ state: "failed", exitCode: 137 });
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
  const order = requests.filter((request) => !/^GET \/(?:v1\/)?models|model=big/.test(request));
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

test("a session begun on a model that is not loaded gets what its server tells of the loaded model", async () => {
  const { rig, id, prompts, find } = await startRouter({ tiny: "unloaded" });
  const session = await openTinySession(rig, { name: "tiny", connection: id, think: true });
  expect(session.view.model).toMatchObject({ numCtx: 16_384, toolMode: "native", profile: "default", think: true });
  // The list tells it of models that are not loaded.
  const { seesImages } = rig.access.sessionModels;
  // A model of this name on another server may not see them.
  expect([id, "ollama"].map((provider) => seesImages({ provider, model: "tiny" }))).toEqual([true, false]);
  expect(await sendPrompt(session, "hi")).toBe("done");
  const model = session.view.model ?? expect.fail();
  expect(model).toMatchObject({
    numCtx: 4_096,
    toolMode: "react",
    profile: "small",
    reasoning: "preserve",
    think: true,
  });
  expect(prompts).toMatchObject([{ chat_template_kwargs: { enable_thinking: true, preserve_thinking: true } }]);
  expect(prompts[0]).not.toHaveProperty("tools");
  expect(find("tiny")?.capabilities).toEqual(["completion", "thinking", "vision"]);
  // The session keeps its form of requests, whatever is now in the model's note.
  rig.access.servers.get(id)?.knowledge.saveToolMode({ provider: id, name: "tiny" }, "xml");
  expect(await sendPrompt(session, "again")).toBe("done");
  expect(session.view.model).toEqual(model);
});

test("a session that changes to a model that is not loaded gets what its server tells of that one", async () => {
  const { rig, id } = await startRouter({ big: "loaded", tiny: "unloaded" });
  const session = await openTinySession(rig, { name: "big", connection: id });
  expect(await sendPrompt(session, "hi")).toBe("done");
  session.changeModel({ name: "tiny", connection: id }, nextCommandId());
  expect(session.view.model).toMatchObject({ numCtx: 16_384, toolMode: "native" });
  expect(await sendPrompt(session, "again")).toBe("done");
  expect(session.view.model).toMatchObject({ model: "tiny", numCtx: 4_096, toolMode: "react", profile: "small" });
});

test("a subagent begins as its parent does, whatever its server tells of the loaded model", async () => {
  const { rig, id } = await startRouter({ tiny: "unloaded" });
  const parent = await openTinySession(rig, { name: "tiny", connection: id });
  const call = { sessionId: parent.id, callId: asId<CallId>("call") };
  const child = rig.registry.startSubagent(parent.view, call, "full");
  expect(await sendPrompt(child, "hi")).toBe("done");
  const { toolMode, prompt } = parent.view.model ?? expect.fail();
  expect(child.view.model).toMatchObject({ toolMode, prompt });
});

test("a load reports whether the model is loaded then", async () => {
  const { live } = await startRouter({ heavy: "unloaded", small: "unloaded" });
  const load = (name: string) => live.loader?.load(name, 4_096, new AbortController().signal);
  expect([await load("heavy"), await load("small")]).toEqual([false, true]);
});

test("the user loads and unloads a model, and reads why that failed", async () => {
  const { rig, id, live, find } = await startRouter({ small: "unloaded" });
  const change = (name: "load" | "unload", model: string) =>
    live.loader?.change(name, model, 4_096, new AbortController().signal);
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

test("the page shows which slots of a loaded model are busy, and wakes none", async () => {
  const { page, requests } = await startRouter({ small: "loaded", asleep: "sleeping", other: "unloaded" });
  // A session needs no slots.
  expect(requests.some((request) => request.includes("/slots"))).toBe(false);
  const models = await page();
  expect(models.map(({ load }) => [load?.slots, load?.busySlots])).toEqual([
    [2, 1],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(requests.filter((request) => request.includes("/slots"))).toEqual(["GET /slots?model=small&autoload=false"]);
});

test("while a model loads, its stage and share are those of the server's events, which make the list be read again", async () => {
  const router = await startRouter({ slow: "loading", other: "unloaded" });
  await expect.poll(router.isFollowed).toBe(true);
  const progress = { stages: ["text_model", "mmproj_model"], current: "text_model", value: 0.5 };
  router.rig.pushes.length = 0;
  router.tell({ model: "slow", event: "status_change", data: { status: "loading", progress } });
  await expect.poll(() => router.rig.pushes.some(({ type }) => type === "connections")).toBe(true);
  expect((await router.page())[0]?.load).toMatchObject({ state: "loading", stage: "text_model", share: 0.5 });
  router.states.slow = "loaded";
  router.tell({ model: "slow", event: "status_change", data: { status: "loaded", info: {} } });
  expect((await router.page())[0]?.load).not.toHaveProperty("stage");
  // Nothing changes any more, so nothing is listened to.
  await expect.poll(router.isFollowed).toBe(false);
});

test("events are listened to until the model is loaded, whether a page looks or not", async () => {
  const router = await startRouter({ slow: "loading" });
  await expect.poll(router.isFollowed).toBe(true);
  router.states.slow = "loaded";
  router.tell({ model: "slow", event: "status_change", data: { status: "loaded", info: {} } });
  await expect.poll(router.isFollowed).toBe(false);
  expect(router.find("slow")?.load?.state).toBe("loaded");
});

test("a router without models is known as one that downloads them", async () => {
  const { live } = await startRouter({});
  expect(live.toConnection()).toMatchObject({ downloads: true });
  const other = await startRouter({ small: "loaded" });
  expect(other.live.toConnection()).toMatchObject({ downloads: true, answers: true });
});

const gemma = "ggml-org/gemma-GGUF";

test("a model is downloaded by its name on Hugging Face, with progress, and deleted again", async () => {
  const { live, id, pulls, states, requests, tell, isFollowed, page } = await startRouter({ small: "unloaded" });
  live.store?.pull(`hf:${gemma}`);
  await expect.poll(isFollowed).toBe(true);
  await expect
    .poll(() => pulls().at(-1))
    .toMatchObject({
      name: gemma,
      connection: id,
      status: "downloading",
      completedBytes: 50,
      totalBytes: 200,
    });
  expect((await page())[1]).toMatchObject({ name: gemma, load: { state: "downloading", receivedBytes: 50 } });
  delete states[gemma];
  states[`${gemma}:Q4_K_M`] = "unloaded";
  tell({ model: gemma, event: "download_finished" });
  await expect.poll(() => pulls().at(-1)?.status).toBe("done");
  expect((await page()).map(({ name, load }) => [name, load?.canRemove])).toEqual([
    ["small", false],
    [`${gemma}:Q4_K_M`, true],
  ]);
  expect(await live.store?.remove(`${gemma}:Q4_K_M`, new AbortController().signal)).toEqual({ ok: true, value: null });
  expect(requests.at(-1)).toBe(`DELETE /models?model=${encodeURIComponent(`${gemma}:Q4_K_M`)}`);
  expect(await page()).toHaveLength(1);
});

test("a download that leaves no model has failed, and a cancelled one ends on the server, too", async () => {
  const { live, pulls, states, requests, tell, isFollowed } = await startRouter({ small: "unloaded" });
  live.store?.pull(gemma);
  await expect.poll(isFollowed).toBe(true);
  delete states[gemma];
  // As 0.7.0 reports it when the hub is not reached.
  tell({ model: gemma, event: "download_finished" });
  await expect.poll(() => pulls().at(-1)).toMatchObject({ status: "failed", error: { code: "download_failed" } });
  live.store?.pull(gemma);
  await expect.poll(() => pulls().at(-1)?.status).toBe("downloading");
  live.store?.cancel(gemma);
  await expect.poll(() => pulls().at(-1)?.status).toBe("cancelled");
  expect(requests).toContain("POST /models/unload");
});

test("a cancel while the server checks the name ends the download that the server then starts", async () => {
  const { live, pulls, states, requests, holdDownloads } = await startRouter({ small: "unloaded" });
  const release = holdDownloads();
  live.store?.pull(gemma);
  await expect.poll(() => requests).toContain("POST /models");
  live.store?.cancel(gemma);
  release();
  await expect.poll(() => pulls().at(-1)?.status).toBe("cancelled");
  expect(states).toEqual({ small: "unloaded" });
});

test("a download is not done because another quantization is there", async () => {
  const { live, pulls, states, tell, isFollowed } = await startRouter({ [`${gemma}:Q8_0`]: "unloaded" });
  live.store?.pull(gemma);
  await expect.poll(isFollowed).toBe(true);
  await expect.poll(() => pulls().at(-1)?.status).toBe("downloading");
  delete states[gemma];
  states[`${gemma}:Q4_K_M`] = "unloaded";
  tell({ model: gemma, event: "download_finished" });
  await expect.poll(() => pulls().at(-1)?.status).toBe("done");
});

test("the list is read once for many events of a download", async () => {
  const { rig, live, requests, tell, isFollowed } = await startRouter({ small: "unloaded" });
  live.store?.pull(gemma);
  await expect.poll(isFollowed).toBe(true);
  const changes = (): number => rig.pushes.filter(({ type }) => type === "connections").length;
  requests.length = 0;
  rig.pushes.length = 0;
  while (changes() < 3) {
    tell({ model: gemma, event: "download_progress", data: {} });
    await new Promise(setImmediate);
  }
  expect(requests.filter((request) => request === "GET /v1/models").length).toBeLessThanOrEqual(4);
});

test("a server that offers a shell to its page runs commands", async () => {
  const { live } = await startRouter({ small: "loaded" });
  // On this machine alone it is not asked.
  expect(live.toConnection()).not.toHaveProperty("runsCommands");
  const { baseUrl } = live.toConnection();
  const { router } = makeOpenAi({ id: "llamacpp", baseUrl: () => baseUrl, apiKey: () => null });
  expect(await router.runsCommands(new AbortController().signal)).toBe(true);
});
