import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type Script, type ScriptedModel, startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import type { ModelServerState, PullState } from "@/lib/models/models";
import { makeOllama } from "@/server/providers/ollama/ollama";
import { ok } from "@/lib/events/error";
import { killProcess } from "@/lib/testing/test-process";
import { makeUserModelSettings } from "../notes/user-model-settings";
import { makeOllamaService, type OllamaService } from "./ollama-service";
import type { ModelNoteRecord, NoteStorage } from "../notes/model-note-cache";
import { serverEnvironment } from "./start-ollama-server";

const idle = (): AbortSignal => new AbortController().signal;
const scriptedModel = fileURLToPath(new URL("../../../e2e/fixtures/scripted-model.mjs", import.meta.url));

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "gopi-models-"));
  undo.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Records calls, and waits for more of them. */
function recorder<T>() {
  const all: T[] = [];
  const waiting = new Set<() => void>();
  return {
    all,
    tell(value: T): void {
      all.push(value);
      for (const check of [...waiting]) check();
    },
    until: (check: (value: T) => boolean): Promise<T> =>
      new Promise((resolve) => {
        const checkValues = (): void => {
          const found = all.find(check);
          if (found === undefined) return;
          waiting.delete(checkValues);
          resolve(found);
        };
        waiting.add(checkValues);
        checkValues();
      }),
  };
}

/** Notes in memory, in the form of the store. */
function makeStorage(): NoteStorage & { readonly kept: Map<string, ModelNoteRecord> } {
  const records = new Map<string, ModelNoteRecord>();
  return { kept: records, read: () => records, write: (key, note) => void records.set(key, note) };
}

async function setUp(host: () => string, environment: NodeJS.Dict<string> = { PATH: "" }, notes = makeStorage()) {
  const states = recorder<ModelServerState>();
  const pulls = recorder<PullState>();
  const models: OllamaService = makeOllamaService({
    provider: makeOllama({ host }),
    host,
    onState: states.tell,
    onPull: pulls.tell,
    environment,
    notes,
    choices: makeUserModelSettings({ read: () => [], write: () => Promise.resolve(ok(null)), onChange: () => {} }),
    settingTokens: () => 0,
    memoryBytes: () => 32 * 2 ** 30,
    serverLog: join(await folder(), "ollama.log"),
    pollMs: 10,
    searchMs: 10,
  });
  undo.push(() => models.close());
  return { models, states, pulls };
}

async function server(script: Script = {}, port?: number): Promise<ScriptedModel> {
  const started = await startScriptedModel({ ...script, port });
  undo.push(() => started.close());
  return started;
}

const freePort = async (): Promise<number> => {
  const blocker = await startScriptedModel();
  await blocker.close();
  return Number(new URL(blocker.url).port);
};

