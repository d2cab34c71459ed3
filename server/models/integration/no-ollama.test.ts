/**
 * Without an Ollama server: another server in its place, a connection as replacement, and the error when there is none.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import { asId, type ClientId, type CommandId } from "@/lib/events/id";
import { toModelInput, parseModelName } from "@/lib/models/parse-model-name";
import type { AgentError } from "@/lib/events/error";
import { eventually } from "@/lib/testing/test-waits";
import { cliErrorText } from "@/server/cli/cli-error-text";
import { RunFailure } from "@/server/cli/cli-error-text";
import { findNamedModel } from "@/server/cli/resolve-model";
import { makeModelRig, type ModelRig, type RigOptions } from "./test-model-rig";

const never = new AbortController().signal;
let counted = 0;
const command = (): CommandId => asId<CommandId>(`n${(counted += 1)}`);
/** Answer of llama-server and LM Studio to Ollama's own paths. */
const unknown = { status: 404, type: "application/json", body: { error: { code: 404, message: "File Not Found" } } };
const noOllama = { "GET /api/version": unknown, "GET /api/tags": unknown, "GET /api/ps": unknown };

/** A server that speaks only the OpenAI API. */
const rigOf = (models: readonly string[], options: RigOptions = {}): Promise<ModelRig> =>
  makeModelRig({ models, fixed: noOllama, context: 16_384, turns: [{ text: "Yes." }] }, options);

/** The closed port 1 of this machine. */
const unusedAddress = "http://127.0.0.1:1";

const environment = (model: { readonly url: string }) => ({ OPENAI_BASE_URL: `${model.url}/v1` });

/** Creates a session like the command line does; returns the result of its first message. */
async function begin(rig: ModelRig, named: { readonly model?: string; readonly connection?: string } = {}) {
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  const { id: projectId } = project.value.project;
  const client = { id: asId<ClientId>("run"), origin: { kind: "cli" } } as const;
  const created = await rig.sessions.create({ projectId, commandId: command(), ...named }, client);
  if (!created.ok) return { error: created.error, model: null };
  const { id: sessionId } = created.value.row;
  const sent = await rig.sessions.send({ sessionId, commandId: command(), text: "Hi", intent: "prompt" }, client);
  const session = rig.registry.get(sessionId);
  return { error: sent.ok ? null : sent.error, model: session?.view.model ?? null };
}
const errorText = (error: AgentError | null): string => (error === null ? "" : cliErrorText(error));

describe("with OPENAI_BASE_URL alone", () => {
  test.each([
    ["its only model is used", ["m1"], "m1"],
    ["the first of several is used", ["m1", "m2"], "m1"],
    ["not a pure embedding model", ["text-embedding-3", "m2"], "m2"],
  ])("%s", async (_name, models, used) => {
    const rig = await rigOf(models, { environment });
    expect(await begin(rig)).toMatchObject({ error: null, model: { provider: "environment", model: used } });
  });

  test("--model environment uses the connection's model", async () => {
    const rig = await rigOf(["m1"], { environment, named: "environment" });
    expect(await begin(rig)).toMatchObject({ error: null, model: { provider: "environment", model: "m1" } });
    const named = parseModelName("environment", [], rig.access.connections.list());
    expect(named).toEqual({ name: "", connection: "environment" });
    expect(await begin(rig, toModelInput(named))).toMatchObject({ error: null, model: { model: "m1" } });
  });

  test("Ollama still takes precedence where it answers and has a model", async () => {
    const rig = await makeModelRig({ models: ["own:8b"] }, { environment });
    expect(await begin(rig)).toMatchObject({ error: null, model: { provider: "ollama", model: "own:8b" } });
  });
});

describe("without any model server", () => {
  test.each([
    ["a model that is named", { model: "qwen3:8b" }],
    ["no model named", {}],
  ])("reports that the server is down, with %s, and the addresses tried", async (_name, named) => {
    const rig = await rigOf([]);
    rig.settings.current = { ...rig.settings.current, ollamaHost: unusedAddress };
    const { error } = await begin(rig, named);
    expect(error).toMatchObject({ code: "server_unreachable", facts: { host: unusedAddress, tried: [unusedAddress] } });
    expect(errorText(error)).toContain(unusedAddress);
    expect(errorText(error)).not.toContain("installed");
  });

  test("lists the connections beside Ollama", async () => {
    const rig = await rigOf([]);
    rig.settings.current = { ...rig.settings.current, ollamaHost: unusedAddress };
    for (const name of ["Cellar", "Attic"])
      rig.access.connections.save({
        name,
        preset: "custom",
        baseUrl: `${unusedAddress}/${name}`,
        model: "",
        numCtx: 0,
      });
    const { error } = await begin(rig);
    expect(errorText(error)).toContain(`${unusedAddress}/Attic`);
  });
});

