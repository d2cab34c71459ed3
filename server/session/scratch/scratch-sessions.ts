/**
 * Sessions in a scratch environment: a store, a project and its folder of their own in a temporary folder that is deleted
 * with them, so that nothing appears in the history.
 */
import { passGates } from "@/server/agent/tools/call-gate";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId, type ClientId, type CommandId, type SessionId } from "@/lib/events/id";
import type { RunEnd } from "@/lib/events/event";
import type { Mode, Rule } from "@/lib/permissions/policy";
import type { Settings } from "@/lib/settings/settings";
import { type CallView, pendingApprovals, type SessionView } from "@/lib/view/view";
import { randomId } from "@/server/base/id";
import type { ModelChoice } from "@/server/models/access/session-models";
import { openStore, type Store } from "@/server/store/open-store";
import { toToolError } from "@/server/tools/core/to-tool-error";
import { makeProjects } from "@/server/workspace/projects/projects";
import { makeToolEnvironments } from "@/server/workspace/projects/tool-environment";
import { type CleanupJournal, temporaryPrefix } from "@/server/workspace/shell/cleanup-journal";
import type { Sandbox } from "@/server/workspace/shell/sandbox";
import type { SessionServices } from "../core/services";
import type { Session } from "../core/session-types";
import { makeRegistry } from "../loading/registry";

export interface ScratchSessions {
  /** The project's folder, empty at the start. */
  readonly root: string;
  readonly store: Store;
  /**
   * Sends the text in a new session and runs to the end. Requests for approval are denied unless `approves` returns
   * true. `end` is null if the text was refused. Rejects with the signal's reason only, after the run has ended.
   */
  run(task: ScratchTask, signal: AbortSignal): Promise<{ readonly view: SessionView; readonly end: RunEnd | null }>;
  /** Also deletes the folder. */
  close(): Promise<void>;
}

interface ScratchTask {
  readonly choice: ModelChoice;
  readonly text: string;
  readonly mode: Mode;
  approves?(call: CallView): boolean;
  /** Called when a session was created. */
  started?(id: SessionId, view: () => SessionView): void;
}

export interface ScratchOptions {
  /** Services of the real sessions; used where not overridden here. */
  readonly services: SessionServices;
  readonly environment: NodeJS.ProcessEnv;
  /** Journal for the folder and the programs of the sessions. */
  readonly leftovers: Pick<CleanupJournal, "record">;
  /** Part of the folder's name: `gopi-NAME-`. */
  readonly name: string;
  readonly maxSteps: number;
  /** Whether the session falls back to calls in text when the server refuses native tools. */
  readonly hasTextToolMode: boolean;
  /** Around the shell; default: none. */
  readonly sandbox?: Pick<Sandbox, "fence">;
  /** Rules of the project; default: none. */
  readonly rules?: readonly Rule[];
}

export async function makeScratchSessions(options: ScratchOptions): Promise<ScratchSessions> {
  const { services, environment, leftovers, name, maxSteps } = options;
  const folder = mkdtempSync(join(tmpdir(), `${temporaryPrefix}${name}-`));
  const forget = leftovers.record({ folder });
  const home = realpathSync(folder);
  const root = join(home, "project");
  mkdirSync(root);
  const now = (): number => Date.now();
  const opened = openStore({ home, now });
  if (!opened.ok) throw new Error(`no scratch store: ${opened.error.code}`);
  const store = opened.value;
  const settings = (): Settings => ({ ...services.settings(), maxSteps });
  const projects = makeProjects({
    record: (folder) => store.projects.open(folder, now()),
    find: (id) => store.projects.get(id),
    protectedNames: () => settings().protectedNames,
    push: () => {},
  });
  const project = await projects.open(root);
  if (!project.ok) throw new Error(`no scratch project: ${project.error.code}`);
  const { id: projectId } = project.value.project;
  for (const rule of options.rules ?? []) store.rules.add({ ...rule, projectId });
  const toolEnvironments = makeToolEnvironments({
    store,
    projects,
    home,
    environment,
    settings,
    now,
    toolError: toToolError,
    leftovers,
    sandbox: options.sandbox,
  });
  let choice: ModelChoice | null = null;
  const registry = makeRegistry({
    ...services,
    store,
    settings,
    toolEnvironment: toolEnvironments.make,
    unattendedTerms: () => null,
    addRule: () => {},
    // Gates of extensions judge calls in the user's projects; here no one could answer what they ask.
    askGates: passGates,
    // Nor could anyone answer whether a command gets the network: the sandbox of these sessions decides alone.
    judge: (accesses, session) => services.judge(accesses, { ...session, network: true }),
    projectSnapshot: () => null,
    projectTree: () => null,
    readFolderGuides: () => Promise.resolve([]),
    chooseModel: () => choice,
    noModelError: () => null,
    textToolMode: options.hasTextToolMode ? services.textToolMode : () => null,
    reportStoreError: () => {},
  });
  return {
    root,
    store,
    async run(task, signal) {
      signal.throwIfAborted();
      choice = task.choice;
      const commandId = randomId<CommandId>("c");
      const session = registry.create({ projectId, cwd: root, mode: task.mode, commandId });
      task.started?.(session.id, () => session.view);
      const end = await runToEnd(session, task, signal);
      return { view: session.view, end };
    },
    async close() {
      await registry.close();
      await projects.dispose();
      store.close();
      rmSync(home, { recursive: true, force: true });
      forget();
    },
  };
}

async function runToEnd(
  session: Session,
  { text, approves = () => false }: ScratchTask,
  signal: AbortSignal,
): Promise<RunEnd | null> {
  const answer = (): void => {
    for (const { approval, call } of pendingApprovals(session.view)) {
      const option = approves(call) ? "once" : "deny";
      session.answer(approval.approvalId, { option }, asId<ClientId>("scratch"));
    }
  };
  const stopAnswering = session.subscribe(() => queueMicrotask(answer));
  const abort = (): void => void session.abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const sent = session.send(text, "prompt", randomId<CommandId>("c"));
    const end = sent.ok ? await sent.value.done : null;
    signal.throwIfAborted();
    return end;
  } finally {
    signal.removeEventListener("abort", abort);
    stopAnswering();
  }
}
