/** Builds the services that do the work: projects, models, sessions, doctor, history index. */
import type { Push } from "@/lib/protocol/push";
import type { Settings } from "@/lib/settings/settings";
import { isDurable } from "@/lib/events/event";
import type { ProjectId, SessionId } from "@/lib/events/id";
import { randomSecret } from "./base/id";
import { type Indexer, makeIndexer } from "./features/history/indexer";
import { makeModelAccess, type ModelAccess, makeNoteStorage } from "@/server/models/access/model-access";
import { type Doctor, makeDoctor } from "./features/doctor/doctor";
import { projectFileSnapshots } from "@/server/workspace/snapshots/project-file-snapshots";
import { isReadDenied } from "./security/rules/path-rules";
import { makeSessionServices } from "./session-services";
import { makeRegistry, type Registry } from "./session/loading/registry";
import type { SessionServices } from "./session/core/services";
import type { Store } from "./store/open-store";
import type { CleanupJournal } from "./workspace/shell/cleanup-journal";
import { makeProjects, type Projects } from "./workspace/projects/projects";
import { makeSandbox, type Sandbox } from "./workspace/shell/sandbox";
import { makeToolEnvironments, type ToolEnvironments } from "@/server/workspace/projects/tool-environment";

export interface CoreServicesOptions {
  readonly store: Store;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Journal of resources that a killed process would leave behind. */
  readonly leftovers: CleanupJournal;
  /** --model: for sessions without their own choice. */
  readonly model: string | null;
  settings(): Settings;
  now(): number;
  push(push: Push): void;
  /** Logs an unexpected error. */
  reportBug(name: string, error: unknown): void;
  log(line: string): void;
}

export interface CoreServices {
  readonly projects: Projects;
  readonly sandbox: Sandbox;
  readonly toolEnvironments: ToolEnvironments;
  readonly access: ModelAccess;
  readonly services: SessionServices;
  readonly registry: Registry;
  readonly doctor: Doctor;
  readonly indexer: Indexer;
}

export function startServices(options: CoreServicesOptions): CoreServices {
  const { store, settings, push, reportBug, log } = options;
  const projects = makeProjectService(options, (id) => registry.get(id));
  const sandbox = makeSandbox({
    ...options,
    setting: () => (settings().sandbox ? { network: settings().sandboxNetwork } : null),
  });
  const trashChanged = (projectId: ProjectId): void => push({ type: "trash", projectId });
  const toolEnvironments = makeToolEnvironments({ ...options, projects, sandbox, trashChanged });
  const running = () => registry.running().map((session) => session.view.model);
  const access = makeModelAccess({ ...options, notes: makeNoteStorage(store, log), running });
  const services = makeSessionServices({ ...options, projects, toolEnvironments, access, sandbox });
  const registry = makeRegistry(services);
  pushSessionRows(registry, push);
  const doctor = makeDoctorService(options, { access, services });
  return {
    projects,
    sandbox,
    toolEnvironments,
    access,
    services,
    registry,
    doctor,
    indexer: makeHistoryIndexer(store, registry, reportBug),
  };
}

const makeProjectService = (
  options: CoreServicesOptions,
  session: (id: SessionId) => ReturnType<Registry["get"]>,
): Projects => {
  const { store, settings, push, now, leftovers, reportBug } = options;
  const trouble = (error: unknown): void => reportBug("images", error);
  return makeProjects({
    record: (folder) => store.projects.open(folder, now()),
    find: (id) => store.projects.get(id),
    move: (id, path) => store.projects.move(id, path),
    protectedNames: () => settings().protectedNames,
    dataFolder: options.home,
    tree: settings,
    ignoredFolders: () => settings().ignoredFolders,
    isDenied: (id, path) => isReadDenied(store.rules.list(id), path),
    push,
    snapshots: (id) => projectFileSnapshots({ store, now, session, trouble }, id),
    cleanup: leftovers,
    onError: (error) => reportBug("project", error),
  });
};

function makeDoctorService(
  { environment, push, reportBug, now }: CoreServicesOptions,
  { access, services }: Pick<CoreServices, "access" | "services">,
): Doctor {
  /** Returns a few letters that are in no prompt. */
  const word = (): string =>
    randomSecret()
      .replace(/[^a-z]/gi, "")
      .slice(0, 7)
      .toLowerCase();
  return makeDoctor({
    async prepare(...asked) {
      const { prepareModelUnderTest } = await import("@/server/features/doctor/model-under-test");
      return prepareModelUnderTest({ access, services, environment, word }, ...asked);
    },
    onRun: (run) => push({ type: "doctor", run }),
    onBug: (error) => reportBug("doctor", error),
    now,
  });
}

/** Notifies the history index of every durable event; the index waits while a session runs. */
function makeHistoryIndexer(
  store: Store,
  registry: Registry,
  reportBug: (name: string, error: unknown) => void,
): Indexer {
  const indexer = makeIndexer({
    open: store.history,
    isBusy: () => registry.running().length > 0,
    reportBug: (error) => reportBug("history", error),
  });
  registry.subscribe((envelope) => {
    if (isDurable(envelope)) indexer.notifyLogChange();
  });
  return indexer;
}

/** Pushes the list rows of sessions whose status, title or figures changed; a changed time alone is not pushed. */
function pushSessionRows(registry: Registry, push: (push: Push) => void): void {
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
