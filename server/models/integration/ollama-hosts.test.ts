/** Several Ollama servers at once: a real store, real sessions, and a scripted Ollama at each address. */
import { describe, expect, onTestFinished, test } from "vitest";
import { type Script, type ScriptedModel, startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import type { AgentError } from "@/lib/events/error";
import { asId, type CommandId } from "@/lib/events/id";
import type { Connection } from "@/lib/models/models";
import { pathEntries } from "@/lib/view/view";
import type { ConnectionInput } from "../connections/connection-config";
import { findOllama } from "../ollama/find-ollama";
import type { Session } from "@/server/session/core/session-types";
import { makeModelRig, type ModelRig } from "./test-model-rig";

const key = "sk-attic-0123456789abcdefghijklmnop";
const script: Script = { models: ["m1", "m2"], context: 131_072, capabilities: ["completion", "tools"] };

let counted = 0;
const command = (): CommandId => asId<CommandId>(`c${(counted += 1)}`);
const never = (): AbortSignal => new AbortController().signal;

async function secondServer(own: Script = {}): Promise<ScriptedModel> {
  const server = await startScriptedModel({ ...script, ...own });
  onTestFinished(() => server.close());
  return server;
}

function saved({ access }: ModelRig, server: ScriptedModel, input: Partial<ConnectionInput> = {}): Connection {
  const saveAnswer = access.connections.save({
    name: "Attic",
    preset: "ollama",
    baseUrl: server.url,
    model: "",
    numCtx: 0,
    ...input,
  });
  if (!saveAnswer.ok) throw new Error(JSON.stringify(saveAnswer.error));
  return saveAnswer.value;
}

async function sessionIn(rig: ModelRig): Promise<Session> {
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  const { project: row, root } = project.value;
  return rig.registry.create({ projectId: row.id, cwd: root, mode: "full", commandId: command() });
}

/**
 * Runs a new session with a model of a server and returns its end; `connection` absent = the Ollama of the settings.
 */
async function run(rig: ModelRig, name: string, connection?: string) {
  const session = await sessionIn(rig);
  const committed = session.changeModel({ name, connection }, command());
  expect(committed).toMatchObject({ ok: true });
  const sent = session.send("hi", "prompt", command());
  if (!sent.ok) throw new Error(sent.error.code);
  return { end: await sent.value.done, session };
}

const requestsTo = (server: ScriptedModel, path = "/api/chat") =>
  server.requests.filter((request) => request.path === path);
const errorsOf = (session: Session): readonly AgentError[] =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "error" ? [entry.error] : []));

describe("two Ollama servers with a model of the same name", () => {
  test("each serve their own sessions with the native API, and have separate facts", async () => {
    const rig = await makeModelRig({ ...script, turns: [{ text: "From the first." }], allocated: 16_384 });
    const attic = await secondServer({ turns: [{ text: "From the attic." }], allocated: 8_192 });
    const { id } = saved(rig, attic, { key, numCtx: 8_192, temperature: 0.5 });
    await rig.access.models.refresh(never());
    await rig.access.connections.ready(id);

    const far = await run(rig, "m1", id);
    expect(far.end).toBe("done");
    expect(far.session.view.model).toMatchObject({ provider: id, model: "m1", numCtx: 8_192, toolMode: "native" });
    expect(requestsTo(attic)).toMatchObject([
      {
        headers: { authorization: `Bearer ${key}` },
        body: { model: "m1", keep_alive: "30m", options: { num_ctx: 8_192, temperature: 0.5 } },
      },
    ]);
    expect(requestsTo(rig.model)).toEqual([]);

    const near = await run(rig, "m1");
    expect(near.end).toBe("done");
    expect(near.session.view.model?.provider).toBe("ollama");
    expect(requestsTo(rig.model)).toHaveLength(1);
    expect(requestsTo(attic)).toHaveLength(1);
    expect(requestsTo(rig.model)[0]?.headers.authorization).toBeUndefined();
    expect(attic.requests.some(({ path }) => path.startsWith("/v1"))).toBe(false);
    expect(JSON.stringify([rig.pushes, rig.logged, rig.access.connections.list()])).not.toContain(key);

    const facts = { models: rig.access.models, connections: rig.access.connections };
    const ollama = findOllama(facts, id);
    await ollama?.known.saveUserSettings(ollama.keyOf("m1"), { numCtx: 4_096 });
    const plans = await Promise.all([ollama?.window("m1", never()), rig.access.models.window("m1", never())]);
    expect(plans[0]).toMatchObject({ value: { chosen: 4_096, by: "user" } });
    expect(plans[1]).not.toMatchObject({ value: { by: "user" } });
  });

  test("have separate states: one is offline and reported by its own address, the other answers", async () => {
    const rig = await makeModelRig({ ...script, turns: [{ text: "Here." }] });
    const attic = await startScriptedModel(script);
    const { id } = saved(rig, attic);
    await rig.access.models.refresh(never());
    await rig.access.connections.ready(id);
    expect(rig.access.connections.list()).toMatchObject([
      { id, server: { status: "ready", models: [{ name: "m1" }, {}] } },
    ]);
    await attic.close();
    rig.settings.current = { ...rig.settings.current, retries: 0 };
    await rig.access.connections.ready(id);
    expect(rig.access.connections.list()).toMatchObject([{ id, server: { status: "unreachable", host: attic.url } }]);
    expect(rig.access.models.state().status).toBe("ready");
    const far = await run(rig, "m1", id);
    expect(far.end).toBe("error");
    expect(errorsOf(far.session).at(-1)).toMatchObject({ code: "server_unreachable", facts: { host: attic.url } });
    expect((await run(rig, "m1")).end).toBe("done");
  });

  test("a connection answers while the Ollama of the settings is offline", async () => {
    const rig = await makeModelRig(script);
    const attic = await secondServer({ turns: [{ text: "Still here." }] });
    const { id } = saved(rig, attic);
    rig.settings.current = { ...rig.settings.current, ollamaHost: "http://127.0.0.1:1" };
    await rig.access.models.refresh(never());
    await rig.access.connections.ready(id);
    expect((await run(rig, "", id)).end).toBe("done");
    expect(requestsTo(attic)).toHaveLength(1);
  });

  test("the doctor loads and tests the model on the connection's server", async () => {
    const rig = await makeModelRig(script);
    const attic = await secondServer();
    const { id } = saved(rig, attic);
    expect(await rig.doctor.start(id, "m2")).toMatchObject({ ok: true });
    const { report } = await rig.doctorResult();
    expect(report?.steps.find(({ step }) => step === "load")?.state).toBe("ok");
    expect(requestsTo(attic, "/api/generate")).toMatchObject([{ body: { model: "m2" } }]);
    expect([...requestsTo(rig.model), ...requestsTo(rig.model, "/api/generate")]).toEqual([]);
    expect(rig.access.connections.list()[0]?.server?.models.find(({ name }) => name === "m2")?.note?.doctor).toEqual(
      report,
    );
  });
});

