/** Data fetched from the server as queries: updated or invalidated by pushes, fetched again after a reconnect. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  skipToken,
} from "@tanstack/react-query";
import type { EvalOverview } from "@/lib/evals/evals";
import type { ProjectView } from "@/lib/protocol/answers";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { AgentError } from "@/lib/events/error";
import type { SearchResult } from "@/lib/protocol/history";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { PullState } from "@/lib/models/models";
import type { Project } from "@/lib/workspace/project";
import type { Folder } from "@/lib/workspace/project-files";
import type { Push } from "@/lib/protocol/push";
import type { PushOf } from "@/lib/protocol/topics";
import type { TerminalInfo } from "@/lib/terminal/terminal";
import type { ServerConnection } from "./connection/server-connection";
import { fetchFolder, refreshChangedFolder } from "./folder-pages";
import { hasDoctorRunEnded, type ServerStateStore } from "./server-state";
import {
  removeSessionRow,
  type SessionCursor,
  type SessionPages,
  upsertSessionRow,
} from "./session/cached-session-lists";
import type { SessionFilter, SessionListPage } from "./session/session-lists";

/** Error of a call that was answered with an error, for react-query and other code that throws. */
export class CallError extends Error {
  readonly error: AgentError;
  constructor(error: AgentError) {
    super(error.detail ?? error.code);
    this.error = error;
  }
}

/** Returns the value of a call; throws CallError. */
export async function callValue<N extends CommandName>(
  call: ServerConnection["call"],
  name: N,
  input: CommandInput<N>,
): Promise<CommandOutput<N>> {
  const answer = await call(name, input);
  if (!answer.ok) throw new CallError(answer.error);
  return answer.value;
}

type Call = ServerConnection["call"];
type SearchCursor = string | null;
type SearchPages = InfiniteData<SearchResult, SearchCursor>;

/** Options of queries that pushes update: never fetched again automatically. */
const pushedOptions = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

