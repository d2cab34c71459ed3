/**
 * Scratch environment for a model under test: its own store, project and sessions in a temp folder that is deleted with
 * the test, so nothing appears in the history.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asId, type ClientId, type CommandId } from "@/lib/id";
import type { Settings } from "@/lib/settings";
import { pathOf, pendingApprovals } from "@/lib/view";
import { freshId } from "./base/id";
import type { Acted, Task } from "./models/doctor-steps";
import { makeRegistry } from "./session/registry";
import type { ModelChoice, SessionServices } from "./session/services";
import type { Session } from "./session/session";
import { openStore } from "./store/open-store";
import { makeProjects } from "./workspace/projects";
import { makeWorlds } from "./world";

export interface Scratch {
  /** Writes the files, sends the text, and runs to the end. Rejects with the signal's reason only. */
  act(choice: ModelChoice, task: Task, signal: AbortSignal): Promise<Acted>;
  /** Also deletes the folder. */
  close(): Promise<void>;
}

export interface ScratchOptions {
  /** Services of the real sessions; used where not overridden here. */
  readonly services: SessionServices;
  readonly environment: NodeJS.ProcessEnv;
}

/** A model that has not finished these small tasks by then is looping. */
const stepsMax = 8;

export async function makeScratch({ services, environment }: ScratchOptions): Promise<Scratch> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "gopi-doctor-")));
  const root = join(home, "project");
  mkdirSync(root);
  const now = (): number => Date.now();
  const opened = openStore({ home, now });
  if (!opened.ok) throw new Error(`no scratch store: ${opened.error.code}`);
  const store = opened.value;
  const settings = (): Settings => ({ ...services.settings(), maxSteps: stepsMax });
  const projects = makeProjects({
    record: (folder) => store.projects.open(folder, now()),
    find: (id) => store.projects.get(id),
    protectedNames: () => settings().protectedNames,
    push: () => {},
  });
  const project = await projects.open(root);
  if (!project.ok) throw new Error(`no scratch project: ${project.error.code}`);
  const { id: projectId } = project.value.project;
  const worlds = makeWorlds({ store, projects, home, environment, settings, now });
  let choice: ModelChoice | null = null;
  const registry = makeRegistry({
    ...services,
    store,
    settings,
    world: worlds.make,
    rules: () => [],
    addRule: () => {},
    decided: () => {},
    snapshot: () => null,
    tree: () => null,
    chooseModel: () => choice,
    whyNoModel: () => null,
    // The test tries the other modes itself.
    textToolMode: () => null,
    storeTrouble: () => {},
  });
  return {
    async act(chosen, task, signal) {
      signal.throwIfAborted();
      choice = chosen;
      for (const [name, text] of Object.entries(task.files)) writeFileSync(join(root, name), text);
      const session = registry.create({ projectId, cwd: root, mode: "edits", commandId: freshId<CommandId>("c") });
      await runToEnd(session, task.text, signal);
      const files = Object.fromEntries(Object.keys(task.files).map((name) => [name, textIn(join(root, name))]));
      return { ...seenIn(session), files };
    },
    async close() {
      await registry.close();
      await projects.dispose();
      store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function textIn(path: string): string | null {
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
    const sent = session.send(text, "prompt", freshId<CommandId>("c"));
    if (sent.ok) await sent.value.done;
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", abort);
    stopDenying();
  }
}

function seenIn({ view }: Session): Omit<Acted, "files"> {
  const entries = pathOf(view);
  const messages = entries.flatMap((entry) => (entry.kind === "message" ? [entry] : []));
  const calls = messages.flatMap((message) => message.calls);
  const error = entries.findLast((entry) => entry.kind === "error")?.error;
  return {
    calls: calls.length,
    done: calls.filter((call) => call.state === "ok").length,
    repaired: messages.some(({ blocks }) => blocks.some((block) => block.type === "call" && block.raw !== undefined)),
    ...(error === undefined ? {} : { error }),
  };
}
