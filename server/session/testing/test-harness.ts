/**
 * Test harness for sessions: a real store, project, tools and shell; only the model is a script with gates that the
 * test opens.
 */
import { toToolError } from "@/server/tools/core/to-tool-error";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Json, Usage } from "@/lib/events/content";
import { type AgentError, ok } from "@/lib/events/error";
import type { Think } from "@/lib/events/event";
import { asId, type ClientId, type CommandId, type SessionId } from "@/lib/events/id";
import type { Mode, Rule } from "@/lib/permissions/policy";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { type ModelState, pendingApprovals, type SessionView } from "@/lib/view/view";
import type { ModelFacts } from "@/lib/models/model-facts";
import type { StoredPrompt } from "@/lib/models/stored-prompt";
import { judgeAccesses } from "@/server/agent/tools/judge-accesses";
import { recoverInterruptedCommands, projectFileSnapshots } from "@/server/workspace/snapshots/project-file-snapshots";
import { openProjectFiles } from "@/server/workspace/files/project-files";
import type { ModelPart, ModelRequest } from "@/server/providers/provider";
import { isReadDenied } from "@/server/security/rules/path-rules";
import { openStore, type Store } from "@/server/store/open-store";
import { StoreError } from "@/server/store/core/store-error";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { composeToolSchemas, type ToolSource } from "@/server/tools/core/tool-source";
import type { Tool } from "@/server/tools/core/tool";
import type { FileTrash } from "@/server/workspace/files/file-trash";
import { makeToolEnvironments, type ToolEnvironments } from "@/server/workspace/projects/tool-environment";
import { makeProjects } from "@/server/workspace/projects/projects";
import { makeRegistry, type Registry } from "../loading/registry";
import { makeSessionService, type SessionService } from "../service/session-service";
import type { SessionServices } from "../core/services";
import type { Session } from "../core/session-types";
import { builtInSources } from "../context/sources/built-in-sources";

/** A point in a script at which it waits for the test. */
export interface Gate {
  readonly reached: Promise<void>;
  open(): void;
  pass(signal: AbortSignal): Promise<void>;
}

export function makeGate(): Gate {
  let reach = (): void => {};
  let open = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    reached,
    open,
    async pass(signal) {
      reach();
      const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      if (!signal.aborted) await Promise.race([opened, aborted]);
    },
  };
}

/** One answer of the model: its parts in order, and gates at which it waits. */
export type ScriptedAnswer = readonly (ModelPart | Gate)[];

const usage = { promptTokens: 0, outputTokens: 5, loadMs: 0, promptMs: 1, outputMs: 1 };
const finishPart = (stop: "done" | "length" = "done"): ModelPart => ({ type: "finish", stop, usage });

export const textAnswer = (text: string): ScriptedAnswer => [{ type: "text", text }, finishPart()];
export const callAnswer = (...list: readonly (readonly [name: string, input: Json])[]): ScriptedAnswer => [
  ...list.map(([name, input]): ModelPart => ({ type: "call", name, input })),
  finishPart(),
];
export const truncatedAnswer = (text: string): ScriptedAnswer => [{ type: "text", text }, finishPart("length")];
export const failureAnswer = (
  code: AgentError["code"],
  retryable: boolean,
  before: ScriptedAnswer = [],
): ScriptedAnswer => [...before, { type: "failed", error: { code }, retryable, retryAfterMs: 1 }];

export interface TestHarness {
  readonly store: Store;
  /** The project's folder. */
  readonly root: string;
  readonly home: string;
  /** Requests to the model, oldest first; copied when sent. */
  readonly requests: readonly ModelRequest[];
  /** Adds answers. A request without an answer is an error of the test. */
  script(...answers: readonly ScriptedAnswer[]): void;
  /** Replaces the answers that were not used yet. */
  replaceScript(...answers: readonly ScriptedAnswer[]): void;
  readonly settings: { current: Settings };
  readonly trash: FileTrash;
  projectFiles: SessionServices["projectFiles"];
  readonly storeErrors: readonly (unknown | null)[];
  /** Usage reports of the answers, in order. */
  readonly learned: readonly Usage[];
  registry(): Registry;
  /** The service over the current process. */
  sessions(): SessionService;
  /** A new session; its model has a window of `numCtx` tokens. */
  session(mode?: Mode): Session;
  /** Simulates a kill and a restart: nothing is closed, and the old process writes nothing any more. */
  restart(): void;
  /** Also restarts the open projects: file changes of a killed command are detected, as after a real start. */
  restartAll(): Promise<void>;
  /** The session in the current process. */
  reload(session: Session): Session;
}

