/** Applies messages of the server: replaces state that is only pushed, and updates or invalidates queries. */
import type { QueryClient } from "@tanstack/react-query";
import type { ProjectView } from "@/lib/protocol/answers";
import type { ProjectId } from "@/lib/events/id";
import type { PullState } from "@/lib/models/models";
import type { Project } from "@/lib/workspace/project";
import type { Push } from "@/lib/protocol/push";
import type { PushOf, PushTopic } from "@/lib/protocol/topics";
import type { CommandFamily } from "@/lib/protocol/command-family";
import { commandQuery, invalidateCommands } from "./command-query";
import { refreshChangedFolder } from "./folder-pages";
import { queries } from "./queries";
import { hasDoctorRunEnded, type ServerState, type ServerStateStore } from "./server-state";
import { removeSessionRow, upsertSessionRow } from "./session/cached-session-lists";

interface TopicEffect<M> {
  /** Returns the state that the message replaces. */
  readonly state?: (message: M, state: ServerState) => Partial<ServerState>;
  /** Changes the data of the queries of `holds`. */
  readonly apply?: (message: M, cache: QueryClient) => void;
  /** Queries that have what the messages report: fetched again after a reconnect, since messages may have been missed. */
  readonly holds?: readonly CommandFamily[];
  /** Queries that a message makes out of date. */
  readonly invalidates?: readonly CommandFamily[];
  /** The part of their inputs that they have in common; null = none is out of date. Absent = all are. */
  readonly part?: (message: M) => object | null;
}

const ofProject = ({ projectId }: { readonly projectId: ProjectId }) => ({ projectId });

const topicEffects: { readonly [T in PushTopic]?: TopicEffect<PushOf<T>> } = {
  session_row: {
    apply: ({ row }, cache) => upsertSessionRow(cache, row),
    holds: ["session.list"],
    // The tree of a session names its forks.
    invalidates: ["session.tree"],
    part: ({ row: { forkedFrom } }) => (forkedFrom === undefined ? null : { sessionId: forkedFrom }),
  },
  session_removed: { apply: ({ sessionId }, cache) => removeSessionRow(cache, sessionId), holds: ["session.list"] },
  project: {
    state: ({ project }, { projects }) => (projects === undefined ? {} : { projects: withProject(projects, project) }),
    // Its trust may have changed in another tab.
    apply: ({ project }, cache) =>
      changeProjectView(cache, project.id, { project, trusted: typeof project.trustedAt === "number" }),
    holds: ["project.open"],
    // Without trust git is not run for it.
    invalidates: ["source.status"],
    part: ({ project }) => ({ projectId: project.id }),
  },
  files: { apply: applyFiles, holds: ["files.list", "project.open", "project.marks", "source."] },
  models: { state: ({ state }) => ({ models: state }), invalidates: ["models.show"] },
  pull: { state: ({ pull }, { pulls = [] }) => ({ pulls: withPull(pulls, pull) }) },
  // Another address or key may list other models.
  connections: { state: ({ connections }) => ({ connections }), invalidates: ["connections.models"] },
  doctor: {
    state: ({ run }) => ({ doctor: run }),
    // The list of a connection's models includes their reports.
    invalidates: ["connections.models"],
    part: ({ run }) => (hasDoctorRunEnded(run) ? {} : null),
  },
  // The list of a connection's models includes their settings.
  models_file: { invalidates: ["config.read_models", "models.show", "connections.models"] },
  engine: {
    apply: ({ state }, cache) => cache.setQueryData(commandQuery("engine.state", {}).queryKey, state),
    holds: ["engine."],
  },
  questions: {
    apply: ({ questions }, cache) => cache.setQueryData(commandQuery("mcp.questions", {}).queryKey, { questions }),
    holds: ["mcp.questions"],
  },
  terminals: {
    apply: ({ projectId, terminals }, cache) =>
      cache.setQueryData(commandQuery("terminal.list", { projectId }).queryKey, { terminals }),
    holds: ["terminal.list"],
  },
  evals: {
    apply: ({ run }, cache) =>
      cache.setQueryData(commandQuery("evals.list", {}).queryKey, (data) => data && { ...data, run }),
    holds: ["evals.list"],
  },
  settings: { state: ({ settings }) => ({ settings }), invalidates: ["config.read", "config.find_imports"] },
  config: { invalidates: ["config.read", "config.find_imports"] },
  shares: { state: ({ shares }) => ({ shares }) },
  notices: { state: ({ notices }) => ({ notices }) },
  network: { state: ({ network }) => ({ network }) },
  rules: { invalidates: ["rules.list"] },
  devices: { invalidates: ["devices.list", "notices.devices"] },
  automations: { invalidates: ["automations.list"] },
  channels: { invalidates: ["channels.list"] },
  mcp: { invalidates: ["mcp.", "tools.own", "trials.tool"], part: ofProject },
  trash: { invalidates: ["trash.list"], part: ofProject },
};

/** Invalidates queries after a reconnect, since pushes may have been missed. */
export function refreshQueries(cache: QueryClient): void {
  const families = Object.values(topicEffects).flatMap(({ holds = [], invalidates = [] }) => [
    ...holds,
    ...invalidates,
  ]);
  void invalidateCommands(cache, families);
}

/** Applies a push to the cache and the server's state. */
export const applyPush = (cache: QueryClient, serverState: ServerStateStore, push: Push): void =>
  applyMessage(cache, serverState, push.type, push);

function applyMessage<T extends PushTopic>(
  cache: QueryClient,
  serverState: ServerStateStore,
  topic: T,
  message: PushOf<T>,
): void {
  const effect: TopicEffect<PushOf<T>> | undefined = topicEffects[topic];
  if (effect?.state !== undefined) serverState.merge(effect.state(message, serverState.get()));
  effect?.apply?.(message, cache);
  const part = effect?.part === undefined ? {} : effect.part(message);
  if (part !== null) void invalidateCommands(cache, effect?.invalidates ?? [], part);
}

function applyFiles({ projectId, folders, branch, gone }: PushOf<"files">, cache: QueryClient): void {
  for (const folder of folders) void refreshChangedFolder(cache, queries.folder(projectId, folder).queryKey);
  changeProjectView(cache, projectId, { branch, gone });
}

const changeProjectView = (cache: QueryClient, projectId: ProjectId, members: Partial<ProjectView>): unknown =>
  cache.setQueryData(commandQuery("project.open", { projectId }).queryKey, (view) => view && { ...view, ...members });

/** The server no longer reports changes of these files: they are fetched when they are displayed again. */
export const expireProjectFiles = (cache: QueryClient, projectId: ProjectId): Promise<void> =>
  invalidateCommands(cache, ["files.list", "project.open"], { projectId }, "none");

const withPull = (pulls: readonly PullState[], pull: PullState): readonly PullState[] => [
  ...pulls.filter(({ name, connection }) => name !== pull.name || connection !== pull.connection),
  pull,
];

function withProject(projects: readonly Project[], project: Project): readonly Project[] {
  const others = projects.filter((other) => other.id !== project.id);
  const isRemoved = typeof project.removedAt === "number";
  return isRemoved ? others : [project, ...others].sort((a, b) => b.openedAt - a.openedAt);
}
