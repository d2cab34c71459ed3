/** Lists and facts of the server as queries: read once, kept true by pushes, read again after a reconnect. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  skipToken,
} from "@tanstack/react-query";
import type { ProjectView, Welcome } from "@/lib/answers";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/command";
import type { AgentError } from "@/lib/error";
import type { SearchResult } from "@/lib/history";
import type { ProjectId, SessionId } from "@/lib/id";
import type { Connection as ModelConnection, DoctorRun, ModelServerState, PullState } from "@/lib/models";
import type { Project } from "@/lib/project";
import type { Push } from "@/lib/push";
import type { SessionRow } from "@/lib/session-row";
import type { NetworkState, Share } from "@/lib/share";
import type { Settings } from "@/lib/settings";
import type { Connection } from "./connection";
import { type SessionFilter, type SessionListPage, withoutRow, withRow } from "./session-lists";

/** A call that was answered with an error, for react-query and other code that throws. */
export class CallFailed extends Error {
  readonly error: AgentError;
  constructor(error: AgentError) {
    super(error.detail ?? error.code);
    this.error = error;
  }
}

/** The value of a call; throws CallFailed. */
export async function valueOf<N extends CommandName>(
  call: Connection["call"],
  name: N,
  input: CommandInput<N>,
): Promise<CommandOutput<N>> {
  const answer = await call(name, input);
  if (!answer.ok) throw new CallFailed(answer.error);
  return answer.value;
}

type Call = Connection["call"];
type SessionCursor = { readonly updatedAt: number; readonly id: SessionId } | null;
type SessionPages = InfiniteData<SessionListPage, SessionCursor>;
type SearchCursor = string | null;
type SearchPages = InfiniteData<SearchResult, SearchCursor>;
/** What statistics are about; moments in ms epoch, `zone` = whose days. */
export type StatisticsInput = CommandInput<"history.statistics">;

/** Pushes keep these true: they are never asked for twice on their own. */
const pushed = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