export interface TestHarnessOptions {
  /**
   * The project is not listed yet when a session begins; null = still not listed. By default the tree is in the
   * snapshot.
   */
  readonly tree?: (maxTokens: number) => string | null;
  /** Unwatched sessions that stay in memory; default 0. */
  readonly sessionsKept?: number;
  readonly numCtx?: number;
  readonly think?: Think;
  /** The model can see images now; absent = it cannot. */
  readonly seesImages?: () => boolean;
  readonly tools?: readonly Tool[];
  /** Answers when the script is empty. */
  readonly answer?: (request: ModelRequest) => ScriptedAnswer;
  /** The prompt; absent = a short one with all tools. */
  readonly prompt?: StoredPrompt;
  /** The model server refuses native tools: the prompt for calls in the text; null = the user chose native. */
  readonly textPrompt?: StoredPrompt | null;
  /** Facts the model server reports; absent = the requested window. */
  readonly facts?: (model: ModelState) => ModelFacts;
}

let counted = 0;
/** A fresh command id. */
export const testCommandId = (): CommandId => asId<CommandId>(`k${(counted += 1)}`);
export const testTab = asId<ClientId>("tab1");

export async function makeTestHarness(options: TestHarnessOptions = {}): Promise<TestHarness> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "gopi-session-")));
  const root = join(home, "project");
  mkdirSync(root);
  const opened = openStore({ home, now: Date.now });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const settings = { current: settingsDefaults };
  const requests: ModelRequest[] = [];
  const answers: ScriptedAnswer[] = [];
  const troubles: (unknown | null)[] = [];
  const learned: Usage[] = [];
  const freshProjects = () => {
    let killed = false;
    const fileImages = failAfterKill(store, () => !killed).fileSnapshots;
    const made = makeProjects({
      record: (folder) => store.projects.open(folder, Date.now()),
      find: (id) => store.projects.get(id),
      protectedNames: () => settings.current.protectedNames,
      isDenied: (id, path) => isReadDenied(store.rules.list(id), path),
      push: () => {},
      snapshots: (id) =>
        projectFileSnapshots(
          {
            store: { ...store, fileSnapshots: fileImages },
            now: Date.now,
            recordFoundChanges: (sessionId, callId, states) =>
              void current.registry.get(sessionId)?.files.recordFoundChanges(callId, states),
            trouble: (error) => void troubles.push(error),
          },
          id,
        ),
    });
    return { ...made, kill: () => (killed = true) };
  };
  let projects = freshProjects();
  const project = await projects.open(root);
  if (!project.ok) throw new Error(project.error.code);
  const projectId = project.value.project.id;
  const toolSources = (): readonly ToolSource[] => [
    builtInSource,
    { id: "test", budgetTokens: null, tools: () => options.tools ?? [] },
  ];

  const process = (): { registry: Registry; toolEnvironments: ToolEnvironments; kill(): void } => {
    let killed = false;
    const living: Store = { ...store, ...failAfterKill(store, () => !killed) };
    const toolEnvironments = makeToolEnvironments({
      toolError: toToolError,
      store: living,
      projects,
      home,
      environment: { ...globalThis.process.env, HOME: home },
      settings: () => settings.current,
      now: Date.now,
    });
    const services: SessionServices = {
      store: living,
      now: Date.now,
      settings: () => settings.current,
      async *stream(request, signal) {
        requests.push(structuredClone(request));
        const answer = answers.shift() ?? options.answer?.(request);
        if (answer === undefined) throw new Error("the script has no answer to this request");
        for (const step of answer) {
          if ("pass" in step) await step.pass(signal);
          if (signal.aborted) return;
          if (!("pass" in step)) yield step;
        }
      },
      toolSources,
      contextSources: () => builtInSources,
      toolEnvironment: (id, sessionId, cwd) => toolEnvironments.make(id, sessionId, cwd),
      projectFiles: (id, sessionId) => openProjectFiles({ projects, trash: toolEnvironments.trash }, id, sessionId),
      judge: (input) => (accesses) =>
        judgeAccesses(accesses, {
          ...input,
          blockedWords: settings.current.blockedWords,
          protectedNames: settings.current.protectedNames,
          sandbox: "off",
        }),
      recordDecision: (decision) => store.decisions.add({ ...decision, at: Date.now() }),
      rules: (id) => store.rules.list(id),
      addRule: (rule: Rule) => void store.rules.add(rule),
      projectSnapshot: () => ({ text: "Project folder: /project", isTreePending: options.tree !== undefined }),
      projectTree: (_projectId, maxTokens) => options.tree?.(maxTokens) ?? null,
      noModelError: () => null,
      chooseModel: ({ name, toolMode = "auto", think = options.think ?? false }) => ({
        change: {
          provider: "ollama",
          model: name === "" ? "scripted" : name,
          toolMode: toolMode === "auto" ? "native" : toolMode,
          numCtx: options.numCtx ?? 16_384,
          think,
          profile: "default",
        },
        prompt: options.prompt ?? {
          system: "You are a coding agent.",
          tools: composeToolSchemas(toolSources(), "default"),
        },
      }),
      modelFacts: (model) => options.facts?.(model) ?? { window: model.numCtx, tokenRatio: 1 },
      learn: (_model, reported) => void learned.push(reported),
      learnCount: () => {},
      textToolMode: ({ provider, model, numCtx, think, profile }) =>
        options.textPrompt === undefined || options.textPrompt === null
          ? null
          : { change: { provider, model, numCtx, think, profile, toolMode: "xml" }, prompt: options.textPrompt },
      seesImages: () => options.seesImages?.() ?? false,
      reportStoreError: (error) => void troubles.push(error),
    };
    return {
      registry: makeRegistry(services, options.sessionsKept ?? 0),
      toolEnvironments,
      kill: () => (killed = true),
    };
  };

  let current = process();
  const dead: Registry[] = [];
  onTestFinished(async () => {
    await Promise.all([current.registry, ...dead].map((registry) => registry.close()));
    await projects.dispose();
    store.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    store,
    root,
    home,
    requests,
    script: (...more) => void answers.push(...more),
    replaceScript: (...next) => void answers.splice(0, answers.length, ...next),
    settings,
    get trash() {
      return current.toolEnvironments.trash;
    },
    projectFiles: (id, sessionId) =>
      openProjectFiles({ projects, trash: current.toolEnvironments.trash }, id, sessionId),
    storeErrors: troubles,
    learned,
    registry: () => current.registry,
    sessions: () =>
      makeSessionService({
        registry: current.registry,
        store,
        projects,
        access: { ensureListed: async () => {}, modelsFile: { ready: async () => ok(null) } },
        push: () => {},
        now: Date.now,
      }),
    session: (mode = "ask") => current.registry.create({ projectId, cwd: root, mode, commandId: testCommandId() }),
    restart() {
      current.kill();
      answers.length = 0;
      current = process();
    },
    async restartAll() {
      dead.push(current.registry);
      projects.kill();
      current.kill();
      answers.length = 0;
      projects = freshProjects();
      await projects.open(root);
      current = process();
      current.registry.recoverAll();
      await recoverInterruptedCommands(store, projects);
    },
    reload(session) {
      const found = current.registry.get(session.id);
      if (found === undefined) throw new Error(`session ${session.id} is gone`);
      return found;
    },
  };
}