describe("with several connections on this machine", () => {
  /** Three connections in the user's order, of which the first does not answer. */
  async function rigWithThree() {
    const rig = await rigOf(["m1"]);
    rig.settings.current = { ...rig.settings.current, ollamaHost: unusedAddress };
    const save = (name: string, baseUrl: string): string => {
      const saved = rig.access.connections.save({ name, preset: "custom", baseUrl, model: "", numCtx: 0 });
      if (!saved.ok) throw new Error(saved.error.code);
      return saved.value.id;
    };
    const ids = [
      save("Cellar", `${rig.model.url}/v1`),
      save("Attic", `${unusedAddress}/a`),
      save("Barn", `${rig.model.url}/v1/`),
    ];
    const order = (...at: readonly number[]): void => {
      const connectionOrder = at.map((one) => ids[one] ?? "");
      rig.settings.current = { ...rig.settings.current, connectionOrder };
    };
    return { rig, ids, order };
  }

  test("the first in the user's order that answers is used", async () => {
    const { rig, ids, order } = await rigWithThree();
    order(1, 2, 0);
    expect(await begin(rig)).toMatchObject({ error: null, model: { provider: ids[2], model: "m1" } });
    order(1, 0, 2);
    expect(await begin(rig)).toMatchObject({ error: null });
    expect(rig.access.connections.list().map(({ name, answers }) => [name, answers])).toEqual([
      ["Attic", undefined],
      expect.anything(),
      ["Barn", true],
    ]);
  });

  test("the page has it as soon as Ollama is known not to answer", async () => {
    const { rig, ids, order } = await rigWithThree();
    order(1, 0, 2);
    await rig.access.models.refresh(never);
    await eventually(() => expect(rig.access.connections.list().find(({ id }) => id === ids[0])?.answers).toBe(true));
    const pushed = rig.pushes.flatMap((push) => (push.type === "connections" ? [push.connections] : [])).at(-1);
    expect(pushed?.filter(({ answers }) => answers === true).map(({ id }) => id)).toEqual([ids[0]]);
  });

  test("another one is used when it ends", async () => {
    const { rig, ids, order } = await rigWithThree();
    const other = await startScriptedModel({ models: ["m2"], fixed: noOllama });
    onTestFinished(other.close);
    const saved = rig.access.connections.save({
      name: "Other",
      preset: "custom",
      baseUrl: `${other.url}/v1`,
      model: "",
      numCtx: 0,
    });
    if (!saved.ok) throw new Error(saved.error.code);
    order(1);
    rig.settings.current = {
      ...rig.settings.current,
      connectionOrder: [saved.value.id, ...rig.settings.current.connectionOrder],
    };
    expect(await begin(rig)).toMatchObject({ model: { provider: saved.value.id, model: "m2" } });
    await other.close();
    expect(await begin(rig)).toMatchObject({ error: null, model: { provider: ids[0], model: "m1" } });
  });

  test("none is used where the user chose a model", async () => {
    const { rig } = await rigWithThree();
    rig.settings.current = { ...rig.settings.current, model: "qwen3:8b" };
    expect(await begin(rig)).toMatchObject({ error: { code: "server_unreachable" } });
  });
});

describe("with a service on the internet alone", () => {
  const online = () => ({ OPENAI_BASE_URL: "https://api.example.com/v1", OPENAI_API_KEY: "key" });
  test.each([{}, { model: "m1" }])("nothing is sent there unasked, and the error names it: %j", async (named) => {
    const rig = await rigOf([], { environment: online });
    rig.settings.current = { ...rig.settings.current, ollamaHost: unusedAddress };
    const { error } = await begin(rig, named);
    expect(error).toMatchObject({
      code: "server_unreachable",
      facts: { tried: [unusedAddress], online: ["environment"] },
    });
  });
});

