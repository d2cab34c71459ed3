/**
 * Connections in sessions: with a real store, files and sockets, and a server that speaks the OpenAI API and echoes the
 * key it refuses.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Script, ScriptedTurn } from "@/e2e/fixtures/scripted-model.mjs";
import { type AgentError, ok } from "@/lib/events/error";
import { asId, type CommandId } from "@/lib/events/id";
import type { Connection } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import { pathEntries } from "@/lib/view/view";
import type { ConnectionInput } from "../connections/connection-config";
import { type Connections, makeConnections } from "../connections/connections";
import { timeLimit } from "@/server/base/abort";
import type { Session } from "@/server/session/core/session-types";
import { createSecrets } from "@/server/store/access/secrets";
import { makeModelRig, type ModelRig, type RigOptions } from "./test-model-rig";
import { connectionWindowTokens } from "../connection-window";

const key = "sk-rig-0123456789abcdefghijklmnop";
const base: Script = { models: ["m1", "m2"], key, context: 8_192, capabilities: ["completion", "tools"] };

let counted = 0;
const command = (): CommandId => asId<CommandId>(`c${(counted += 1)}`);

/** A rig with a connection to its own scripted server. */
async function rigWith(
  script: Script = {},
  input: Partial<ConnectionInput> = {},
  options: RigOptions = {},
): Promise<{ readonly rig: ModelRig; readonly connection: Connection }> {
  const rig = await makeModelRig({ ...base, ...script }, options);
  return { rig, connection: saved(rig, { key, ...input }) };
}

function saved({ access, model }: ModelRig, input: Partial<ConnectionInput>): Connection {
  const saveAnswer = access.connections.save({
    name: "Cellar",
    preset: "custom",
    baseUrl: `${model.url}/v1`,
    model: "m1",
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

/** Sends a message and returns the end of its run. */
async function run(session: Session, text = "hi") {
  const sent = session.send(text, "prompt", command());
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value.done;
}

const errorsOf = (session: Session): readonly AgentError[] =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "error" ? [entry.error] : []));
const chats = ({ model }: ModelRig, path = "/v1/chat/completions") =>
  model.requests.filter((request) => request.path === path);

/** Contents of every file in the home but keys.json, and of everything pushed and logged. */
function everywhere({ home, pushes, logged, access }: ModelRig): string {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "keys.json")
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  return JSON.stringify([files, pushes, logged, access.connections.list()]);
}

