/** Builds the services that do the work: projects, models, sessions, doctor, history index. */
import type { Push } from "@/lib/push";
import type { Settings } from "@/lib/settings";
import { isDurable } from "@/lib/event";
import type { ProjectId, SessionId } from "@/lib/id";
import { freshSecret } from "./base/id";
import { type Indexer, makeIndexer } from "./features/history/indexer";
import { makeModelAccess, type ModelAccess, noteKeeper } from "./model-access";
import { type Doctor, makeDoctor } from "./models/doctor";
import { projectImages } from "./project-images";
import { isReadDenied } from "./security/path-rules";
import { makeSessionServices } from "./session-services";
import { makeRegistry, type Registry } from "./session/registry";
import type { SessionServices } from "./session/services";
import type { Store } from "./store/open-store";
import type { Leftovers } from "./workspace/leftovers";
import { makeProjects, type Projects } from "./workspace/projects";
import { makeSandbox, type Sandbox } from "./workspace/sandbox";
import { makeWorlds, type Worlds } from "./world";

export interface WorkOptions {
  readonly store: Store;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Journal of what a kill would leave behind. */
  readonly leftovers: Leftovers;
  /** --model: for sessions without their own choice. */
  readonly model: string | null;
  settings(): Settings;
  now(): number;
  push(push: Push): void;
  /** Logs an unexpected error. */
  bug(name: string, error: unknown): void;
  log(line: string): void;
}

export interface Work {
  readonly projects: Projects;
  readonly sandbox: Sandbox;
  readonly worlds: Worlds;
  readonly access: ModelAccess;
  readonly services: SessionServices;
  readonly registry: Registry;
  readonly doctor: Doctor;
  readonly indexer: Indexer;
}

export function startWork(options: WorkOptions): Work {
  const { store, settings, push, bug, log } = options;
  const projects = projectsOf(options, (id) => registry.get(id));
  const sandbox = makeSandbox({
    ...options,
    wanted: () => (settings().sandbox ? { network: settings().sandboxNetwork } : null),
  });
  const trashChanged = (projectId: ProjectId): void => push({ type: "trash", projectId });
  const worlds = makeWorlds({ ...options, projects, sandbox, trashChanged });
  const running = () => registry.running().map((session) => session.view.model);
  const access = makeModelAccess({ ...options, notes: noteKeeper(store, log), running });
  const services = makeSessionServices({ ...options, projects, worlds, access, sandbox });
  const registry = makeRegistry(services);
  tellRows(registry, push);
  const doctor = doctorOf(options, { access, services });
  return { projects, sandbox, worlds, access, services, registry, doctor, indexer: indexerOf(store, registry, bug) };
}

const projectsOf = (options: WorkOptions, session: (id: SessionId) => ReturnType<Registry["get"]>): Projects => {
  const { store, settings, push, now, leftovers, bug } = options;
  const trouble = (error: unknown): void => bug("images", error);
  return makeProjects({
    record: (folder) => store.projects.open(folder, now()),
    find: (id) => store.projects.get(id),
    move: (id, path) => store.projects.move(id, path),
    protectedNames: () => settings().protectedNames,
    home: options.home,
    tree: settings,
    ignoredFolders: () => settings().ignoredFolders,
    isDenied: (id, path) => isReadDenied(store.rules.list(id), path),
    push,
    images: (id) => projectImages({ store, now, session, trouble }, id),
    leftovers,
    trouble: (error) => bug("project", error),
  });
};

function doctorOf(
  { environment, push, bug, now }: WorkOptions,
  { access, services }: Pick<Work, "access" | "services">,
): Doctor {
  /** Returns a few letters that are in no prompt. */
  const word = (): string =>
    freshSecret()
      .replace(/[^a-z]/gi, "")
      .slice(0, 7)
      .toLowerCase();
  return makeDoctor({
    async patient(...asked) {
      const { patientFor } = await import("./doctor-patient");
      return patientFor({ access, services, environment, word }, ...asked);
    },
    onRun: (run) => push({ type: "doctor", run }),
    onBug: (error) => bug("doctor", error),
    now,
  });
}

/** Notifies the history index of every durable event; the index waits while a session runs. */
function indexerOf(store: Store, registry: Registry, bug: (name: string, error: unknown) => void): Indexer {
  const indexer = makeIndexer({
    open: store.history,
    isBusy: () => registry.running().length > 0,
    bug: (error) => bug("history", error),
  });
  registry.subscribe((envelope) => {
    if (isDurable(envelope)) indexer.touch();
  });
  return indexer;
}

/** Pushes the list rows of sessions whose status, title or figures changed; a changed time alone is not pushed. */
function tellRows(registry: Registry, push: (push: Push) => void): void {
  const pushed = new Map<SessionId, string>();
  registry.subscribe((envelope) => {
    const row = isDurable(envelope) ? registry.row(envelope.sessionId) : undefined;
    if (row === undefined) return;
    const { updatedAt: _updatedAt, lastSeq: _lastSeq, ...shown } = row;
    const text = JSON.stringify(shown);
    if (pushed.get(row.id) === text) return;
    pushed.set(row.id, text);
    push({ type: "session_row", row });
  });
}
