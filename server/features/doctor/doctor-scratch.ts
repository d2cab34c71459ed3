/**
 * Scratch environment for a model under test: its own store, project and sessions in a temp folder that is deleted with
 * the test, so nothing appears in the history.
 */
import { toToolError } from "@/server/tools/core/to-tool-error";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId, type ClientId, type CommandId } from "@/lib/events/id";
import type { Settings } from "@/lib/settings/settings";
import { pathEntries, pendingApprovals } from "@/lib/view/view";
import { randomId } from "@/server/base/id";
import type { TaskResult, DoctorTask } from "./doctor-steps";
import { makeRegistry } from "@/server/session/loading/registry";
import type { SessionServices } from "@/server/session/core/services";
import type { ModelChoice } from "@/server/models/access/session-models";
import type { Session } from "@/server/session/core/session-types";
import { openStore } from "@/server/store/open-store";
import { makeProjects } from "@/server/workspace/projects/projects";
import { makeToolEnvironments } from "@/server/workspace/projects/tool-environment";

export interface DoctorScratch {
  /** Writes the files, sends the text, and runs to the end. Rejects with the signal's reason only. */
  runTask(choice: ModelChoice, task: DoctorTask, signal: AbortSignal): Promise<TaskResult>;
  /** Also deletes the folder. */
  close(): Promise<void>;
}

interface DoctorScratchOptions {
  /** Services of the real sessions; used where not overridden here. */
  readonly services: SessionServices;
  readonly environment: NodeJS.ProcessEnv;
}

/** A model that has not finished these small tasks by then is looping. */
const maxTaskSteps = 8;

export async function makeDoctorScratch({ services, environment }: DoctorScratchOptions): Promise<DoctorScratch> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "gopi-doctor-")));
  const root = join(home, "project");
  mkdirSync(root);
  const now = (): number => Date.now();
  const opened = openStore({ home, now });
  if (!opened.ok) throw new Error(`no scratch store: ${opened.error.code}`);
  const store = opened.value;
  const settings = (): Settings => ({ ...services.settings(), maxSteps: maxTaskSteps });
  const projects = makeProjects({
    record: (folder) => store.projects.open(folder, now()),
    find: (id) => store.projects.get(id),
    protectedNames: () => settings().protectedNames,
    push: () => {},
  });
  const project = await projects.open(root);
  if (!project.ok) throw new Error(`no scratch project: ${project.error.code}`);
  const { id: projectId } = project.value.project;
  const toolEnvironments = makeToolEnvironments({
    store,
    projects,
    home,
    environment,
    settings,
    now,
    toolError: toToolError,
  });
  let choice: ModelChoice | null = null;
  const registry = makeRegistry({
    ...services,
    store,
    settings,
    toolEnvironment: toolEnvironments.make,
    rules: () => [],
    addRule: () => {},
    recordDecision: () => {},
    projectSnapshot: () => null,
    projectTree: () => null,
    chooseModel: () => choice,
    noModelError: () => null,
    // The test tries the other modes itself.
    textToolMode: () => null,
    reportStoreError: () => {},
  });
  return {
    async runTask(chosen, task, signal) {
      signal.throwIfAborted();
      choice = chosen;
      for (const [name, text] of Object.entries(task.files)) writeFileSync(join(root, name), text);
      const session = registry.create({ projectId, cwd: root, mode: "edits", commandId: randomId<CommandId>("c") });
      await runToEnd(session, task.text, signal);
      const files = Object.fromEntries(Object.keys(task.files).map((name) => [name, readTextOrNull(join(root, name))]));
      return { ...summarizeSession(session), files };
    },
    async close() {
      await registry.close();
      await projects.dispose();
      store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function readTextOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** Denies everything beyond edits of the scratch folder. */
async function runToEnd(session: Session, text: string, signal: AbortSignal): Promise<void> {
  const deny = (): void => {
    for (const { approval } of pendingApprovals(session.view))
      session.answer(approval.approvalId, { option: "deny" }, asId<ClientId>("doctor"));
  };
  const stopDenying = session.subscribe(() => queueMicrotask(deny));
  const abort = (): void => void session.abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const sent = session.send(text, "prompt", randomId<CommandId>("c"));
    if (sent.ok) await sent.value.done;
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", abort);
    stopDenying();
  }
}

function summarizeSession({ view }: Session): Omit<TaskResult, "files"> {
  const entries = pathEntries(view);
  const messages = entries.flatMap((entry) => (entry.kind === "message" ? [entry] : []));
  const calls = messages.flatMap((message) => message.calls);
  const error = entries.findLast((entry) => entry.kind === "error")?.error;
  return {
    calls: calls.length,
    succeeded: calls.filter((call) => call.state === "ok").length,
    repaired: messages.some(({ blocks }) => blocks.some((block) => block.type === "call" && block.raw !== undefined)),
    error,
  };
}