/** The ones without a call are told by the welcome and by pushes alone. */
export const queries = {
  welcome: () => queryOptions<Welcome>({ ...pushed, queryKey: ["welcome"], queryFn: skipToken }),
  project: (call: Call, projectId: ProjectId | null) =>
    queryOptions<ProjectView>({
      ...pushed,
      queryKey: ["project", projectId],
      queryFn: projectId === null ? skipToken : () => valueOf(call, "project.open", { projectId }),
    }),
  /** Folders of the server's machine that complete a typed path. */
  folders: (call: Call, path: string) =>
    queryOptions({
      queryKey: ["folders", path],
      retry: false,
      staleTime: 0,
      gcTime: 0,
      queryFn: () => valueOf(call, "project.folders", { path }),
    }),
  models: () => queryOptions<ModelServerState>({ ...pushed, queryKey: ["models"], queryFn: skipToken }),
  settings: () => queryOptions<Settings>({ ...pushed, queryKey: ["settings"], queryFn: skipToken }),
  /** `config.yaml` or `models.yaml` as it is on disk. */
  homeFile: (call: Call, name: "config" | "models") =>
    queryOptions({
      ...pushed,
      queryKey: [name === "config" ? "config" : "modelsFile"],
      queryFn: () => valueOf(call, name === "config" ? "config.read" : "config.read_models", {}),
    }),
  pulls: () => queryOptions<readonly PullState[]>({ ...pushed, queryKey: ["pulls"], queryFn: skipToken }),
  connections: () =>
    queryOptions<readonly ModelConnection[]>({ ...pushed, queryKey: ["connections"], queryFn: skipToken }),
  /** All share links that are active, of every session. */
  shares: () => queryOptions<readonly Share[]>({ ...pushed, queryKey: ["shares"], queryFn: skipToken }),
  /** Where the server listens. */
  network: () => queryOptions<NetworkState>({ ...pushed, queryKey: ["network"], queryFn: skipToken }),
  /** The owner's browsers that are signed in. */
  devices: (call: Call) =>
    queryOptions({ ...pushed, queryKey: ["devices"], queryFn: () => valueOf(call, "devices.list", {}) }),
  /** The test of a model that goes on, or the last one of this tab; null = none. */
  doctor: () => queryOptions<DoctorRun | null>({ ...pushed, queryKey: ["doctor"], queryFn: skipToken }),
  /** They come with the program and never change. */
  presets: (call: Call) =>
    queryOptions({
      ...pushed,
      queryKey: ["presets"],
      queryFn: async () => (await valueOf(call, "connections.list", {})).presets,
    }),
  /** What a connection's server offers, with the notes of its models; asked when its form or the use of its model opens. */
  connectionModels: (call: Call, id: string) =>
    queryOptions({
      ...pushed,
      queryKey: ["connectionModels", id],
      queryFn: async () => (await valueOf(call, "connections.models", { id })).models,
    }),
  /** Its window plan depends on what else is in memory: asked again whenever the server's state changes. */
  modelDetails: (call: Call, model: string) =>
    queryOptions({
      ...pushed,
      queryKey: ["modelDetails", model],
      queryFn: () => valueOf(call, "models.show", { model }),
    }),
  /** Asked each time a screen with it opens: what the user chose and what else is in memory may have changed. */
  windowPlan: (call: Call, model: string) =>
    queryOptions({
      queryKey: ["windowPlan", model],
      retry: false,
      staleTime: 0,
      queryFn: model === "" ? skipToken : () => valueOf(call, "models.window", { model }),
    }),
  /** Asked each time the view opens: the user may have changed the same files. `stamp` = what the session has done so far. */
  changes: (call: Call, range: CommandInput<"session.changes"> | null, stamp: string) =>
    queryOptions({
      queryKey: ["changes", range, stamp],
      retry: false,
      staleTime: 0,
      queryFn: range === null ? skipToken : () => valueOf(call, "session.changes", range),
    }),
  workingTree: (call: Call, projectId: ProjectId | null) =>
    queryOptions({
      queryKey: ["workingTree", projectId],
      retry: false,
      staleTime: 0,
      queryFn: projectId === null ? skipToken : () => valueOf(call, "project.changes", { projectId }),
    }),
  /** What putting files back would do, as the disk is now. */
  restorePlan: (call: Call, place: CommandInput<"session.restore_preview">) =>
    queryOptions({
      queryKey: ["restorePlan", place],
      retry: false,
      staleTime: 0,
      gcTime: 0,
      queryFn: () => valueOf(call, "session.restore_preview", place),
    }),
  trash: (call: Call, projectId: ProjectId) =>
    infiniteQueryOptions({
      queryKey: ["trash", projectId],
      retry: false,
      staleTime: 0,
      initialPageParam: Number.MAX_SAFE_INTEGER,
      queryFn: ({ pageParam }) => valueOf(call, "trash.list", { projectId, before: pageParam }),
      getNextPageParam: (page: CommandOutput<"trash.list">) => (page.more ? (page.entries.at(-1)?.at ?? null) : null),
    }),
  /** Asked each time it is looked at: calls go on being decided. */
  decisions: (call: Call, filter: Pick<CommandInput<"decisions.list">, "kind" | "projectId" | "sessionId">) =>
    infiniteQueryOptions({
      queryKey: ["decisions", filter],
      retry: false,
      staleTime: 0,
      initialPageParam: Number.MAX_SAFE_INTEGER,
      queryFn: ({ pageParam }) => valueOf(call, "decisions.list", { ...filter, before: pageParam }),
      getNextPageParam: (page: CommandOutput<"decisions.list">) =>
        page.more ? (page.decisions.at(-1)?.id ?? null) : null,
    }),
  rules: (call: Call) =>
    queryOptions({ ...pushed, queryKey: ["rules"], queryFn: () => valueOf(call, "rules.list", {}) }),
  folder: (call: Call, projectId: ProjectId, path: string) =>
    queryOptions({
      ...pushed,
      queryKey: ["folder", projectId, path],
      queryFn: () => valueOf(call, "files.list", { projectId, path }),
    }),
  sessions: (call: Call, filter: SessionFilter) =>
    infiniteQueryOptions<SessionListPage, Error, SessionPages, readonly [string, SessionFilter], SessionCursor>({
      ...pushed,
      queryKey: ["sessions", filter],
      initialPageParam: null,
      queryFn: ({ pageParam }) =>
        valueOf(call, "session.list", { ...filter, ...(pageParam === null ? {} : { before: pageParam }) }),
      getNextPageParam: (page) => {
        const last = page.rows.at(-1);
        return page.more && last !== undefined ? { updatedAt: last.updatedAt, id: last.id } : null;
      },
    }),
  /** Asked anew whenever it is looked at: answers go on being written. */
  search: (call: Call, query: string, filter: SessionFilter) =>
    infiniteQueryOptions<SearchResult, Error, SearchPages, readonly [string, string, SessionFilter], SearchCursor>({
      retry: false,
      staleTime: 0,
      queryKey: ["search", query, filter],
      initialPageParam: null,
      queryFn: ({ pageParam }) =>
        valueOf(call, "history.search", { ...filter, query, ...(pageParam === null ? {} : { next: pageParam }) }),
      getNextPageParam: (page) => page.next,
    }),
  statistics: (call: Call, input: StatisticsInput) =>
    queryOptions({
      retry: false,
      staleTime: 0,
      queryKey: ["statistics", input],
      queryFn: () => valueOf(call, "history.statistics", input),
    }),
  historyModels: (call: Call) =>
    queryOptions({
      retry: false,
      staleTime: 0,
      queryKey: ["historyModels"],
      queryFn: async () => (await valueOf(call, "history.models", {})).models,
    }),
} as const;