describe("a model that the command line names", () => {
  test.each<[name: string, models: readonly string[], found: object]>([
    ["m2", ["m1", "m2"], { name: "m2", connection: "environment" }],
    // It has no list.
    ["m2", [], { name: "m2", connection: "environment" }],
    ["environment/m2", ["m1"], { name: "m2", connection: "environment" }],
  ])("%s is found where %j are listed", async (name, models, found) => {
    const rig = await rigOf(models, { environment });
    const { connections, models: ollama } = rig.access;
    const lists = {
      refresh: () => ollama.refresh(never),
      list: async (id: string) => {
        const listed = await connections.models({ id });
        if (!listed.ok) throw new Error(id);
        return listed.value;
      },
    };
    const state = { models: ollama.state(), connections: connections.list() };
    expect(await findNamedModel(lists, name, state)).toEqual(found);
  });

  test.each<[answer: readonly string[] | RunFailure, outcome: string | object]>([
    [["m1", "m3"], "http://127.0.0.1:1/v1 has no model m2, it has m1, m3"],
    [new RunFailure("the port speaks https", "wrong_scheme"), "http://127.0.0.1:1/v1: the port speaks https"],
    [new RunFailure("HTTP 404", "server_error"), "http://127.0.0.1:1/v1: HTTP 404"],
    [new RunFailure("no answer", "server_unreachable"), { name: "m2" }],
  ])("is not found where a server answers %j, and the reason is told", async (answer, outcome) => {
    const models = { status: "unreachable", host: "", models: [], loaded: [], canStart: false } as const;
    const base = { id: "environment", name: "E", preset: "custom", baseUrl: "http://127.0.0.1:1/v1", model: "" };
    const connections = [{ ...base, numCtx: 0, key: { from: "none" }, local: true } as const];
    const lists = {
      refresh: () => Promise.resolve(models),
      list: () =>
        answer instanceof RunFailure ? Promise.reject(answer) : Promise.resolve(answer.map((name) => ({ name }))),
    };
    const found = findNamedModel(lists, "m2", { models, connections });
    if (typeof outcome === "string") await expect(found).rejects.toThrow(outcome);
    else expect(await found).toEqual(outcome);
  });

  test("is not looked for on the internet, nor where Ollama has models", async () => {
    const lists = { refresh: () => Promise.reject(new Error()), list: () => Promise.resolve([{ name: "m1" }]) };
    const base = { id: "environment", name: "E", preset: "custom", baseUrl: "https://a.example.com", model: "" };
    const connection = { ...base, numCtx: 0, key: { from: "none" }, local: false } as const;
    const models = { status: "unreachable", host: "", models: [], loaded: [], canStart: false } as const;
    const find = (more: object, local: boolean) =>
      findNamedModel(lists, "m1", { models: { ...models, ...more }, connections: [{ ...connection, local }] });
    expect(await find({}, false)).toEqual({ name: "m1" });
    expect(await find({}, true)).toEqual({ name: "m1", connection: "environment" });
    const other = { name: "other", capabilities: [], cloud: false };
    expect(await find({ status: "ready", models: [other] }, true)).toEqual({ name: "m1" });
  });
});

describe("a server of another kind at the Ollama address", () => {
  test("is detected, and reported with a remedy", async () => {
    const rig = await rigOf(["m1"]);
    const state = await rig.access.models.refresh(never);
    expect(state).toMatchObject({ status: "unreachable", openAi: `${rig.model.url}/v1` });
    const { error } = await begin(rig, { model: "m1" });
    expect(errorText(error)).toContain(`OPENAI_BASE_URL=${rig.model.url}/v1`);
  });

  test("is not detected where the answers are of an unknown kind", async () => {
    const rig = await makeModelRig({ fixed: { ...noOllama, "GET /v1/models": unknown } });
    const state = await rig.access.models.refresh(never);
    expect(state.status).toBe("unreachable");
    expect(state.openAi).toBeUndefined();
  });

  test("becomes a connection whose only model needs no name, also in its test", async () => {
    const rig = await rigOf(["m1"]);
    const { openAi = "" } = await rig.access.models.refresh(never);
    const saved = rig.access.connections.save({
      name: "Here",
      preset: "custom",
      baseUrl: openAi,
      model: "",
      numCtx: 0,
    });
    if (!saved.ok) throw new Error(saved.error.code);
    const tested = await rig.access.connections.test({ id: saved.value.id });
    expect(tested).toMatchObject({ ok: true });
    expect(tested.ok && tested.value.steps[2]).toMatchObject({ step: "model", ok: true, detail: "m1" });
    expect(await begin(rig, { model: "", connection: saved.value.id })).toMatchObject({ model: { model: "m1" } });
  });
});
