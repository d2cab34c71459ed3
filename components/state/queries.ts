/** Server data as queries: fetched once, updated by pushes, fetched again after a reconnect. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  skipToken,
} from "@tanstack/react-query";
import type { ProjectView, Welcome } from "@/lib/protocol/answers";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { AgentError } from "@/lib/events/error";
import type { SearchResult } from "@/lib/protocol/history";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Connection as ModelConnection, DoctorRun, ModelServerState, PullState } from "@/lib/models/models";
import type { Project } from "@/lib/workspace/project";
import type { Push } from "@/lib/protocol/push";
import type { PushOf } from "@/lib/protocol/topics";
import type { SessionRow } from "@/lib/protocol/session-row";
import type { NetworkState, Share } from "@/lib/protocol/share";
import type { Settings } from "@/lib/settings/settings";
import type { ServerConnection } from "./connection/server-connection";
import { type SessionFilter, type SessionListPage, removeRow, upsertRow } from "./session/session-lists";

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
type SessionCursor = { readonly updatedAt: number; readonly id: SessionId } | null;
type SessionPages = InfiniteData<SessionListPage, SessionCursor>;
type SearchCursor = string | null;
type SearchPages = InfiniteData<SearchResult, SearchCursor>;
/** Input of statistics; times in ms epoch, `zone` = time zone of the days. */
type StatisticsInput = CommandInput<"history.statistics">;

/** Options of queries that pushes update: never fetched again automatically. */
const pushedOptions = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

/** Queries without a function receive their data from the welcome and pushes alone. */
export const queries = {
  welcome: () => queryOptions<Welcome>({ ...pushedOptions, queryKey: ["welcome"], queryFn: skipToken }),
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
  models: () => queryOptions<ModelServerState>({ ...pushedOptions, queryKey: ["models"], queryFn: skipToken }),
  settings: () => queryOptions<Settings>({ ...pushedOptions, queryKey: ["settings"], queryFn: skipToken }),
  /** `config.yaml` or `models.yaml` as on disk. */
  homeFile: (call: Call, name: "config" | "models") =>
    queryOptions({
      ...pushedOptions,
      queryKey: [name === "config" ? "config" : "modelsFile"],
      queryFn: () => callValue(call, name === "config" ? "config.read" : "config.read_models", {}),
    }),
  pulls: () => queryOptions<readonly PullState[]>({ ...pushedOptions, queryKey: ["pulls"], queryFn: skipToken }),
  connections: () =>
    queryOptions<readonly ModelConnection[]>({ ...pushedOptions, queryKey: ["connections"], queryFn: skipToken }),
  /** All active share links of all sessions. */
  shares: () => queryOptions<readonly Share[]>({ ...pushedOptions, queryKey: ["shares"], queryFn: skipToken }),
  /** Listen addresses of the server. */
  network: () => queryOptions<NetworkState>({ ...pushedOptions, queryKey: ["network"], queryFn: skipToken }),
  /** The owner's signed-in browsers. */
  devices: (call: Call) =>
    queryOptions({ ...pushedOptions, queryKey: ["devices"], queryFn: () => callValue(call, "devices.list", {}) }),
  /** The running model test, or the last one in this tab; null = none. */
  doctor: () => queryOptions<DoctorRun | null>({ ...pushedOptions, queryKey: ["doctor"], queryFn: skipToken }),
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
  workingTree: (call: Call, projectId: ProjectId | null) =>
    queryOptions({
      queryKey: ["workingTree", projectId],
      retry: false,
      staleTime: 0,
      queryFn: projectId === null ? skipToken : () => callValue(call, "project.changes", { projectId }),
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
  rules: (call: Call) =>
    queryOptions({ ...pushedOptions, queryKey: ["rules"], queryFn: () => callValue(call, "rules.list", {}) }),
  folder: (call: Call, projectId: ProjectId, path: string) =>
    queryOptions({
      ...pushedOptions,
      queryKey: ["folder", projectId, path],
      queryFn: () => callValue(call, "files.list", { projectId, path }),
    }),
  sessions: (call: Call, filter: SessionFilter) =>
    infiniteQueryOptions<SessionListPage, Error, SessionPages, readonly [string, SessionFilter], SessionCursor>({
      ...pushedOptions,
      queryKey: ["sessions", filter],
      initialPageParam: null,
      queryFn: ({ pageParam }) =>
        callValue(call, "session.list", { ...filter, ...(pageParam === null ? {} : { before: pageParam }) }),
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
      queryFn: ({ pageParam }) =>
        callValue(call, "history.search", { ...filter, query, ...(pageParam === null ? {} : { next: pageParam }) }),
      getNextPageParam: (page) => page.next,
    }),
  statistics: (call: Call, input: StatisticsInput) =>
    queryOptions({
      retry: false,
      staleTime: 0,
      queryKey: ["statistics", input],
      queryFn: () => callValue(call, "history.statistics", input),
    }),
  historyModels: (call: Call) =>
    queryOptions({
      retry: false,
      staleTime: 0,
      queryKey: ["historyModels"],
      queryFn: async () => (await callValue(call, "history.models", {})).models,
    }),
} as const;

/** Fills the queries from the welcome. */
export function seedQueries(cache: QueryClient, welcome: Welcome): void {
  cache.setQueryData(["welcome"], welcome);
  cache.setQueryData(["settings"], welcome.settings);
  cache.setQueryData(["models"], welcome.models);
  cache.setQueryData(["pulls"], welcome.pulls);
  cache.setQueryData(["connections"], welcome.connections);
  cache.setQueryData(["shares"], welcome.shares);
  cache.setQueryData(["network"], welcome.network);
  // The end of a test may have been missed; a running one sends pushes.
  cache.setQueryData<DoctorRun | null>(["doctor"], (run = null) => (run === null || isOver(run) ? run : null));
}

const isOver = (run: DoctorRun): boolean => run.report !== undefined || run.cancelled === true;

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
    "trash",
  ])
    void cache.invalidateQueries({ queryKey: [key] });
}