describe("the state of the model server", () => {
  it("is unknown before the first query, and no query is made unasked", async () => {
    const model = await server();
    const { models } = await setUp(() => model.url);
    expect(models.state()).toMatchObject({ status: "unknown", host: model.url, models: [], loaded: [] });
    expect(models.isLoaded("scripted:latest", 4096)).toBeUndefined();
    expect(model.requests).toEqual([]);
  });

  const listed = {
    name: "scripted:latest",
    size: 4_700_000_000,
    family: "scripted",
    parameters: "8B",
    quantization: "Q4_K_M",
    contextLength: 32_768,
    capabilities: ["completion", "tools"],
    cloud: false,
  };
  it.each([false, true])("lists version and models (a server before 0.30: %s)", async (older) => {
    const model = await server({ version: "0.32.1", context: 32_768, capabilities: ["completion", "tools"], older });
    const { models, states } = await setUp(() => model.url);
    const state = await models.refresh(idle());
    expect(state).toMatchObject({ status: "ready", version: "0.32.1", canStart: false, models: [listed] });
    expect(states.all).toEqual([state]);
    await models.shapesReady(idle());
    await models.refresh(idle());
    await models.shapesReady(idle());
    // Each model's details once for its shape, and a second time where the list lacks facts.
    expect(model.requests.filter(({ path }) => path === "/api/show")).toHaveLength(older ? 2 : 1);
    expect(states.all).toEqual([state]);
  });

  it("is reported only when it changed", async () => {
    const model = await server();
    const { models, states } = await setUp(() => model.url);
    await models.refresh(idle());
    await models.refresh(idle());
    expect(states.all).toHaveLength(1);
  });

  it("marks a remote model by its host or its tag", async () => {
    const tags = [{ name: "a:1b", remote_host: "https://ollama.com" }, { name: "b:1b-cloud" }, { name: "cloud:1b" }];
    const model = await server({ fixed: { "GET /api/tags": { body: { models: tags } } } });
    const { models } = await setUp(() => model.url);
    expect((await models.refresh(idle())).models.map(({ cloud }) => cloud)).toEqual([true, true, false]);
  });

  it("is unreachable with the reason where nothing answers", async () => {
    const port = await freePort();
    const { models } = await setUp(() => `localhost:${port}`);
    const state = await models.refresh(idle());
    expect(state).toMatchObject({ status: "unreachable", error: { code: "server_unreachable" }, canStart: false });
    expect(models.isLoaded("scripted:latest", 4096)).toBe(false);
  });

  it("is unreachable where another program answers, and for an invalid address", async () => {
    const model = await server({
      fixed: { "GET /api/version": { type: "text/html", body: "<html>Router login</html>" } },
    });
    const router = await setUp(() => model.url);
    expect(await router.models.refresh(idle())).toMatchObject({
      status: "unreachable",
      error: { code: "bad_answer", detail: "Router login" },
    });
    const nothing = await setUp(() => "ftp://box");
    expect(await nothing.models.refresh(idle())).toMatchObject({ status: "unreachable", error: { code: "bad_input" } });
  });

  it("contains no credentials", async () => {
    const model = await server();
    const { models } = await setUp(() => model.url.replace("//", "//me:secret@"));
    expect(await models.refresh(idle())).toMatchObject({ status: "ready", host: model.url });
  });

  it("follows the server's start and end while watched, and keeps its models", async () => {
    const port = await freePort();
    const { models, states } = await setUp(() => `http://127.0.0.1:${port}`);
    const stopWatching = models.watch();
    const lookToo = models.watch();
    await states.until(({ status }) => status === "unreachable");
    const model = await server({}, port);
    await states.until(({ status }) => status === "ready");
    stopWatching();
    stopWatching();
    await model.close();
    const unreachable = await states.until((state) => state.status === "unreachable" && state.models.length > 0);
    expect(unreachable).toMatchObject({ models: [{ name: "scripted:latest" }], loaded: [] });
    lookToo();
  });

  it("is not polled any more when the last watcher stops", async () => {
    const model = await server();
    const { models } = await setUp(() => model.url);
    const stopWatching = models.watch();
    await model.waitFor((requests) => requests.length >= 6);
    stopWatching();
    await models.refresh(idle());
    await models.shapesReady(idle());
    const requestCount = model.requests.length;
    const longerMs = 50;
    await new Promise((later) => setTimeout(later, longerMs));
    expect(model.requests).toHaveLength(requestCount);
  });

  it("releases a waiting caller at once when it aborts", async () => {
    const model = await server();
    const { models } = await setUp(() => model.url);
    await expect(models.refresh(AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  });
});

describe("models in memory", () => {
  it("are warmed with the window of an answer, listed with it, and unloaded", async () => {
    const model = await server();
    const { models } = await setUp(() => model.url);
    await models.warm("scripted:latest", 8192, 30, idle());
    expect(models.state().loaded).toEqual([
      { name: "scripted:latest", size: 6e9, vramShare: 0.75, contextLength: 8192, expiresAt: Date.UTC(2030, 0) },
    ]);
    expect([
      models.isLoaded("scripted", 8192),
      models.isLoaded("scripted", 4096),
      models.isLoaded("other", 8192),
    ]).toEqual([true, false, false]);
    await models.unload("scripted:latest", idle());
    expect(models.state().loaded).toEqual([]);
  });
});

describe("a download", () => {
  it("is reported as one progress state, and the model is listed after it", async () => {
    const model = await server();
    const { models, states, pulls } = await setUp(() => model.url);
    expect(models.pull("new:1b")).toMatchObject({ name: "new:1b", status: "starting" });
    const done = await pulls.until(({ status }) => status === "done");
    expect(done).toEqual({ name: "new:1b", status: "done", completedBytes: 1000, totalBytes: 1000, bytesPerSecond: 0 });
    expect(pulls.all.map(({ status }) => status)).toEqual(["starting", "downloading", "verifying", "done"]);
    await states.until((state) => state.models.some(({ name }) => name === "new:1b"));
    expect(models.pulls()).toEqual([done]);
  });

  it("runs once, however often it is requested", async () => {
    const model = await server({ pullTurn: { holdAfter: 3 } });
    const { models, pulls } = await setUp(() => model.url);
    models.pull("new:1b");
    await model.waitFor(([first]) => first?.events === 3);
    models.pull("new:1b");
    model.release();
    await pulls.until(({ status }) => status === "done");
    expect(model.requests.filter(({ path }) => path === "/api/pull")).toHaveLength(1);
  });

  it("stops when cancelled and resumes when requested again, even at once", async () => {
    const model = await server({ pullTurn: { holdAfter: 3 } });
    const { models, pulls } = await setUp(() => model.url);
    models.pull("new:1b");
    await pulls.until(({ status }) => status === "downloading");
    expect(models.cancelPull("new:1b")).toBe(true);
    models.pull("new:1b");
    await pulls.until(({ status }) => status === "cancelled");
    await model.waitFor(([first, second]) => first?.end === "aborted" && second?.events === 3);
    model.release();
    await pulls.until(({ status }) => status === "done");
    expect(models.cancelPull("new:1b")).toBe(false);
  });

  it.each([
    [
      "an unknown name",
      { pull: [{ status: "pulling manifest" }, { error: "pull model manifest: file does not exist" }] },
      "model_missing",
    ],
    ["a full disk", { pull: [{ error: "write /blobs/x: no space left on device" }] }, "disk_full"],
    ["a refusal", { pullTurn: { status: 500, error: "boom" } }, "server_error"],
    ["a broken connection", { pullTurn: { disconnectAfter: 3 } }, "connection_lost"],
    ["an end without success", { pull: [{ status: "pulling manifest" }] }, "incomplete"],
  ])("fails at %s", async (_name, script: Script, code) => {
    const model = await server(script);
    const { models, pulls } = await setUp(() => model.url);
    models.pull("new:1b");
    expect(await pulls.until(({ status }) => status === "failed")).toMatchObject({ error: { code } });
  });

  it("ends with the program", async () => {
    const model = await server({ pullTurn: { holdAfter: 2 } });
    const { models, pulls } = await setUp(() => model.url);
    models.pull("new:1b");
    await model.waitFor(([first]) => first?.events === 2);
    await models.close();
    expect(pulls.all.at(-1)?.status).toBe("cancelled");
  });
});

describe("starting the server", () => {
  /** A folder with a program named ollama that runs these lines. */
  async function program(lines: string): Promise<string> {
    const path = await folder();
    await writeFile(join(path, "ollama"), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return path;
  }
  const path = (first: string): string => [first, dirname(process.execPath), "/usr/bin", "/bin"].join(":");

  it("waits until it answers, gives it a filtered environment, and lets it outlive this process", async () => {
    const port = await freePort();
    const place = await program(
      `env > "$0.env"; [ "$1" = serve ] && exec node "${scriptedModel}" --port "\${OLLAMA_HOST##*:}"`,
    );
    const environment = {
      PATH: path(place),
      HOME: place,
      OLLAMA_MODELS: "/models",
      OLLAMA_API_KEY: "k",
      OPENAI_API_KEY: "k",
      MY_TOKEN: "t",
      X: "y",
    };
    const { models } = await setUp(() => `0.0.0.0:${port}`, environment);
    expect(await models.refresh(idle())).toMatchObject({ status: "unreachable", canStart: true });
    const started = await models.startServer(idle());
    const pid = models.startedPid() ?? 0;
    undo.push(() => killProcess(-pid));
    expect(started).toMatchObject({ ok: true, value: { status: "ready", canStart: false } });
    await models.close();
    expect(process.kill(pid, 0)).toBe(true);
    const variables = (await readFile(join(place, "ollama.env"), "utf8"))
      .split("\n")
      .map((line) => line.replace(/=.*/, ""));
    const own = variables.filter((name) => !["", "PWD", "OLDPWD", "SHLVL", "_"].includes(name)).sort();
    expect(own).toEqual(["HOME", "OLLAMA_HOST", "OLLAMA_MODELS", "PATH"]);
  });

  it("returns the program's output when it ends at once", async () => {
    const port = await freePort();
    const place = await program("echo 'Error: no space for models' >&2; exit 1");
    const { models } = await setUp(() => `127.0.0.1:${port}`, { PATH: path(place) });
    const failed = { ok: false, error: { code: "start_failed", detail: "Error: no space for models" } };
    expect(await models.startServer(idle())).toEqual(failed);
  });

  it("starts nothing where a server already answers", async () => {
    const model = await server();
    const place = await program("exit 1");
    const { models } = await setUp(() => model.url, { PATH: path(place) });
    expect(await models.startServer(idle())).toMatchObject({ ok: true, value: { status: "ready" } });
    expect(models.startedPid()).toBeUndefined();
  });

  it.each([
    ["another machine", "192.0.2.1:11434"],
    ["an invalid address", "ftp://x"],
    ["TLS", "https://localhost:11434"],
  ])("is not possible at %s", async (_name, host) => {
    const { models } = await setUp(() => host, { PATH: path(await program("exit 0")) });
    expect(await models.startServer(idle())).toMatchObject({ ok: false, error: { code: "start_failed" } });
  });

  it("ignores relative folders of PATH", async () => {
    const { models } = await setUp(() => "127.0.0.1:1", { PATH: ":.:bin" });
    expect(await models.startServer(idle())).toMatchObject({ ok: false, error: { code: "start_failed" } });
  });

  it("passes the full address, so that no default port applies", () => {
    expect(serverEnvironment({}, "http://me:pw@127.0.0.1:80/x")).toEqual({ OLLAMA_HOST: "http://127.0.0.1:80" });
  });
});
