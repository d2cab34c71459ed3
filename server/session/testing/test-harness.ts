/**
 * Test harness for sessions: the services of the product; only the model is a script with gates that the test opens.
 */
import type { Json, Usage } from "@/lib/events/content";
import { type AgentError, makeError } from "@/lib/events/error";
import type { Think } from "@/lib/events/event";
import { asId, type ClientId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import type { Settings } from "@/lib/settings/settings";
import { type ModelState, pendingApprovals, type SessionView } from "@/lib/view/view";
import type { LateSplit } from "@/lib/models/models";
import type { ModelFacts } from "@/lib/models/model-facts";
import type { StoredPrompt } from "@/lib/models/stored-prompt";
import { recoverInterruptedCommands } from "@/server/workspace/snapshots/project-file-snapshots";
import type { ComposedServices } from "@/server/compose-services";
import type { SessionModels } from "@/server/models/access/session-models";
import type { CacheUse } from "@/server/providers/cache-use";
import type { ModelPart, ModelRequest } from "@/server/providers/provider";
import type { Store } from "@/server/store/open-store";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { composeToolSchemas, type ToolSource } from "@/server/tools/core/tool-source";
import type { Tool } from "@/server/tools/core/tool";
import type { CatalogueSource } from "@/server/tools/toolbox/catalogue";
import { nativeToolSource } from "@/server/tools/toolbox/native-tools";
import { toolboxToolSource } from "@/server/tools/toolbox/toolbox";
import { type AskGates, passGates } from "@/server/agent/tools/call-gate";
import type { ContextSource } from "@/server/agent/context/context-source";
import { builtInSources } from "../context/sources/built-in-sources";
import type { Registry } from "../loading/registry";
import type { SessionService } from "../service/session-service";
import type { Session } from "../core/session-types";
import type { SessionServices } from "../core/services";
import { makeTestServices } from "./test-services";

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
): ScriptedAnswer => [...before, { type: "failed", error: makeError(code), retryable, retryAfterMs: 1 }];

export interface TestHarness {
  readonly store: Store;
  /** The project's folder. */
  readonly root: string;
  readonly home: string;
  readonly userHome: string;
  /** Requests to the model, oldest first; copied when sent. */
  readonly requests: readonly ModelRequest[];
  /** Adds answers. A request without an answer is an error of the test. */
  script(...answers: readonly ScriptedAnswer[]): void;
  /** Replaces the answers that were not used yet. */
  replaceScript(...answers: readonly ScriptedAnswer[]): void;
  readonly settings: { current: Settings };
  /** The services of the current process. */
  services(): ComposedServices;
  readonly storeErrors: readonly (unknown | null)[];
  /** Usage reports of the answers, in order. */
  readonly learned: readonly Usage[];
  /** Learned splits of thinking that arrives as text, in order. */
  readonly lateSplits: readonly (LateSplit | null)[];
  registry(): Registry;
  /** The service over the current process. */
  sessions(): SessionService;
  /** A new session; its model has a window of `numCtx` tokens. */
  session(mode?: Mode): Session;
  /** Simulates a kill and a restart: nothing is closed, and the old process writes nothing any more. */
  restart(): Promise<void>;
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
  /** Maximum files of a project that are kept before a command. */
  readonly snapshotFiles?: number;
  readonly numCtx?: number;
  readonly think?: Think;
  /** Use of the cache by the next request; absent = it continues. */
  readonly cacheUse?: () => CacheUse;
  /** The model can see images now; absent = it cannot. */
  readonly seesImages?: () => boolean;
  readonly tools?: readonly Tool[];
  /** Tools of other programs; absent = none, and the prompt has no toolbox. */
  readonly catalogueSources?: () => readonly CatalogueSource[];
  /** Asks the gates; absent = there are none. */
  readonly askGates?: AskGates;
  /** Terms of the sessions that run without the user; absent = there are none. */
  readonly unattendedTerms?: SessionServices["unattendedTerms"];
  /** Folders beside the project that tools may read; absent = none. */
  readonly readRoots?: () => readonly string[];
  /** Context sources after the built-in ones. */
  readonly contextSources?: readonly ContextSource[];
  /** Answers when the script is empty. */
  readonly answer?: (request: ModelRequest) => ScriptedAnswer;
  /** The prompt; absent = a short one with all tools. */
  readonly prompt?: StoredPrompt;
  /** The model server refuses native tools: the prompt for calls in the text; null = the user chose native. */
  readonly textPrompt?: StoredPrompt | null;
  /** Tokens of a prompt by the server's count; absent = it does not count. */
  readonly countTokens?: (request: ModelRequest) => number;
  /** Facts the model server reports; absent = the requested window. */
  readonly facts?: (model: Omit<ModelState, "prompt">) => ModelFacts;
}