export const queries = {
  project: (call: Call, projectId: ProjectId | null) =>
    queryOptions<ProjectView>({
      ...pushedOptions,
      queryKey: ["project", projectId],
      queryFn: projectId === null ? skipToken : () => callValue(call, "project.open", { projectId }),
    }),
  /** Folders on the server's machine, for completing a typed path. */
  folders: (call: Call, path: string) =>
    queryOptions({
      queryKey: ["folders", path],
      retry: false,
      staleTime: 0,
      gcTime: 0,
      queryFn: () => callValue(call, "project.folders", { path }),
    }),
  /** `config.yaml` or `models.yaml` as on disk. */
  homeFile: (call: Call, name: "config" | "models") =>
    queryOptions({
      ...pushedOptions,
      queryKey: [name === "config" ? "config" : "modelsFile"],
      queryFn: () => callValue(call, name === "config" ? "config.read" : "config.read_models", {}),
    }),
  terminals: (call: Call, projectId: ProjectId) =>
    queryOptions<readonly TerminalInfo[]>({
      ...pushedOptions,
      queryKey: ["terminals", projectId],
      queryFn: async () => (await callValue(call, "terminal.list", { projectId })).terminals,
    }),
  /** The owner's signed-in browsers. */
  devices: (call: Call) =>
    queryOptions({ ...pushedOptions, queryKey: ["devices"], queryFn: () => callValue(call, "devices.list", {}) }),
  /** Constant for the program version. */
  presets: (call: Call) =>
    queryOptions({
      ...pushedOptions,
      queryKey: ["presets"],
      queryFn: async () => (await callValue(call, "connections.list", {})).presets,
    }),
  /** Models of a connection's server with their notes; fetched when its form or the model settings open. */
  connectionModels: (call: Call, id: string) =>
    queryOptions({
      ...pushedOptions,
      queryKey: ["connectionModels", id],
      queryFn: async () => (await callValue(call, "connections.models", { id })).models,
    }),
  /**
   * Includes the window plan, which depends on other models in memory: invalidated whenever the server's state
   * changes.
   */
  modelDetails: (call: Call, model: string) =>
    queryOptions({
      ...pushedOptions,
      queryKey: ["modelDetails", model],
      queryFn: () => callValue(call, "models.show", { model }),
    }),
  /** Fetched each time a screen with it opens: settings and memory may have changed. */
  windowPlan: (call: Call, model: string) =>
    queryOptions({
      queryKey: ["windowPlan", model],
      retry: false,
      staleTime: 0,
      queryFn: model === "" ? skipToken : () => callValue(call, "models.window", { model }),
    }),
  /** Fetched each time the view opens: the user may have changed the same files. `stamp` = progress of the session. */
  changes: (call: Call, range: CommandInput<"session.changes"> | null, stamp: string) =>
    queryOptions({
      queryKey: ["changes", range, stamp],
      retry: false,
      staleTime: 0,
      queryFn: range === null ? skipToken : () => callValue(call, "session.changes", range),
    }),
  /** `stamp` = progress of the session; also fetched again when a pinned file changes. */
  pins: (call: Call, sessionId: SessionId, stamp: string) =>
    queryOptions({
      queryKey: ["pins", sessionId, stamp],
      retry: false,
      staleTime: 0,
      queryFn: () => callValue(call, "session.pins", { sessionId }),
    }),
  workingTree: (call: Call, projectId: ProjectId | null) =>
    queryOptions({
      queryKey: ["workingTree", projectId],
      retry: false,
      staleTime: 0,
      queryFn: projectId === null ? skipToken : () => callValue(call, "project.changes", { projectId }),
    }),
  /** What git marks in the tree; fetched again after changes. */
  gitMarks: (call: Call, projectId: ProjectId, isTrusted: boolean) =>
    queryOptions({
      ...pushedOptions,
      queryKey: ["gitMarks", projectId],
      enabled: isTrusted,
      staleTime: 0,
      queryFn: async () => (await callValue(call, "project.marks", { projectId })).marks,
    }),
  /** Effects of restoring files, based on the current disk content. */
  restorePlan: (call: Call, place: CommandInput<"session.restore_preview">) =>
    queryOptions({
      queryKey: ["restorePlan", place],
      retry: false,
      staleTime: 0,
      gcTime: 0,
      queryFn: () => callValue(call, "session.restore_preview", place),
    }),
  trash: (call: Call, projectId: ProjectId) =>
    infiniteQueryOptions({
      queryKey: ["trash", projectId],
      retry: false,
      staleTime: 0,
      initialPageParam: Number.MAX_SAFE_INTEGER,
      queryFn: ({ pageParam }) => callValue(call, "trash.list", { projectId, before: pageParam }),
      getNextPageParam: (page: CommandOutput<"trash.list">) => (page.more ? (page.entries.at(-1)?.at ?? null) : null),
    }),
  /** Fetched on each mount: decisions are made continuously. */
  decisions: (call: Call, filter: Pick<CommandInput<"decisions.list">, "kind" | "projectId" | "sessionId">) =>
    infiniteQueryOptions({
      queryKey: ["decisions", filter],
      retry: false,
      staleTime: 0,
      initialPageParam: Number.MAX_SAFE_INTEGER,
      queryFn: ({ pageParam }) => callValue(call, "decisions.list", { ...filter, before: pageParam }),
      getNextPageParam: (page: CommandOutput<"decisions.list">) =>
        page.more ? (page.decisions.at(-1)?.id ?? null) : null,
    }),
  evals: (call: Call) =>
    queryOptions<EvalOverview>({
      ...pushedOptions,
      queryKey: ["evals"],
      staleTime: 0,
      queryFn: () => callValue(call, "evals.list", {}),
    }),
  rules: (call: Call) =>
    queryOptions({ ...pushedOptions, queryKey: ["rules"], queryFn: () => callValue(call, "rules.list", {}) }),
  folder: (call: Call, projectId: ProjectId, path: string) =>
    queryOptions({
      ...pushedOptions,
      queryKey: ["folder", projectId, path],
      // The signal is not used: an aborted query would keep the first page as the whole folder.
      queryFn: ({ client, queryKey }) =>
        fetchFolder(
          (after) => callValue(call, "files.list", { projectId, path, after }),
          (first) => client.setQueryData<Folder>(queryKey, (cached) => cached ?? first),
        ),
    }),
  sessions: (call: Call, filter: SessionFilter) =>
    infiniteQueryOptions<SessionListPage, Error, SessionPages, readonly [string, SessionFilter], SessionCursor>({
      ...pushedOptions,
      queryKey: ["sessions", filter],
      initialPageParam: null,
      queryFn: ({ pageParam }) => callValue(call, "session.list", { ...filter, before: pageParam ?? undefined }),
      getNextPageParam: (page) => {
        const last = page.rows.at(-1);
        return page.more && last !== undefined ? { updatedAt: last.updatedAt, id: last.id } : null;
      },
    }),
  /** Fetched on each mount: answers are written continuously. */
  search: (call: Call, query: string, filter: SessionFilter) =>
    infiniteQueryOptions<SearchResult, Error, SearchPages, readonly [string, string, SessionFilter], SearchCursor>({
      retry: false,
      staleTime: 0,
      queryKey: ["search", query, filter],
      initialPageParam: null,
      queryFn: ({ pageParam }) => callValue(call, "history.search", { ...filter, query, next: pageParam ?? undefined }),
      getNextPageParam: (page) => page.next,
    }),
} as const;

