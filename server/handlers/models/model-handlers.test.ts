import { describe, expect, test } from "vitest";
import { asId, type CommandId, type SessionId } from "@/lib/events/id";
import { makeModelRig, type ModelRig } from "@/server/models/integration/test-model-rig";
import { modelHandlers } from "./model-handlers";

const never = new AbortController().signal;

const handlersOf = (rig: ModelRig) => modelHandlers(rig, () => rig.doctor.current()?.model ?? null);

let counted = 0;
const command = (): CommandId => asId<CommandId>(`c${(counted += 1)}`);

async function sessionIn(rig: ModelRig) {
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  const { project: row, root } = project.value;
  return rig.registry.create({ projectId: row.id, cwd: root, mode: "ask", commandId: command() });
}

describe("commands of the models", () => {
  test("a model used by a run is not deleted", async () => {
    const rig = await makeModelRig({ turns: [{ text: "one two", holdAfter: 1 }] });
    await rig.access.models.refresh(never);
    const table = handlersOf(rig);
    const sent = (await sessionIn(rig)).send("hi", "prompt", command());
    await rig.model.waitFor((requests) => requests.some(({ path, events }) => path === "/api/chat" && events === 1));
    expect(await table["models.remove"]({ model: "scripted" })).toMatchObject({
      ok: false,
      error: { code: "busy", facts: { model: "scripted:latest" } },
    });
    rig.model.release();
    expect(sent.ok && (await sent.value.done)).toBe("done");
    expect(await table["models.remove"]({ model: "scripted" })).toEqual({ ok: true, value: null });
    expect(rig.access.models.state().models).toEqual([]);
  });

  test("the settings chosen for a model are stored, and a model that is not installed is reported", async () => {
    const rig = await makeModelRig();
    const table = handlersOf(rig);
    const chosen = { model: "scripted", toolMode: "react", numCtx: 8_192 } as const;
    expect(await table["models.choose"](chosen)).toEqual({ ok: true, value: null });
    const note = { toolMode: { mode: "react", by: "user" }, numCtx: 8_192 };
    expect(rig.access.models.state().models[0]?.note).toEqual(note);
    expect(await table["models.window"]({ model: "scripted" })).toMatchObject({
      ok: true,
      value: { chosen: 8_192, by: "user" },
    });
    expect(await table["models.choose"]({ ...chosen, model: "none" })).toMatchObject({
      ok: false,
      error: { code: "model_missing" },
    });
  });

  test("a connection that allocates the window on this machine has a plan of it", async () => {
    const rig = await makeModelRig();
    const { connections } = rig.access;
    const saved = connections.save({
      name: "Cellar",
      preset: "custom",
      baseUrl: `${rig.model.url}/v1`,
      model: "m1",
      numCtx: 0,
    });
    if (!saved.ok) throw new Error(saved.error.code);
    const live = connections.live().get("cellar");
    if (live === undefined) throw new Error("no connection");
    const info = {
      name: "m",
      digest: "d1",
      size: 1e9,
      contextLength: 32_768,
      kvBytesPerToken: 100_000,
      capabilities: [],
      cloud: false,
    };
    const detach = connections.attach({
      ...live,
      toConnection: () => ({ ...live.toConnection(), id: "engine" }),
      lastList: () => [info],
      memoryBytes: 16e9,
      fetchList: () => Promise.resolve({ ok: true, value: [info] }),
      detectOllama: () => Promise.resolve(null),
      close() {},
    });
    const table = handlersOf(rig);
    const plan = await table["models.window"]({ model: "m", connection: "engine" });
    expect(plan).toMatchObject({ ok: true, value: { chosen: 16_384, by: "default" } });
    if (plan.ok) expect(plan.value.steps[0]).toEqual({ tokens: 4_096, bytes: 1e9 + 4_096 * 100_000, fits: true });
    expect(await table["models.window"]({ model: "other", connection: "engine" })).toMatchObject({
      error: { code: "not_found" },
    });
    // The choice is stored for this content of the model.
    await table["models.choose"]({ model: "m", connection: "engine", numCtx: 8_192 });
    expect(await table["models.window"]({ model: "m", connection: "engine" })).toMatchObject({
      ok: true,
      value: { chosen: 8_192, by: "user" },
    });
    detach();
    expect(await table["models.window"]({ model: "m", connection: "engine" })).toMatchObject({
      error: { code: "not_found" },
    });
  });

  test("a session's model keeps its window and thinking when another setting of it changes", async () => {
    const rig = await makeModelRig();
    await rig.access.models.refresh(never);
    const session = await sessionIn(rig);
    const change = (wanted: object) => session.changeModel({ name: "scripted", ...wanted }, command());
    expect(change({ think: false, numCtx: 4_096 }).ok).toBe(true);
    await rig.access.models.known.saveUserSettings(rig.access.models.keyOf("scripted"), { numCtx: 32_768 });
    expect(change({ toolMode: "xml" }).ok).toBe(true);
    expect(session.view.model).toMatchObject({ think: false, numCtx: 4_096, toolMode: "xml", profile: "small" });
    expect(change({ numCtx: 8_192 }).ok).toBe(true);
    expect(session.view.model).toMatchObject({ think: false, numCtx: 8_192, toolMode: "xml" });
  });

  test("a model is loaded for a session about to use it, and unloaded", async () => {
    const rig = await makeModelRig();
    const table = handlersOf(rig);
    const session = await sessionIn(rig);
    expect(await table["session.warm"]({ sessionId: session.id })).toEqual({ ok: true, value: null });
    expect(await table["models.warm"]({})).toEqual({ ok: true, value: null });
    await rig.model.waitFor((requests) => requests.some(({ path, closed }) => path === "/api/generate" && closed));
    expect(await rig.access.models.queryLoaded("scripted", 16_384)).toMatchObject({ contextLength: 16_384 });
    expect(await table["models.unload"]({ model: "scripted:latest" })).toEqual({ ok: true, value: null });
    expect(rig.access.models.state().loaded).toEqual([]);
    const missingId = asId<SessionId>("gone");
    expect(await table["session.warm"]({ sessionId: missingId })).toMatchObject({
      error: { code: "not_found" },
    });
  });

  test("a waiting session is moved to the front, another is not moved, and no model is loaded meanwhile", async () => {
    const rig = await makeModelRig({ turns: [{ text: "one", holdAfter: 1 }, { text: "two" }, { text: "three" }] });
    await rig.access.models.refresh(never);
    const table = handlersOf(rig);
    const sessions = [await sessionIn(rig), await sessionIn(rig), await sessionIn(rig)] as const;
    const ends: unknown[] = [];
    const order: number[] = [];
    for (const [index, session] of sessions.entries()) {
      const isQueued = new Promise<void>((resolve) =>
        session.subscribe(({ event }) => {
          if (event.type === "phase" && event.phase === "queued") resolve();
        }),
      );
      const sent = session.send(`task ${index}`, "prompt", command());
      if (sent.ok) ends.push(sent.value.done.then(() => order.push(index)));
      await (index === 0
        ? rig.model.waitFor((requests) => requests.some(({ path, events }) => path === "/api/chat" && events === 1))
        : isQueued);
    }
    const first = async (index: 0 | 1 | 2) => table["session.run_first"]({ sessionId: sessions[index].id });
    expect(await first(0)).toEqual({ ok: true, value: { moved: false } });
    expect(await first(2)).toEqual({ ok: true, value: { moved: true } });
    const loaded = async () => table["models.load"]({ model: "m", connection: "ollama" });
    expect(await loaded()).toMatchObject({ error: { code: "busy" } });
    rig.model.release();
    await Promise.all(ends);
    expect(order).toEqual([0, 2, 1]);
    expect(await loaded()).toMatchObject({ error: { code: "not_found" } });
  });

  test("a model under test is not deleted", async () => {
    const rig = await makeModelRig({ turns: [{ text: "one two", holdAfter: 1 }] });
    const table = handlersOf(rig);
    expect(await rig.doctor.start("ollama", "scripted")).toMatchObject({
      ok: true,
      value: { model: "scripted:latest", steps: [{ step: "load" }, {}, {}, {}, {}, {}, {}, {}] },
    });
    expect(await table["models.remove"]({ model: "scripted" })).toMatchObject({ error: { code: "busy" } });
    rig.doctor.cancel();
    expect(await rig.doctorResult()).toMatchObject({ cancelled: true });
  });
});
