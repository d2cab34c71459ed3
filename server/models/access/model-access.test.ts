import { describe, expect, test } from "vitest";
import type { Usage } from "@/lib/events/content";
import type { ModelServerState } from "@/lib/models/models";
import { asId, type BlobId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import { zeroScriptCounts } from "@/lib/text/estimate-tokens";
import type { ModelState } from "@/lib/view/view";
import { toTokenScales } from "../notes/token-scale";
import type { ModelPart } from "@/server/providers/provider";
import { makeModelRig, type ModelRig } from "../integration/test-model-rig";

const never = new AbortController().signal;
const ready = async (rig: ModelRig): Promise<ModelServerState> => {
  const state = await rig.access.models.refresh(never);
  await rig.access.models.shapesReady(never);
  return state;
};
/** Shape of a model that takes 131,072 bytes per token. */
const shown = {
  capabilities: ["completion", "tools"],
  model_info: {
    "general.architecture": "scripted",
    "scripted.context_length": 40_960,
    "scripted.block_count": 32,
    "scripted.embedding_length": 4_096,
    "scripted.attention.head_count": 32,
    "scripted.attention.head_count_kv": 8,
  },
  parameters: "stop <|end|>",
  template: "{{ .Prompt }}",
  parser: "qwen3-coder",
  renderer: "qwen3.5",
  license: "x".repeat(30_000),
};
const stateOf = (rig: ModelRig, more: Partial<ModelState> = {}): ModelState => {
  const choice = rig.access.sessionModels.chooseModel({ name: "" });
  if (choice === null) throw new Error("no model");
  return { ...choice.change, prompt: asId<BlobId>("b"), ...more };
};
const usage: Usage = {
  promptTokens: 1_300,
  estimatedPromptTokens: 1_000,
  outputTokens: 100,
  loadMs: 0,
  promptMs: 900,
  outputMs: 5_000,
};
const noted = (rig: ModelRig) => rig.access.models.state().models[0]?.note;

describe("the user's choice for a model", () => {
  test("applies to new sessions, survives a restart, and can be removed", async () => {
    const rig = await makeModelRig({ context: 32_768 });
    await ready(rig);
    const { chooseModel } = rig.access.sessionModels;
    const wanted = { name: "scripted", toolMode: "xml", profile: "small", numCtx: 8_192 } as const;
    expect(chooseModel(wanted)?.change).toMatchObject({ toolMode: "xml", profile: "small", numCtx: 8_192 });
    const userSettings = { toolMode: { mode: "xml", by: "user" }, profile: "small", numCtx: 8_192 };
    expect(await rig.access.modelsFile.ready()).toMatchObject({ ok: true });
    const set = { toolMode: "xml", profile: "small", numCtx: 8_192 };
    expect(rig.store.modelSettings.read()).toEqual([{ name: "scripted:latest", settings: set }]);
    expect(noted(rig)).toEqual(userSettings);
    expect(chooseModel({ name: "" })?.change).toMatchObject({ toolMode: "xml", profile: "small", numCtx: 8_192 });
    const again = chooseModel({ name: "scripted", toolMode: "auto", profile: "auto", numCtx: 0 });
    expect(again?.change).toMatchObject({ toolMode: "native", profile: "default", numCtx: 16_384 });
    expect(noted(rig)).toBeUndefined();
  });

  test("is pushed to clients when it changes", async () => {
    const rig = await makeModelRig();
    await ready(rig);
    rig.access.sessionModels.chooseModel({ name: "scripted", numCtx: 4_096 });
    expect(rig.pushes.at(-1)).toMatchObject({ type: "models", state: { models: [{ note: { numCtx: 4_096 } }] } });
  });
});

const projectId = asId<ProjectId>("p");

describe("tools refused by a server", () => {
  test("are called in text from then on, whatever capabilities the model lists", async () => {
    const rig = await makeModelRig();
    await ready(rig);
    const state = stateOf(rig, { numCtx: 8_192 });
    expect(rig.access.sessionModels.textToolMode(state, projectId, "model")?.change).toMatchObject({
      toolMode: "react",
      numCtx: 8_192,
    });
    expect(noted(rig)).toEqual({ toolMode: { mode: "react", by: "server" } });
    expect(rig.access.sessionModels.chooseModel({ name: "", toolMode: "auto" })?.change.toolMode).toBe("react");
  });

  test("are called in text for one session alone where its server failed to parse its calls", async () => {
    const rig = await makeModelRig();
    await ready(rig);
    expect(rig.access.sessionModels.textToolMode(stateOf(rig), projectId, "session")?.change.toolMode).toBe("react");
    expect(noted(rig)).toBeUndefined();
  });

  test("stay native if the user chose that for the model", async () => {
    const rig = await makeModelRig();
    await ready(rig);
    rig.access.sessionModels.chooseModel({ name: "scripted", toolMode: "native" });
    expect(rig.access.sessionModels.textToolMode(stateOf(rig), projectId, "model")).toBeNull();
    expect(noted(rig)).toEqual({ toolMode: { mode: "native", by: "user" } });
  });

  test("stay native if the settings say so, and the model's note stays unchanged", async () => {
    const rig = await makeModelRig();
    await ready(rig);
    rig.settings.current = { ...rig.settings.current, toolCalling: "native" };
    expect(rig.access.sessionModels.textToolMode(stateOf(rig), projectId, "model")).toBeNull();
    expect(noted(rig)).toBeUndefined();
    rig.settings.current = { ...rig.settings.current, toolCalling: "auto" };
    expect(rig.access.sessionModels.textToolMode(stateOf(rig), projectId, "model")?.change).toMatchObject({
      toolMode: "react",
    });
  });
});

describe("the window in use", () => {
  const ask = async (rig: ModelRig, numCtx: number): Promise<readonly ModelPart[]> => {
    const { provider, model, think } = stateOf(rig);
    const request = { provider, model, think, numCtx, tools: [], keepAliveMinutes: 5, maxOutputTokens: 50 };
    const parts: ModelPart[] = [];
    const messages = [{ role: "user", text: "hi" }] as const;
    for await (const part of rig.access.sessionModels.stream({ ...request, messages }, never, asId<SessionId>("s")))
      parts.push(part);
    return parts;
  };

  test("is unaffected by a change of the temperature, which the next request has", async () => {
    const rig = await makeModelRig();
    await ready(rig);
    for (const temperature of [null, 0.7]) {
      rig.settings.current = { ...rig.settings.current, temperature };
      await ask(rig, 8_192);
    }
    const chats = rig.model.requests.filter(({ path }) => path === "/api/chat").map(({ body }) => body);
    expect(chats).toMatchObject([{ options: { num_ctx: 8_192 } }, { options: { num_ctx: 8_192, temperature: 0.7 } }]);
  });

  test("is the allocated one, once the server has answered with it", async () => {
    const rig = await makeModelRig({ allocated: 4_096 });
    await ready(rig);
    const state = stateOf(rig);
    expect(state.numCtx).toBe(16_384);
    expect(rig.access.sessionModels.modelFacts(state)).toEqual({
      window: 16_384,
      tokenRatio: 1,
      scale: toTokenScales({}),
    });
    const parts = await ask(rig, 16_384);
    expect(parts[0]).toMatchObject({ type: "phase", phase: "loading" });
    await rig.model.waitFor((requests) => requests.filter(({ path }) => path === "/api/ps").length >= 2);
    await rig.access.models.queryLoaded("scripted", 16_384);
    expect(rig.access.sessionModels.modelFacts(state).window).toBe(4_096);
    // The next request does not reload it, though the allocated window differs from the requested one.
    expect((await ask(rig, 16_384))[0]).toMatchObject({ type: "phase", phase: "reading" });
    expect(rig.access.sessionModels.modelFacts({ ...state, numCtx: 8_192 }).window).toBe(8_192);
  });

  test("is never larger than the trained window", async () => {
    const rig = await makeModelRig({ context: 8_192 });
    await ready(rig);
    expect(rig.access.sessionModels.modelFacts(stateOf(rig, { numCtx: 16_384 })).window).toBe(8_192);
  });

  test("is counted with the learned token ratio", async () => {
    const rig = await makeModelRig();
    await ready(rig);
    const state = stateOf(rig);
    rig.access.sessionModels.learn(state, usage, { counts: zeroScriptCounts, tokens: 0 });
    expect(rig.access.sessionModels.modelFacts(state).tokenRatio).toBe(1.3);
    expect(noted(rig)).toEqual({ tokenRatio: 1.3, writePerSecond: 20 });
    expect([...rig.store.modelNotes.read().values()]).toEqual([{ note: { tokenRatio: 1.3, writePerSecond: 20 } }]);
  });

  test("is counted without a ratio where the server's counts exclude cached tokens", async () => {
    const rig = await makeModelRig({ version: "0.30.0" });
    await ready(rig);
    rig.access.sessionModels.learn(stateOf(rig), usage, { counts: zeroScriptCounts, tokens: 0 });
    expect(noted(rig)).toEqual({ writePerSecond: 20 });
  });
});

describe("the details of a model", () => {
  test("have its texts, cut, and the cost of each window", async () => {
    const rig = await makeModelRig({ fixed: { "POST /api/show": { body: shown } } });
    await ready(rig);
    const page = await rig.access.models.show("scripted", never);
    expect(page).toMatchObject({
      ok: true,
      value: {
        name: "scripted:latest",
        parameters: "stop <|end|>",
        template: "{{ .Prompt }}",
        parser: "qwen3-coder",
        renderer: "qwen3.5",
      },
    });
    if (!page.ok) return;
    expect(page.value.license).toHaveLength(20_000);
    const sixteen = page.value.window.steps.find(({ tokens }) => tokens === 16_384);
    expect(sixteen?.bytes).toBe(4_700_000_000 + 16_384 * 131_072);
    expect(await rig.access.models.window("scripted", never)).toEqual({ ok: true, value: page.value.window });
    expect(rig.access.models.state().models[0]?.kvBytesPerToken).toBe(131_072);
  });

  test("fail for a model that is not installed", async () => {
    const rig = await makeModelRig();
    await ready(rig);
    const missing = { ok: false, error: { code: "model_missing" } };
    expect(await rig.access.models.show("none", never)).toMatchObject(missing);
    expect(await rig.access.models.window("none", never)).toMatchObject(missing);
    expect(await rig.access.models.remove("none", never)).toMatchObject(missing);
  });

  test("are gone after deleting the model", async () => {
    const rig = await makeModelRig({ models: ["a:1b", "b:1b"] });
    await ready(rig);
    expect(await rig.access.models.remove("a:1b", never)).toEqual({ ok: true, value: null });
    expect(rig.access.models.state().models.map(({ name }) => name)).toEqual(["b:1b"]);
  });
});

describe("warming up", () => {
  const loads = (rig: ModelRig) => rig.model.requests.filter(({ path }) => path === "/api/generate");

  test("loads the model of a new session, with its window and the keep-alive time of the settings", async () => {
    const rig = await makeModelRig({ vramShare: 1 });
    await ready(rig);
    rig.access.warm("");
    await rig.model.waitFor(() => loads(rig).some(({ closed }) => closed));
    expect(loads(rig)[0]?.body).toMatchObject({ keep_alive: "30m", options: { num_ctx: 16_384 } });
    await rig.access.models.queryLoaded("scripted", 16_384);
    rig.access.warm("");
    rig.access.warm(stateOf(rig));
    expect(loads(rig)).toHaveLength(1);
  });

  test.each<[string, (rig: ModelRig) => unknown]>([
    ["while the server is busy", (rig) => rig.access.queue.enter(rig.access.models.state().host, "x", never)],
    [
      "when models do not stay in memory",
      (rig) => (rig.settings.current = { ...rig.settings.current, keepAliveMinutes: 0 }),
    ],
  ])("does nothing %s", async (_name, prepare) => {
    const rig = await makeModelRig();
    await ready(rig);
    await prepare(rig);
    rig.access.warm("");
    await rig.access.models.refresh(never);
    expect(loads(rig)).toEqual([]);
  });

  test("does nothing for a cloud model or a connection's model", async () => {
    const rig = await makeModelRig({ models: ["big:120b-cloud"] });
    await ready(rig);
    const { change } = rig.access.sessionModels.chooseModel({ name: "big:120b-cloud" }) ?? {};
    if (change === undefined) throw new Error("no model");
    const prompt = asId<BlobId>("b");
    rig.access.warm({ ...change, prompt });
    rig.access.warm({ ...change, prompt, provider: "other" });
    await rig.access.models.refresh(never);
    expect(loads(rig)).toEqual([]);
  });

  test("leaves the model of another session's run in memory", async () => {
    const rig = await makeModelRig({ models: ["a:1b", "b:1b"], turns: [{ text: "one two", holdAfter: 1 }] });
    await ready(rig);
    const project = await rig.projects.open(rig.root);
    if (!project.ok) throw new Error(project.error.code);
    const { project: row, root } = project.value;
    const session = rig.registry.create({
      projectId: row.id,
      cwd: root,
      mode: "ask",
      commandId: asId<CommandId>("c1"),
    });
    const sent = session.send("hi", "prompt", asId<CommandId>("c2"));
    await rig.model.waitFor((requests) => requests.some(({ path, events }) => path === "/api/chat" && events === 1));
    const { change } = rig.access.sessionModels.chooseModel({ name: "b:1b" }) ?? {};
    if (change === undefined || !sent.ok) throw new Error("no model");
    rig.access.warm({ ...change, prompt: asId<BlobId>("b") });
    rig.model.release();
    expect(await sent.value.done).toBe("done");
    expect(loads(rig)).toEqual([]);
  });
});