/** What the first answer of a connection already tells. */
export function seedQueries(cache: QueryClient, welcome: Welcome): void {
  cache.setQueryData(["welcome"], welcome);
  cache.setQueryData(["settings"], welcome.settings);
  cache.setQueryData(["models"], welcome.models);
  cache.setQueryData(["pulls"], welcome.pulls);
  cache.setQueryData(["connections"], welcome.connections);
  cache.setQueryData(["shares"], welcome.shares);
  cache.setQueryData(["network"], welcome.network);
  // The end of a test may have been missed; one that goes on tells of itself.
  cache.setQueryData<DoctorRun | null>(["doctor"], (run = null) => (run === null || isOver(run) ? run : null));
}

const isOver = (run: DoctorRun): boolean => run.report !== undefined || run.cancelled === true;

/** After a reconnect anything may have changed. */
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
  ])
    void cache.invalidateQueries({ queryKey: [key] });
}

/** A row that is new or changed goes into every list it fits. */
export function patchRow(cache: QueryClient, row: SessionRow): void {
  patchSessions(cache, (pages, filter) => withRow(pages, row, filter));
}

/** A session left the lists; what is in the bin is asked for again. */
export function dropRow(cache: QueryClient, id: SessionId): void {
  patchSessions(cache, (pages) => withoutRow(pages, id));
  void cache.invalidateQueries({
    predicate: ({ queryKey: [name, filter] }) => name === "sessions" && isFilter(filter) && filter.deleted === true,
  });
}

function patchSessions(
  cache: QueryClient,
  change: (pages: readonly SessionListPage[], filter: SessionFilter) => readonly SessionListPage[],
): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: ["sessions"] })) {
    const filter: SessionFilter = isFilter(query.queryKey[1]) ? query.queryKey[1] : {};
    cache.setQueryData<SessionPages>(
      query.queryKey,
      (data) => data && { ...data, pages: [...change(data.pages, filter)] },
    );
  }
}

const isFilter = (value: unknown): value is SessionFilter => typeof value === "object" && value !== null;

/** Brings a push into the lists. */
export function applyPush(cache: QueryClient, push: Push): void {
  switch (push.type) {
    case "session_row":
      return patchRow(cache, push.row);
    case "session_removed":
      return dropRow(cache, push.sessionId);
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
      // Another address or key has another list.
      void cache.invalidateQueries({ queryKey: ["connectionModels"] });
      return;
    case "doctor":
      cache.setQueryData(["doctor"], push.run);
      // The report of a connection's model comes with its list of models.
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
    case "resync":
      return;
  }
}

/** A connection's models come with what is set for them. */
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

function applyFiles(cache: QueryClient, push: Extract<Push, { type: "files" }>): void {
  for (const folder of push.folders)
    void cache.invalidateQueries({ queryKey: ["folder", push.projectId, folder], exact: true });
  cache.setQueryData<ProjectView>(
    ["project", push.projectId],
    (view) => view && { ...view, branch: push.branch, gone: push.gone },
  );
}

function withProject(welcome: Welcome, project: Welcome["projects"][number]): Welcome {
  const others = welcome.projects.filter((other) => other.id !== project.id);
  return { ...welcome, projects: [project, ...others].sort((a, b) => b.openedAt - a.openedAt) };
}