describe("a session on a connection", () => {
  test("works with real tools, and the key goes to its own server only", async () => {
    const edit: ScriptedTurn = {
      text: "",
      toolCalls: [{ name: "edit", arguments: { path: "price.js", old_string: "0.19", new_string: "0.21" } }],
    };
    const { rig, connection } = await rigWith({ turns: [edit, { text: "It is 21 % now." }] });
    writeFileSync(join(rig.root, "price.js"), "export const taxRate = 0.19;\n");
    const session = await sessionIn(rig);
    expect(session.changeModel({ name: "m2", connection: connection.id }, command()).ok).toBe(true);
    expect(await run(session, "Raise the tax.")).toBe("done");
    expect(readFileSync(join(rig.root, "price.js"), "utf8")).toBe("export const taxRate = 0.21;\n");
    expect(session.view.model).toMatchObject({ provider: "cellar", model: "m2", toolMode: "native", think: true });
    const requests = chats(rig);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`, `Bearer ${key}`]);
    expect(requests[1]?.raw).toContain('"role":"tool"');
    expect(chats(rig, "/api/chat")).toEqual([]);

    expect(statSync(join(rig.home, "keys.json")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(rig.home, "keys.json"), "utf8")).toContain(key);
    expect(everywhere(rig)).not.toContain(key);
    expect(rig.pushes).toContainEqual({ type: "connections", connections: [connection] });
    expect(connection).toMatchObject({ id: "cellar", key: { from: "file" }, local: true });
  });

  test("reports a refused key without containing it", async () => {
    const { rig, connection } = await rigWith({}, { key: "sk-wrong-0123456789abcdefghijkl" });
    const session = await sessionIn(rig);
    session.changeModel({ name: "", connection: connection.id }, command());
    expect(await run(session)).toBe("error");
    expect(errorsOf(session)).toMatchObject([{ code: "key_refused", detail: expect.stringContaining("***") }]);
    const [listed, tested] = [
      await rig.access.connections.models({ id: "cellar" }),
      await rig.access.connections.test({ id: "cellar" }),
    ];
    expect(listed).toMatchObject({ ok: false, error: { code: "key_refused" } });
    expect(tested).toMatchObject({
      value: {
        steps: [
          { step: "reach", ok: true },
          { step: "key", ok: false, error: { code: "key_refused" } },
        ],
      },
    });
    const everyText = everywhere(rig) + JSON.stringify([listed, tested, session.view]);
    expect(everyText).not.toMatch(/wrong-0123|456789abcdef/);
    // A corrected key is used at once.
    saved(rig, { id: "cellar", key });
    expect(await run(session)).toBe("done");
  });

  test("switches to calls in text after tools are refused, also in the next session", async () => {
    const refused = { error: { message: "m1 does not support tools", code: "invalid_request_error" } };
    const turns: readonly ScriptedTurn[] = [
      { status: 400, type: "application/json", error: JSON.stringify(refused) },
      { text: 'Thought: I write it.\nAction: write\nAction Input: {"path": "a.txt", "content": "one\\n"}' },
      { text: "Final Answer: Written." },
    ];
    const { rig, connection } = await rigWith({ turns });
    const session = await sessionIn(rig);
    session.changeModel({ name: "m1", connection: connection.id }, command());
    expect(await run(session)).toBe("done");
    expect(readFileSync(join(rig.root, "a.txt"), "utf8")).toBe("one\n");
    expect(rig.store.modelNotes.read().get("cellar:m1")?.note.toolMode).toEqual({ mode: "react", by: "server" });
    expect(rig.access.sessionModels.chooseModel({ name: "m1", connection: "cellar" })?.change.toolMode).toBe("react");
    expect(rig.access.sessionModels.chooseModel({ name: "m2", connection: "cellar" })?.change.toolMode).toBe("native");
  });

  test("is compacted to the window that its server lists, which is requested before the first answer", async () => {
    const summary = {
      when: "Write the summary now",
      turn: { text: "Goal: read two long texts. Done so far: the first. ".repeat(4) },
    };
    const { rig, connection } = await rigWith({ context: 8_192, side: summary });
    const session = await sessionIn(rig);
    session.changeModel({ name: "m1", connection: connection.id }, command());
    const long = "A line of words that is read and then forgotten.\n".repeat(300);
    expect(await run(session, `First: ${long}`)).toBe("done");
    expect(await run(session, `Second: ${long}`)).toBe("done");
    expect(errorsOf(session)).toEqual([]);
    expect(pathEntries(session.view).map(({ kind }) => kind)).toContain("compaction");
    // None was refused: each was streamed.
    expect(chats(rig).filter(({ events }) => events === 0)).toEqual([]);
    const last = chats(rig).at(-1);
    expect(last?.end).toBe("ok");
    expect(last?.raw).toContain("Second: ");
  });

  test("reports a removed connection, and continues with another model", async () => {
    const { rig, connection } = await rigWith();
    await rig.access.models.refresh(timeLimit(5_000));
    const session = await sessionIn(rig);
    session.changeModel({ name: "m1", connection: connection.id }, command());
    expect(rig.access.connections.remove("cellar")).toEqual({ ok: true, value: null });
    expect(await run(session)).toBe("error");
    expect(errorsOf(session)).toEqual([{ code: "model_missing", facts: { model: "m1", provider: "cellar" } }]);
    expect(session.changeModel({ name: "m1", connection: "cellar" }, command())).toMatchObject({
      error: { code: "model_missing" },
    });
    session.changeModel({ name: "m2" }, command());
    expect(await run(session, "go on")).toBe("done");
    expect(session.view.model).toMatchObject({ provider: "ollama", model: "m2" });
    expect(readFileSync(join(rig.home, "keys.json"), "utf8")).toBe("{}\n");
    expect(rig.pushes.at(-1)).not.toMatchObject({ type: "connections", connections: [connection] });
  });

  test("waits in the queue while the same machine serves another session", async () => {
    const { rig, connection } = await rigWith({ turns: [{ text: "one two", holdAfter: 1 }] });
    await rig.access.models.refresh(timeLimit(5_000));
    const [first, second] = [await sessionIn(rig), await sessionIn(rig)];
    first.changeModel({ name: "m1" }, command());
    second.changeModel({ name: "m1", connection: connection.id }, command());
    const firstRun = run(first);
    await rig.model.waitFor(() => chats(rig, "/api/chat").some(({ events }) => events === 1));
    const queued = new Promise<void>((resolve) => {
      second.subscribe(({ event }) => event.type === "phase" && event.phase === "queued" && resolve());
    });
    const secondRun = run(second);
    await queued;
    expect(chats(rig)).toEqual([]);
    rig.model.release();
    expect([await firstRun, await secondRun]).toEqual(["done", "done"]);
    expect(chats(rig)).toHaveLength(1);
  });
});

test("an internet service gets four concurrent requests, a local server one", async () => {
  const { rig, connection } = await rigWith();
  const { id } = saved(rig, { name: "Far", preset: "openrouter", baseUrl: "https://openrouter.ai/api/v1" });
  const { servers, queue } = rig.access;
  for (const [one, places] of [
    [id, 4],
    [connection.id, 1],
  ] as const) {
    const host = servers.get(one)?.host() ?? "";
    const stop = new AbortController();
    const entered = await Promise.all(Array.from({ length: places }, () => queue.enter(host, "who", stop.signal)));
    const ahead = new Promise<number>((resolve) => {
      queue.enter(host, "late", stop.signal, resolve).catch(() => {});
    });
    expect(await ahead).toBe(places);
    stop.abort();
    for (const release of entered) release();
    expect(queue.isBusy(host)).toBe(false);
  }
});

describe("the window at a connection", () => {
  const windowOf = ({ access }: ModelRig, name = "m1") =>
    access.sessionModels.chooseModel({ name, connection: "cellar" })?.change.numCtx;

  test("is a conservative default until the server reports its own", async () => {
    const { rig } = await rigWith();
    expect(windowOf(rig)).toBe(connectionWindowTokens);
    await rig.access.connections.ready("cellar");
    expect(windowOf(rig)).toBe(8_192);
    expect(windowOf(rig, "not-on-the-list")).toBe(connectionWindowTokens);
  });

  test("is the user's choice, limited by the server's value", async () => {
    const { rig } = await rigWith({}, { numCtx: 16_384 });
    expect(windowOf(rig)).toBe(16_384);
    await rig.access.connections.ready("cellar");
    expect(windowOf(rig)).toBe(8_192);
    rig.access.sessionModels.chooseModel({ name: "m1", connection: "cellar", numCtx: 4_096 });
    expect(windowOf(rig)).toBe(4_096);
    expect(windowOf(rig, "m2")).toBe(8_192);
  });
});

describe("new sessions", () => {
  const chosen = ({ access }: ModelRig) => access.sessionModels.chooseModel({ name: "" })?.change;

  test("use the connection of the settings, and Ollama when it is gone", async () => {
    const { rig } = await rigWith();
    await rig.access.models.refresh(timeLimit(5_000));
    rig.settings.current = { ...rig.settings.current, connection: "cellar" };
    expect(chosen(rig)).toMatchObject({ provider: "cellar", model: "m1" });
    rig.access.connections.remove("cellar");
    expect(chosen(rig)).toMatchObject({ provider: "ollama" });
  });

  test("use the model of --model", async () => {
    const { rig } = await rigWith({}, {}, { named: "cellar/m2" });
    expect(chosen(rig)).toMatchObject({ provider: "cellar", model: "m2" });
  });

  test("never use an internet service's model that the user did not choose", async () => {
    const { rig } = await rigWith({}, { baseUrl: "https://llm.invalid/v1", model: "" });
    rig.settings.current = { ...rig.settings.current, connection: "cellar" };
    expect(rig.access.connections.list()).toMatchObject([{ local: false }]);
    expect(chosen(rig)).toBeUndefined();
  });
});

describe("connections", () => {
  test("from the environment are listed automatically and cannot be changed", async () => {
    const { rig } = await rigWith(
      {},
      {},
      {
        environment: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1/`, OPENAI_API_KEY: key }),
      },
    );
    const { connections } = rig.access;
    expect(connections.list()).toMatchObject([
      { id: "cellar" },
      { id: "environment", preset: "custom", key: { from: "environment", name: "OPENAI_API_KEY" }, local: true },
    ]);
    const change = { id: "environment", name: "Mine", preset: "custom", baseUrl: "x.org", model: "", numCtx: 0 };
    expect(connections.save(change)).toEqual({ ok: false, error: { code: "not_allowed" } });
    expect(connections.remove("environment")).toEqual({ ok: false, error: { code: "not_allowed" } });
    expect(await connections.models({ id: "environment" })).toMatchObject({ value: [{ name: "m1" }, { name: "m2" }] });
    expect(everywhere(rig)).not.toContain(key);
  });

  test("survive a restart with their keys, and an id is not reused for another server", async () => {
    const { rig } = await rigWith();
    const again = saved(rig, { name: "cellar", key });
    expect(again.id).toBe("cellar-2");
    rig.access.connections.remove("cellar");
    expect(saved(rig, { baseUrl: "http://127.0.0.1:9/v1" }).id).toBe("cellar-3");
    expect(saved(rig, {})).toMatchObject({ id: "cellar", key: { from: "none" } });
    const next = makeConnections({
      environment: {},
      store: rig.store.connections,
      keys: createSecrets(rig.home).in("connections"),
      notes: { read: () => new Map(), write: () => {} },
      choices: { of: () => ({}), change: () => Promise.resolve(ok(null)) },
      settings: () => settingsDefaults,
      onChange: () => {},
      onState: () => {},
      onPull() {},
      log: () => {},
    });
    const sorted = ({ list }: Connections) => list().toSorted((one, two) => one.id.localeCompare(two.id));
    expect(sorted(next)).toEqual(sorted(rig.access.connections));
    expect(sorted(next).map(({ id, key: { from } }) => [id, from])).toEqual([
      ["cellar", "none"],
      ["cellar-2", "file"],
      ["cellar-3", "none"],
    ]);
  });

  test("are listed in the user's order, and a change of the order is pushed to clients", async () => {
    const { rig } = await rigWith({}, {}, { environment: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1` }) });
    saved(rig, { name: "attic" });
    const idsOf = (list: readonly Connection[]) => list.map(({ id }) => id);
    const { connections } = rig.access;
    expect(idsOf(connections.list())).toEqual(["cellar", "attic", "environment"]);
    const before = rig.settings.current;
    rig.settings.current = { ...before, connectionOrder: ["environment", "attic"] };
    rig.access.settingsChanged(rig.settings.current, before);
    const pushed = rig.pushes.at(-1);
    expect(pushed?.type === "connections" ? idsOf(pushed.connections) : pushed?.type).toEqual([
      "environment",
      "attic",
      "cellar",
    ]);
    saved(rig, { name: "barn" });
    expect(idsOf(connections.list())).toEqual(["environment", "attic", "cellar", "barn"]);
  });

  test("lose their key when their address changes to another server", async () => {
    const { rig, connection } = await rigWith();
    const { key: _key, local: _local, ...draft } = connection;
    const { connections } = rig.access;
    const keyAfter = (change: Partial<ConnectionInput>) => {
      const result = connections.save({ ...draft, ...change });
      return result.ok ? result.value.key.from : result.error.code;
    };
    expect(keyAfter({ name: "Attic", baseUrl: `${rig.model.url}/v2` })).toBe("file");
    expect(keyAfter({ baseUrl: "http://127.0.0.1:9/v1" })).toBe("none");
    expect(createSecrets(rig.home).in("connections").get(draft.id)).toBeNull();
    expect(keyAfter({ key })).toBe("file");
    expect(keyAfter({ baseUrl: "http://127.0.0.1:9/v1", key: "sk-of-the-other-0000" })).toBe("file");
    expect(createSecrets(rig.home).in("connections").get(draft.id)).toBe("sk-of-the-other-0000");
  });

  test("are listed, used and saved although the key file cannot be read", async () => {
    const { rig } = await rigWith();
    const logged: string[] = [];
    const broken = (): never => {
      throw new Error("no permission");
    };
    const connections = makeConnections({
      environment: {},
      store: rig.store.connections,
      keys: { get: broken, set: broken },
      notes: { read: () => new Map(), write: () => {} },
      choices: { of: () => ({}), change: () => Promise.resolve(ok(null)) },
      settings: () => settingsDefaults,
      onChange: () => {},
      onState: () => {},
      onPull() {},
      log: (line) => void logged.push(line),
    });
    expect(connections.list()).toMatchObject([{ id: "cellar", key: { from: "none" } }]);
    expect(await connections.models({ id: "cellar" })).toMatchObject({ error: { code: "key_refused" } });
    expect(logged).toEqual(["keys of connections: no permission"]);
    const { key: _key, local: _local, ...draft } = connections.list()[0] ?? saved(rig, {});
    expect(() => connections.save({ ...draft, model: "m2", key })).toThrow("no permission");
    expect(connections.list()).toMatchObject([{ model: "m2" }]);
  });

  test("are listed and tested as drafts; a typed key is not stored, a stored one goes to its own server only", async () => {
    const turns: readonly ScriptedTurn[] = [
      { text: "ready" },
      { text: "", toolCalls: [{ name: "echo", arguments: { text: "ready" } }] },
    ];
    const { rig, connection } = await rigWith({ turns });
    const { connections } = rig.access;
    const { id, baseUrl } = connection;
    const draft = { name: "New", preset: "custom", baseUrl, model: "m1", numCtx: 0, key };
    const before = everywhere(rig);
    expect(await connections.models({ draft })).toMatchObject({ value: [{ name: "m1" }, { name: "m2" }] });
    expect(await connections.test({ draft })).toMatchObject({
      value: { steps: ["reach", "key", "model", "answer", "tools"].map((step) => ({ step, ok: true })) },
    });
    expect(connections.list()).toHaveLength(1);
    expect(everywhere(rig)).toBe(before);
    const { key: _key, ...keyless } = draft;
    expect(await connections.models({ draft: { ...keyless, id } })).toMatchObject({ ok: true });
    const elsewhere = baseUrl.replace("127.0.0.1", "localhost");
    expect(await connections.models({ draft: { ...keyless, id, baseUrl: elsewhere } })).toMatchObject({
      error: { code: "key_refused" },
    });
    expect(await connections.models({ draft: { ...draft, baseUrl: "ftp://x" } })).toMatchObject({
      error: { code: "bad_input" },
    });
  });

  test("are tested step by step, and so is their model", async () => {
    const turns: readonly ScriptedTurn[] = [
      { text: "ready" },
      { text: "", toolCalls: [{ name: "echo", arguments: { text: "ready" } }] },
    ];
    const { rig } = await rigWith({ turns });
    expect(await rig.access.connections.test({ id: "cellar" })).toMatchObject({
      value: { steps: ["reach", "key", "model", "answer", "tools"].map((step) => ({ step, ok: true })) },
    });
    expect(await rig.access.connections.test({ id: "nobody" })).toEqual({ ok: false, error: { code: "not_found" } });
    expect(await rig.doctor.start("cellar", "m1")).toMatchObject({ ok: true });
    const { report } = await rig.doctorResult();
    expect(report?.steps.find(({ step }) => step === "load")?.state).toBe("skipped");
    expect(rig.store.modelNotes.read().get("cellar:m1")?.note.doctor).toEqual(report);
  });
});
