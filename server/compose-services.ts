/** Builds the services below the transports: projects, shell, model servers and sessions. */
import { toToolError } from "./tools/core/to-tool-error";
import type { Result } from "@/lib/events/error";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { countTokens } from "./agent/context/prompt-size";
import { readPromptRules } from "./session/core/prompt-rules";
import { withoutTools } from "./tools/core/tool-source";
import { composeStoredPrompt } from "./agent/context/stored-prompt";
import { type ConfigService, makeConfigFile } from "./config/config-file";
import { type ConfiguredModelAccess, openModelAccess } from "./config/open-model-access";
import type { CoreServices } from "./handlers/core-services";
import { makeFileAccess } from "./handlers/project/file-access";
import { makeFileArchives } from "./handlers/project/file-archives";
import type { ModelAccessOptions } from "./models/access/model-access";
import type { ManagedConnection } from "./models/connections/active-connection";
import { makeNoteStorage } from "./models/notes/note-storage";
import { projectFileSnapshots, type ProjectFileSnapshotsOptions } from "./workspace/snapshots/project-file-snapshots";
import { isReadDenied } from "./security/rules/path-rules";
import type { ContextSource } from "./agent/context/context-source";
import type { CatalogueSource } from "./tools/toolbox/catalogue";
import { makeCatalogues, makePrepareCatalogue } from "./tools/toolbox/make-catalogue";
import { nativeToolSource } from "./tools/toolbox/native-tools";
import { toolboxToolSource } from "./tools/toolbox/toolbox";
import { makePreparedContext } from "./session/context/prepared-context";
import { makeSessionServices } from "./session/core/session-services";
import { pushSessionRows } from "./session/loading/push-session-rows";
import { makeRegistry, type Registry } from "./session/loading/registry";
import { withModelTitles } from "./session/titles/model-titles";
import { makeSessionService } from "./session/service/session-service";
import type { SessionContext, SessionServices } from "./session/core/services";
import { openPersonalWorkspace } from "./workspace/projects/personal-workspace";
import { makeProjects, type OpenProject, type Projects } from "./workspace/projects/projects";
import { promptFile } from "./prompts/prompts";
import { isSandboxUsed, makeSandbox, type Sandbox } from "./workspace/shell/sandbox";
import { makeToolEnvironments } from "./workspace/projects/tool-environment";

export interface CoreServicesOptions extends SessionContext {
  /** --model: for sessions without their own choice. */
  readonly model: string | null;
  /** Connections beside the saved ones and those of features; default: none. */
  readonly connections?: readonly ManagedConnection[];
  /** Sources of tools of other programs, of the loaded features. */
  catalogueSources(): readonly CatalogueSource[];
  /** Resolves when `toolSources` has the sources of all features that offer tools. */
  loadToolSources(): Promise<void>;
  contextSources(): readonly ContextSource[];
  /** Changes the services that sessions get; default: unchanged. */
  sessionServices?(built: SessionServices): SessionServices;
  /** Unwatched sessions that stay in memory; default: the registry's. */
  readonly sessionsKept?: number;
  /** Delay between a run and the request for a title, ms; default: that of the titles. */
  readonly titleDelayMs?: number;
  /** Maximum files of a project that are kept before a command; default: that of the snapshots. */
  readonly snapshotFiles?: number;
}

/** With the registry, which has none of the checks of `sessions`. */
export interface ComposedServices extends CoreServices {
  readonly registry: Registry;
}

