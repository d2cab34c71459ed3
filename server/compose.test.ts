/** The composition of the product: every command is answered, and a feature fails alone. */
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import { ok } from "@/lib/events/error";
import { asId, type ClientId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import { type CommandName, commands } from "@/lib/protocol/command";
import type { ContextSource } from "./agent/context/context-source";
import { startCore } from "./compose";
import { defineFeature, type Feature, type FeatureEntry, type FeatureHost } from "./features/feature";
import { featureList } from "./features/feature-list";
import type { SessionServices } from "./session/core/services";
import { builtInSources } from "./session/context/sources/built-in-sources";
import { temporaryHome } from "./store/__fixtures__/home";
import { openStore } from "./store/open-store";
import { builtInSource } from "./tools/core/built-in-source";
import { type Tool, ToolError } from "./tools/core/tool";
import { untilAborted } from "./base/abort";
import { makeServerLog } from "./base/server-log";
import type { ToolSource } from "./tools/core/tool-source";
import { readTool } from "./tools/read/read";
import { loopbackNames } from "./transport/auth/guard";
import { isTemporaryName } from "./workspace/files/write-file";
import { makeCleanupJournal } from "./workspace/shell/cleanup-journal";

/** The real composition over a new home; `features` replaces the list. */
async function makeTestCore(features: readonly FeatureEntry[] = featureList, modelServer = "http://127.0.0.1:1") {
  const home = temporaryHome();
  const opened = openStore({ home, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.code);
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const logged: string[] = [];
  const core = startCore({
    store: opened.value,
    http,
    listenAddress: () => ({ port, names: loopbackNames }),
    home,
    version: "0.0.0",
    environment: { NODE_ENV: "test", PATH: process.env.PATH, HOME: home, OLLAMA_HOST: modelServer },
    bearer: "bearer-of-the-test",
    leftovers: makeCleanupJournal(home, isTemporaryName),
    model: null,
    lan: null,
    ui: join(home, "ui"),
    machine: () => [],
    features,
    serverLog: makeServerLog((line) => void logged.push(line), Date.now),
    log: (line) => void logged.push(line),
  });
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= core.close());
  onTestFinished(async () => {
    await close();
    http.close();
    opened.value.close();
  });
  const call = (name: string, input: unknown = {}) => core.call(name, input, "bearer");
  return { core, call, close, store: opened.value, logged: () => logged.join("\n") };
}

test("an uncaught error of a page and an unexpected one of a command are counted", async () => {
  const { call, logged } = await makeTestCore();
  expect(await call("app.log")).toMatchObject({ ok: true, value: { errors: 0 } });
  await call("app.report_error", { text: "TypeError: x is null\n  at page.js" });
  const text = "page: TypeError: x is null\n  at page.js";
  expect(await call("app.log")).toMatchObject({ ok: true, value: { errors: 1, lines: [{ level: "error", text }] } });
  expect(logged()).toContain("at page.js");
});

/** An entry that counts how often its code is loaded. */
function countedFeature(feature: Feature) {
  let loads = 0;
  const entry: FeatureEntry = {
    name: "counted",
    commands: ["models.cancel_doctor"],
    async load() {
      loads += 1;
      return () => feature;
    },
  };
  return { entry, loads: () => loads };
}

const cancelled = { "models.cancel_doctor": () => ok(null) };

test("every command has a handler", async () => {
  const { call } = await makeTestCore();
  // Input that no schema accepts, so that nothing runs.
  for (const name of Object.keys(commands))
    expect([name, await call(name, null)]).toMatchObject([name, { error: { code: "bad_input" } }]);
});

test("the welcome loads no feature, and the first command of a feature loads it once", async () => {
  const { entry, loads } = countedFeature({ commands: cancelled });
  const { core, call } = await makeTestCore([entry]);
  expect(await call("app.welcome")).toMatchObject({ ok: true, value: { shares: [] } });
  core.isInUse();
  expect(loads()).toBe(0);
  const both = [call("models.cancel_doctor"), call("models.cancel_doctor")];
  expect(await Promise.all(both)).toEqual([ok(null), ok(null)]);
  expect(loads()).toBe(1);
});

test("a feature that starts without a command is loaded only if it has work", async () => {
  const loaded: string[] = [];
  const entry = (name: string, startAfterMs: number, hasWork: boolean): FeatureEntry => ({
    name,
    commands: [],
    startAfterMs,
    hasWork: () => hasWork,
    load: async () => {
      loaded.push(name);
      return () => ({ start: async () => done() });
    },
  });
  let done = (): void => {};
  const last = new Promise<void>((resolve) => (done = resolve));
  await makeTestCore([entry("idle", 1, false), entry("busy", 2, true)]);
  await last;
  expect(loaded).toEqual(["busy"]);
});

test("the sources of a feature are used while it is loaded, after the built-in ones", async () => {
  const toolSource: ToolSource = { id: "counted", budgetTokens: null, tools: () => [] };
  const contextSource: ContextSource = {
    topic: "tree",
    kind: "notice",
    order: {},
    resend: "when_due",
    text: () => null,
  };
  const { entry } = countedFeature({
    commands: cancelled,
    toolSources: [toolSource],
    contextSources: [contextSource],
  });
  const used: SessionServices[] = [];
  const { call } = await makeTestCore([
    entry,
    {
      name: "observer",
      commands: ["share.open"],
      load: async () => (host) => {
        used.push(host.services);
        return {};
      },
    },
  ]);
  await call("share.open");
  const lastSources = () =>
    used.map((host) => [host.toolSources().at(-1)?.id, host.contextSources(asId<ProjectId>("none")).at(-1)?.topic]);
  expect(lastSources()).toEqual([["built-in", builtInSources.at(-1)?.topic]]);
  await call("models.cancel_doctor");
  expect(lastSources()).toEqual([["counted", "tree"]]);
});

describe("the stored prompt of a new session", () => {
  const echo: Tool = { ...readTool, name: "echo_text", description: () => "Echoes a text." };
  const toolSources: readonly ToolSource[] = [{ id: "echo", budgetTokens: null, tools: () => [echo] }];

  async function makeSessions(...features: readonly FeatureEntry[]) {
    const model = await startScriptedModel();
    onTestFinished(model.close);
    const test = await makeTestCore(features, model.url);
    const project = await test.core.projects.open(temporaryHome());
    if (!project.ok) throw new Error(project.error.code);
    const { id: projectId } = project.value.project;
    const tab = { id: asId<ClientId>("tab") };
    let commandIds = 0;
    const commandId = () => asId<CommandId>(`tools-${(commandIds += 1)}`);
    const { sessions } = test.core;
    /** Names of the tools in the prompt of a session that gets its model with `create` or with its first message. */
    const newPrompt = async (by: "create" | "send"): Promise<readonly string[]> => {
      const model = by === "create" ? { model: "scripted" } : {};
      const created = await sessions.create({ projectId, mode: "ask", commandId: commandId(), ...model }, tab);
      if (!created.ok) throw new Error(created.error.code);
      const { id: sessionId } = created.value.row;
      if (by === "send") {
        const sent = await sessions.send({ sessionId, commandId: commandId(), text: "hi", intent: "prompt" }, tab);
        if (!sent.ok) throw new Error(sent.error.code);
      }
      const session = sessions.get(sessionId);
      const prompt = session.ok ? session.value.view.model?.prompt : undefined;
      const stored = prompt === undefined ? undefined : test.store.blobs.get(prompt);
      return [
        ...Buffer.from(stored ?? "")
          .toString()
          .matchAll(/"name":"(\w+)"/g),
      ].map(([, name = ""]) => name);
    };
    return { ...test, newPrompt };
  }
  const builtIn = builtInSource.tools().map(({ name }) => name);
  const whole = [...builtIn, "echo_text", "toolbox"];

  test.each(["create", "send"] as const)("has the tools of a feature that was not loaded before (%s)", async (by) => {
    const offering = countedFeature({ commands: cancelled, toolSources });
    const other = countedFeature({});
    const { newPrompt } = await makeSessions(
      { ...offering.entry, offersTools: true },
      { ...other.entry, name: "other", commands: [] },
    );
    expect(offering.loads()).toBe(0);
    expect(await newPrompt(by)).toEqual(whole);
    expect(await newPrompt(by)).toEqual(whole);
    expect([offering.loads(), other.loads()]).toEqual([1, 0]);
  });

  test.each<readonly [reason: string, load: FeatureEntry["load"], logged: string]>([
    ["cannot be loaded", () => Promise.reject(new Error("no such file")), "could not be loaded"],
    ["does not finish loading", () => new Promise(() => {}), "did not load within 3000 ms"],
  ])("leaves out the tools of a feature that %s, and the log says so", async (_reason, load, reason) => {
    const working = countedFeature({ commands: cancelled, toolSources });
    const { newPrompt, logged } = await makeSessions(
      { name: "broken", commands: [], offersTools: true, load },
      { ...working.entry, offersTools: true },
    );
    expect(await newPrompt("create")).toEqual(whole);
    expect(await newPrompt("send")).toEqual(whole);
    expect(logged().split(`The feature broken ${reason}: new prompts leave out its tools.`)).toHaveLength(2);
  });
});

test("a feature learns at once that a project is not trusted any more, also when its folder is another one", async () => {
  const withdrawn: string[] = [];
  const feature: Feature = { commands: cancelled, trustWithdrawn: (id) => void withdrawn.push(id) };
  const { core, call, store } = await makeTestCore([countedFeature(feature).entry]);
  await call("models.cancel_doctor");
  const project = await core.projects.open(temporaryHome());
  if (!project.ok) throw new Error("no project");
  const { id } = project.value.project;
  await call("project.trust", { projectId: id, trusted: true });
  expect(withdrawn).toEqual([]);
  await call("project.trust", { projectId: id, trusted: false });
  expect(withdrawn).toEqual([id]);
  await call("project.trust", { projectId: id, trusted: true });
  await call("project.relink", { projectId: id, path: temporaryHome() });
  expect(store.projects.isTrusted(id)).toBe(false);
  expect(withdrawn).toEqual([id, id]);
});

test("the read roots of a feature are used while it is loaded, for decisions and by tools", async () => {
  const folder = temporaryHome();
  const hosts: FeatureHost[] = [];
  const observed = (name: string, command: CommandName, feature: (home: string) => Feature): FeatureEntry => ({
    name,
    commands: [command],
    load: async () => (host) => {
      hosts.push(host);
      return feature(host.home);
    },
  });
  const { core, call } = await makeTestCore([
    observed("observer", "share.open", () => ({})),
    observed("skills", "models.cancel_doctor", (home) => ({ commands: cancelled, readRoots: [join(home, "skills")] })),
  ]);
  await call("share.open");
  const project = await core.projects.open(folder);
  const [host] = hosts;
  if (!project.ok || host === undefined) throw new Error("no project");
  const { judge, toolEnvironment } = host.services;
  const tried = async (name: string): Promise<string> => {
    const target = join(host.home, name);
    const session = { root: folder, cwd: folder, mode: "plan", rules: [], approvedTools: new Map() } as const;
    const { decision } = await judge([{ kind: "read", target }], session);
    const { path } = toolEnvironment(project.value.project.id, asId<SessionId>("session"), folder);
    try {
      return `${decision.kind} ${path(target, "read").shown === target}`;
    } catch (error) {
      return `${decision.kind} ${error instanceof ToolError ? error.code : "unexpected"}`;
    }
  };
  expect(await tried("skills/pdf.md")).toBe("refuse protected");
  await call("models.cancel_doctor");
  expect(await tried("skills/pdf.md")).toBe("allow true");
  expect(await tried("server.json")).toBe("refuse protected");
});

test("every call asks while a feature with gates cannot be loaded", async () => {
  const hosts: FeatureHost[] = [];
  const observer = async () => (host: FeatureHost) => {
    hosts.push(host);
    return {};
  };
  const { call } = await makeTestCore([
    { name: "observer", commands: ["share.open"], load: observer },
    { name: "gates", commands: [], hasGates: true, load: () => Promise.reject(new Error("no such file")) },
  ]);
  await call("share.open");
  const gated = {
    projectId: asId<ProjectId>("p"),
    sessionId: asId<SessionId>("s"),
    mode: "full",
    tool: "bash",
    input: {},
  } as const;
  expect(await hosts[0]?.services.askGates(gated, new AbortController().signal)).toEqual({
    kind: "ask",
    note: { gate: "", reason: "gates", failure: "not_loaded" },
  });
});

test("any number of features wait for the shutdown without a warning of Node", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  let started = 0;
  const feature: Feature = {
    commands: {},
    async start(signal) {
      await untilAborted(signal);
    },
  };
  await makeTestCore(
    Array.from({ length: 12 }, (_, index) => ({
      name: `feature ${index}`,
      commands: [],
      startAfterMs: 0,
      load: async () => {
        started += 1;
        return () => feature;
      },
    })),
  );
  await expect.poll(() => started).toBe(12);
  // Node reports a warning in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

describe("a feature that fails", () => {
  const failed = (feature: string, detail: string) => ({
    ok: false,
    error: { code: "feature_failed", detail, facts: { feature } },
  });
  const broken: readonly FeatureEntry[] = [
    defineFeature({
      name: "unloadable",
      commands: ["models.doctor"],
      load: () => Promise.reject(new Error("no such file")),
    }),
    {
      name: "unstartable",
      commands: ["share.list"],
      load: async () => () => ({
        commands: { "share.list": () => ok({ shares: [] }) },
        start: () => Promise.reject(new Error("no such port")),
      }),
    },
    {
      name: "throwing",
      commands: ["share.create", "share.open"],
      load: async () => () => ({
        commands: {
          "share.open": () => {
            throw new Error("a bug in a handler");
          },
        },
        keepsAlive: () => {
          throw new Error("a bug in a query");
        },
        sessionListener: {
          removed: () => {
            throw new Error("a bug in a listener");
          },
        },
      }),
    },
  ];
  const working = featureList.filter(({ name }) => name === "history");

  test("to load is loaded again by the next command", async () => {
    let attempts = 0;
    const flaky: FeatureEntry = {
      name: "flaky",
      commands: ["share.list"],
      load: () => {
        attempts += 1;
        if (attempts === 1) return Promise.reject(new Error("too many open files"));
        return Promise.resolve(() => ({ commands: { "share.list": () => ok({ shares: [] }) } }));
      },
    };
    const { call } = await makeTestCore([flaky]);
    expect(await call("share.list")).toEqual(failed("flaky", "too many open files"));
    expect(await call("share.list")).toEqual(ok({ shares: [] }));
  });

  test("is answered with a code and logged, and the others work", async () => {
    const { core, call, logged } = await makeTestCore([...broken, ...working]);
    expect(await call("models.doctor", { model: "m" })).toEqual(failed("unloadable", "no such file"));
    expect(await call("share.open")).toEqual({ ok: false, error: { code: "internal", detail: "a bug in a handler" } });
    const answering = call("share.list");
    expect(core.isInUse()).toBe(true);
    await answering;
    await expect.poll(() => call("share.list")).toEqual(failed("unstartable", "no such port"));
    expect(core.isInUse()).toBe(false);
    const project = await core.projects.open(temporaryHome());
    if (!project.ok) throw new Error(project.error.code);
    const { id: projectId } = project.value.project;
    const tab = { id: asId<ClientId>("tab") };
    const created = await core.sessions.create({ projectId, mode: "ask", commandId: asId<CommandId>("one") }, tab);
    if (!created.ok) throw new Error(created.error.code);
    expect(await call("session.remove", { sessionId: created.value.row.id })).toEqual(ok(null));
    expect(await call("history.search", { query: "walrus" })).toMatchObject({ ok: true, value: { hits: [] } });
    expect(await call("app.welcome")).toMatchObject({ ok: true });
    for (const text of [
      "no such file",
      "no such port",
      "a bug in a handler",
      "a bug in a query",
      "a bug in a listener",
    ])
      expect(logged()).toContain(text);
  });
});

describe("at shutdown", () => {
  test("a feature gets the signal and is waited for", async () => {
    let hasEnded = false;
    const { entry } = countedFeature({
      commands: cancelled,
      async start(signal) {
        await once(signal, "abort");
        await new Promise((resolve) => setImmediate(resolve));
        hasEnded = true;
      },
    });
    const { call, close } = await makeTestCore([entry]);
    await call("models.cancel_doctor");
    await close();
    expect(hasEnded).toBe(true);
    expect(await call("models.cancel_doctor")).toEqual(ok(null));
  });

  test("a feature that does not stop is left behind", async () => {
    const { entry } = countedFeature({ commands: cancelled, start: () => new Promise(() => {}) });
    const { call, close, logged } = await makeTestCore([entry]);
    await call("models.cancel_doctor");
    await close();
    expect(logged()).toContain("did not stop");
  });

  test("a feature is not loaded any more", async () => {
    const { entry } = countedFeature({ commands: cancelled });
    const { call, close } = await makeTestCore([entry]);
    await close();
    expect(await call("models.cancel_doctor")).toMatchObject({ error: { code: "aborted" } });
  });
});