let counted = 0;
/** A fresh command id. */
export const testCommandId = (): CommandId => asId<CommandId>(`k${(counted += 1)}`);
export const testTab = asId<ClientId>("tab1");

export async function makeTestHarness(options: TestHarnessOptions = {}): Promise<TestHarness> {
  const requests: ModelRequest[] = [];
  const answers: ScriptedAnswer[] = [];
  const troubles: (unknown | null)[] = [];
  const learned: Usage[] = [];
  const lateSplits: (LateSplit | null)[] = [];
  const toolSources = (): readonly ToolSource[] => [
    builtInSource,
    { id: "test", budgetTokens: null, tools: () => options.tools ?? [] },
  ];
  const promptSources = (numCtx: number, projectId?: ProjectId): readonly ToolSource[] =>
    options.catalogueSources === undefined || projectId === undefined
      ? toolSources()
      : [...toolSources(), nativeToolSource(services().services.catalogue(projectId), numCtx), toolboxToolSource];
  const scriptedModel: SessionModels = {
    readyModel: async () => false,
    endHeldAnswer: () => Promise.resolve(),
    cacheUse: () => options.cacheUse?.() ?? "continues",
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
    noModelError: () => null,
    chooseModel: ({ name, toolMode = "auto", think = options.think ?? false, projectId }) => ({
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
        tools: composeToolSchemas(promptSources(options.numCtx ?? 16_384, projectId), "default"),
      },
    }),
    modelFacts: (model) => options.facts?.(model) ?? { window: model.numCtx, tokenRatio: 1 },
    learn: (_model, reported) => void learned.push(reported),
    learnCount: () => {},
    textToolMode: ({ provider, model, numCtx, think, profile }) =>
      options.textPrompt === undefined || options.textPrompt === null
        ? null
        : { change: { provider, model, numCtx, think, profile, toolMode: "xml" }, prompt: options.textPrompt },
    countTokens: async (request) => options.countTokens?.(request) ?? null,
    saveHistoryUse: () => {},
    saveLateSplit: (_model, split) => void lateSplits.push(split),
    seesImages: () => options.seesImages?.() ?? false,
  };
  const testServices = makeTestServices({
    // No model server answers there; the sessions use the script.
    environment: { OLLAMA_HOST: "http://127.0.0.1:1" },
    toolSources,
    catalogueSources: () => options.catalogueSources?.() ?? [],
    readRoots: () => options.readRoots?.() ?? [],
    askGates: options.askGates ?? passGates,
    unattendedTerms: options.unattendedTerms ?? (() => null),
    contextSources: () => [...builtInSources, ...(options.contextSources ?? [])],
    sessionsKept: options.sessionsKept ?? 0,
    snapshotFiles: options.snapshotFiles,
    titleDelayMs: 0,
    reportBug: (_name, error) => void troubles.push(error),
    sessionServices: (built) => ({
      ...built,
      ...scriptedModel,
      projectSnapshot: () => ({ text: "Project folder: /project", isTreePending: options.tree !== undefined }),
      projectTree: (_projectId, maxTokens) => options.tree?.(maxTokens) ?? null,
      reportStoreError: (error) => void troubles.push(error),
    }),
  });
  const { store, root, home, userHome, settings, services } = testServices;
  const openProject = async () => {
    const project = await services().projects.open(root);
    if (!project.ok) throw new Error(project.error.code);
    return project.value.project.id;
  };
  const projectId = await openProject();
  const restart = async () => {
    answers.length = 0;
    testServices.restart();
    await openProject();
  };
  return {
    store,
    root,
    home,
    userHome,
    requests,
    script: (...more) => void answers.push(...more),
    replaceScript: (...next) => void answers.splice(0, answers.length, ...next),
    settings,
    services,
    storeErrors: troubles,
    learned,
    lateSplits,
    registry: () => services().registry,
    sessions: () => services().sessions,
    session: (mode = "ask") => services().registry.create({ projectId, cwd: root, mode, commandId: testCommandId() }),
    restart,
    async restartAll() {
      await restart();
      services().registry.recoverAll();
      await recoverInterruptedCommands(store, services().projects);
    },
    reload(session) {
      const found = services().registry.get(session.id);
      if (found === undefined) throw new Error(`session ${session.id} is gone`);
      return found;
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