/** Inserts or updates a row in every list whose filter matches. */
export function upsertSessionRow(cache: QueryClient, row: SessionRow): void {
  updateSessionLists(cache, (pages, filter) => upsertRow(pages, row, filter));
}

/** Removes a session from the lists and invalidates those of deleted sessions. */
export function removeSessionRow(cache: QueryClient, id: SessionId): void {
  updateSessionLists(cache, (pages) => removeRow(pages, id));
  void cache.invalidateQueries({
    predicate: ({ queryKey: [name, filter] }) =>
      name === "sessions" && isSessionFilter(filter) && filter.deleted === true,
  });
}

function updateSessionLists(
  cache: QueryClient,
  change: (pages: readonly SessionListPage[], filter: SessionFilter) => readonly SessionListPage[],
): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: ["sessions"] })) {
    const filter: SessionFilter = isSessionFilter(query.queryKey[1]) ? query.queryKey[1] : {};
    cache.setQueryData<SessionPages>(
      query.queryKey,
      (data) => data && { ...data, pages: [...change(data.pages, filter)] },
    );
  }
}

const isSessionFilter = (value: unknown): value is SessionFilter => typeof value === "object" && value !== null;

/** Applies a push to the cache. */
export function applyPush(cache: QueryClient, push: Push): void {
  switch (push.type) {
    case "session_row":
      return upsertSessionRow(cache, push.row);
    case "session_removed":
      return removeSessionRow(cache, push.sessionId);
    case "project":
      return applyProject(cache, push.project);
    case "models":
      cache.setQueryData(["models"], push.state);
      void cache.invalidateQueries({ queryKey: ["modelDetails"] });
      return;
    case "pull":
      cache.setQueryData<readonly PullState[]>(["pulls"], (pulls = []) => [
        ...pulls.filter((pull) => pull.name !== push.pull.name),
        push.pull,
      ]);
      return;
    case "connections":
      cache.setQueryData(["connections"], push.connections);
      // Another address or key may list other models.
      void cache.invalidateQueries({ queryKey: ["connectionModels"] });
      return;
    case "doctor":
      cache.setQueryData(["doctor"], push.run);
      // The list of a connection's models includes their reports.
      if (isOver(push.run)) void cache.invalidateQueries({ queryKey: ["connectionModels"] });
      return;
    case "settings":
      cache.setQueryData(["settings"], push.settings);
      void cache.invalidateQueries({ queryKey: ["config"] });
      return;
    case "config":
      void cache.invalidateQueries({ queryKey: ["config"] });
      return;
    case "models_file":
      return applyModelsFile(cache);
    case "rules":
      void cache.invalidateQueries({ queryKey: ["rules"] });
      return;
    case "shares":
      cache.setQueryData(["shares"], push.shares);
      return;
    case "network":
      cache.setQueryData(["network"], push.network);
      return;
    case "devices":
      void cache.invalidateQueries({ queryKey: ["devices"] });
      return;
    case "trash":
      void cache.invalidateQueries({ queryKey: ["trash", push.projectId] });
      return;
    case "files":
      return applyFiles(cache, push);
    case "store":
      return;
  }
}

/** The list of a connection's models includes their settings. */
function applyModelsFile(cache: QueryClient): void {
  for (const key of ["modelsFile", "modelDetails", "connectionModels"])
    void cache.invalidateQueries({ queryKey: [key] });
}

function applyProject(cache: QueryClient, project: Project): void {
  cache.setQueryData<Welcome>(["welcome"], (welcome) => welcome && withProject(welcome, project));
  // Its trust may have changed in another tab.
  cache.setQueryData<ProjectView>(
    ["project", project.id],
    (view) => view && { ...view, project, trusted: typeof project.trustedAt === "number" },
  );
}

function applyFiles(cache: QueryClient, push: PushOf<"files">): void {
  for (const folder of push.folders)
    void cache.invalidateQueries({ queryKey: ["folder", push.projectId, folder], exact: true });
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

function withProject(welcome: Welcome, project: Welcome["projects"][number]): Welcome {
  const others = welcome.projects.filter((other) => other.id !== project.id);
  return { ...welcome, projects: [project, ...others].sort((a, b) => b.openedAt - a.openedAt) };
}