/** Makes a killed process fail on every write. */
function failAfterKill(
  { events, fileSnapshots }: Store,
  alive: () => boolean,
): Pick<Store, "events" | "fileSnapshots"> {
  const checked = <I extends readonly unknown[], O>(write: (...input: I) => O) => {
    return (...input: I): O => {
      if (!alive()) throw new StoreError("not_found", "this process was killed");
      return write(...input);
    };
  };
  return {
    events: {
      ...events,
      commit: checked(events.commit),
      create: checked(events.create),
      checkpoint: checked(events.checkpoint),
    },
    fileSnapshots: {
      ...fileSnapshots,
      update: checked(fileSnapshots.update),
      markCommandOpen: checked(fileSnapshots.markCommandOpen),
      clearOpenCommand: checked(fileSnapshots.clearOpenCommand),
    },
  };
}

/** Resolves with the view as soon as `isSo` holds, now or after an event. */
export function waitForView(session: Session, isSo: (view: SessionView) => boolean): Promise<SessionView> {
  return new Promise((resolve) => {
    if (isSo(session.view)) return resolve(session.view);
    const stop = session.subscribe(() => {
      if (!isSo(session.view)) return;
      stop();
      resolve(session.view);
    });
  });
}

/** Waits for `count` pending approvals. */
export const waitForCards = async (session: Session, count = 1) =>
  pendingApprovals(await waitForView(session, (view) => pendingApprovals(view).length === count)).map(
    ({ approval }) => approval,
  );

/** Sends a prompt and waits for the end of the run. */
export async function promptAndWait(session: Session, text: string) {
  const sent = session.send(text, "prompt", testCommandId());
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value.done;
}

export const storedRows = (harness: TestHarness, id: SessionId) => harness.store.events.read(id);