/** Invalidates queries after a reconnect, since pushes may have been missed. */
export function refreshQueries(cache: QueryClient): void {
  for (const key of [
    "sessions",
    "folder",
    "project",
    "rules",
    "modelDetails",
    "connectionModels",
    "modelsFile",
    "devices",
    "automations",
    "channels",
    "trash",
    "terminals",
    "tree",
    "gitMarks",
    "evals",
    "engine",
    "mcp",
  ])
    void cache.invalidateQueries({ queryKey: [key] });
}

/** Applies a push to the cache and the server's state. */
export function applyPush(cache: QueryClient, serverState: ServerStateStore, push: Push): void {
  switch (push.type) {
    case "session_row":
      // The tree of a session names its forks.
      if (push.row.forkedFrom !== undefined) void cache.invalidateQueries({ queryKey: ["tree", push.row.forkedFrom] });
      return upsertSessionRow(cache, push.row);
    case "session_removed":
      return removeSessionRow(cache, push.sessionId);
    case "project":
      return applyProject(cache, serverState, push.project);
    case "models":
      serverState.merge({ models: push.state });
      void cache.invalidateQueries({ queryKey: ["modelDetails"] });
      return;
    case "pull":
      return applyPull(serverState, push.pull);
    case "connections":
      serverState.merge({ connections: push.connections });
      // Another address or key may list other models.
      void cache.invalidateQueries({ queryKey: ["connectionModels"] });
      return;
    case "doctor":
      serverState.merge({ doctor: push.run });
      // The list of a connection's models includes their reports.
      if (hasDoctorRunEnded(push.run)) void cache.invalidateQueries({ queryKey: ["connectionModels"] });
      return;
    case "engine":
      return void cache.setQueryData(["engine"], push.state);
    case "questions":
      return void cache.setQueryData(["questions"], push.questions);
    case "evals":
      cache.setQueryData<EvalOverview>(["evals"], (data) => data && { ...data, run: push.run });
      return;
    case "settings":
      serverState.merge({ settings: push.settings });
      void cache.invalidateQueries({ queryKey: ["config"] });
      return;
    case "models_file":
      return applyModelsFile(cache);
    case "shares":
      serverState.merge({ shares: push.shares });
      return;
    case "notices":
      serverState.merge({ notices: push.notices });
      return;
    case "network":
      serverState.merge({ network: push.network });
      return;
    case "config":
    case "rules":
    case "devices":
    case "automations":
    case "channels":
      return void cache.invalidateQueries({ queryKey: [push.type] });
    case "mcp":
    case "trash":
      return void cache.invalidateQueries({ queryKey: [push.type, push.projectId] });
    case "terminals":
      return void cache.setQueryData(["terminals", push.projectId], push.terminals);
    case "files":
      return applyFiles(cache, push);
    case "store":
    case "terminal":
    case "code_search":
      return;
  }
}

/** The list of a connection's models includes their settings. */
function applyModelsFile(cache: QueryClient): void {
  for (const key of ["modelsFile", "modelDetails", "connectionModels"])
    void cache.invalidateQueries({ queryKey: [key] });
}

function applyPull(serverState: ServerStateStore, pull: PullState): void {
  const { pulls = [] } = serverState.get();
  serverState.merge({
    pulls: [...pulls.filter(({ name, connection }) => name !== pull.name || connection !== pull.connection), pull],
  });
}

function applyProject(cache: QueryClient, serverState: ServerStateStore, project: Project): void {
  const { projects } = serverState.get();
  if (projects !== undefined) serverState.merge({ projects: withProject(projects, project) });
  // Its trust may have changed in another tab.
  cache.setQueryData<ProjectView>(
    ["project", project.id],
    (view) => view && { ...view, project, trusted: typeof project.trustedAt === "number" },
  );
  // Without trust git is not run for it.
  void cache.invalidateQueries({ queryKey: ["workingTree", project.id] });
}

function applyFiles(cache: QueryClient, push: PushOf<"files">): void {
  for (const folder of push.folders) void refreshChangedFolder(cache, ["folder", push.projectId, folder]);
  cache.setQueryData<ProjectView>(
    ["project", push.projectId],
    (view) => view && { ...view, branch: push.branch, gone: push.gone },
  );
}

/** The server no longer reports changes of these files: they are fetched when they are displayed again. */
export function expireProjectFiles(cache: QueryClient, projectId: ProjectId): void {
  for (const key of ["folder", "project"])
    void cache.invalidateQueries({ queryKey: [key, projectId], refetchType: "none" });
}

function withProject(projects: readonly Project[], project: Project): readonly Project[] {
  const others = projects.filter((other) => other.id !== project.id);
  const isRemoved = typeof project.removedAt === "number";
  return isRemoved ? others : [project, ...others].sort((a, b) => b.openedAt - a.openedAt);
}