describe("a connection to Ollama", () => {
  const ready = { text: "ready" };
  const echo = { text: "", toolCalls: [{ name: "echo", arguments: { text: "ready" } }] };

  test("is tested in five steps with the window of its sessions", async () => {
    const rig = await makeModelRig(script);
    const attic = await secondServer({ models: ["only"], turns: [ready, echo] });
    const draft = { name: "Attic", preset: "ollama", baseUrl: attic.url, model: "", numCtx: 8_192 } as const;
    expect(await rig.access.connections.test({ draft })).toMatchObject({
      value: { steps: ["reach", "key", "model", "answer", "tools"].map((step) => ({ step, ok: true })) },
    });
    expect(requestsTo(attic)).toMatchObject([
      { body: { options: { num_ctx: 8_192 } } },
      { body: { options: { num_ctx: 8_192 } } },
    ]);
    expect(rig.access.connections.list()).toEqual([]);
  });

  test.each<readonly [string, Script, string, readonly object[]]>([
    ["no model is chosen of several", {}, "", [{ step: "model", error: { code: "no_model" }, choices: ["m1", "m2"] }]],
    ["the model is not installed", {}, "m3", [{ step: "model", error: { code: "model_missing" } }]],
    [
      "the key is refused",
      { fixed: { "GET /api/version": { status: 401, body: { error: `bad key ${key}` } } } },
      "m1",
      [
        { step: "reach", ok: true },
        { step: "key", ok: false, error: { code: "key_refused" } },
      ],
    ],
  ])("reports in its test that %s", async (_what, own, model, last) => {
    const rig = await makeModelRig(script);
    const attic = await secondServer(own);
    const { id } = saved(rig, attic, { key, model });
    const result = await rig.access.connections.test({ id });
    expect(result.ok && result.value.steps.slice(-last.length)).toMatchObject(last);
    expect(JSON.stringify(result)).not.toContain(key);
  });

  test("is suggested where an OpenAI-compatible connection leads to an Ollama, and only there", async () => {
    const rig = await makeModelRig(script);
    const attic = await secondServer();
    const other = await secondServer({ fixed: { "GET /api/version": { status: 404, body: "not found" } } });
    const checkDraft = async ({ url }: ScriptedModel) => {
      const draft = { name: "Attic", preset: "custom", baseUrl: `${url}/v1`, model: "m1", numCtx: 0 } as const;
      const result = await rig.access.connections.test({ draft });
      return result.ok ? result.value.ollama : result.error;
    };
    expect(await checkDraft(attic)).toBe(attic.url);
    expect(await checkDraft(other)).toBeUndefined();
  });

  test("unloads its own model, and is polled only while watched", async () => {
    const rig = await makeModelRig(script);
    const attic = await secondServer();
    const { id } = saved(rig, attic);
    expect(attic.requests).toEqual([]);
    const stop = rig.access.connections.watch();
    await attic.waitFor((requests) => requests.some(({ path }) => path === "/api/ps"));
    stop();
    const ollama = findOllama({ models: rig.access.models, connections: rig.access.connections }, id);
    expect(await ollama?.unload("m1", never())).toEqual({ ok: true, value: null });
    expect(requestsTo(attic, "/api/generate")).toMatchObject([{ body: { model: "m1", keep_alive: 0 } }]);
    expect(requestsTo(rig.model, "/api/generate")).toEqual([]);
  });
});