export function composeServices(options: CoreServicesOptions): ComposedServices {
  const { store, home, version, bearer, environment, leftovers, now, push, log, reportBug } = options;
  const { settings } = options;
  const projects = makeProjectService(options, (sessionId, callId, states) =>
    registry.get(sessionId)?.files.recordFoundChanges(callId, states),
  );
  const sandbox = makeSandbox({
    ...options,
    setting: (call) => {
      const { sandbox: use, sandboxNetwork, sandboxWritable: writable } = settings();
      return isSandboxUsed(use, call?.mode) ? { network: sandboxNetwork || call?.network === true, writable } : null;
    },
  });
  const trashChanged = (projectId: ProjectId): void => push({ type: "trash", projectId });
  const toolEnvironments = makeToolEnvironments({
    toolError: toToolError,
    ...options,
    projects,
    sandbox,
    trashChanged,
  });
  const catalogue = makeCatalogues(options.catalogueSources, () => settings().disabledTools);
  const prepareCatalogue = makePrepareCatalogue(log);
  const loadTools = async (projectId: ProjectId): Promise<void> => {
    await options.loadToolSources();
    await prepareCatalogue(options.catalogueSources(), projectId);
  };
  const running = () => registry.running().map((session) => session.view.model);
  const access = composeModelAccess(options, catalogue, running);
  const { prepare, sources } = makePreparedContext({ sources: options.contextSources, log });
  const built = makeSessionServices({
    ...options,
    contextSources: sources,
    catalogue,
    projects,
    toolEnvironments,
    access,
    sandbox,
  });
  const services = options.sessionServices?.(built) ?? built;
  const registry = withModelTitles(makeRegistry(services, options.sessionsKept), {
    services,
    delayMs: options.titleDelayMs,
  });
  const sessions = makeSessionService({
    services,
    registry,
    projects,
    access,
    loadToolSources: loadTools,
    prepareContext: prepare,
  });
  pushSessionRows(sessions, store, push);
  const openWorkspace = (): Promise<Result<OpenProject>> =>
    openPersonalWorkspace({
      home,
      projects,
      guide: () => promptFile("workspace.md"),
      trust: (id) => void store.projects.setTrust(id, now()),
    });
  return {
    ...{ store, home, version, bearer, environment, leftovers, now, push, log, reportBug },
    projects,
    sandbox,
    toolEnvironments,
    access,
    services,
    registry,
    sessions,
    config: makeConfigService(options, access, sandbox),
    fileAccess: makeFileAccess({ projects, now }),
    fileArchives: makeFileArchives({ projects, now }),
    loadTools,
    openWorkspace,
  };
}

function composeModelAccess(
  options: CoreServicesOptions,
  catalogue: SessionServices["catalogue"],
  running: ModelAccessOptions["running"],
): ConfiguredModelAccess {
  const { home, store, settings, unattendedTerms, log } = options;
  const access = openModelAccess({
    ...options,
    notes: makeNoteStorage(store, log),
    composePrompt: ({ profile, toolMode, numCtx, projectId }) => {
      const native = projectId === undefined ? [] : [nativeToolSource(catalogue(projectId), numCtx)];
      const sources = [...options.toolSources(), ...native, toolboxToolSource];
      const { text } = readPromptRules(home, profile);
      return composeStoredPrompt(profile, toolMode, withoutTools(sources, settings().disabledTools), text);
    },
    countTokens,
    running,
    isBackground: (owner) => unattendedTerms(asId<SessionId>(owner))?.isBackground ?? false,
  });
  options.connections?.forEach(access.connections.attach);
  return access;
}

/** The settings with their file; pushes changes to clients and model servers. */
const makeConfigService = (
  { home, store, push, log }: CoreServicesOptions,
  access: ConfiguredModelAccess,
  sandbox: Sandbox,
): ConfigService =>
  makeConfigFile({
    home,
    store: store.settings,
    changed(next, before) {
      push({ type: "settings", settings: next });
      access.settingsChanged(next, before);
    },
    checked: (problems) => push({ type: "config", problems }),
    log,
    sandbox: sandbox.state,
  });

const makeProjectService = (
  options: CoreServicesOptions,
  recordFoundChanges: ProjectFileSnapshotsOptions["recordFoundChanges"],
): Projects => {
  const { store, settings, push, now, leftovers, reportBug } = options;
  const trouble = (error: unknown): void => reportBug("images", error);
  return makeProjects({
    record: (folder) => store.projects.open(folder, now()),
    find: (id) => store.projects.get(id),
    move: (id, path) => store.projects.move(id, path),
    protectedNames: () => settings().protectedNames,
    dataFolder: options.home,
    readRoots: options.readRoots,
    tree: settings,
    ignoredFolders: () => settings().ignoredFolders,
    isDenied: (id, path) => isReadDenied(store.rules.list(id), path),
    push,
    snapshots: (project) =>
      projectFileSnapshots({ ...options, recordFoundChanges, trouble, maxFiles: options.snapshotFiles }, project),
    cleanup: leftovers,
    onError: (error) => reportBug("project", error),
  });
};
