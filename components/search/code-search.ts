/** The code search of a project: its options, the running search, what it has found and what replaces it. */
import type { AgentError } from "@/lib/events/error";
import type { CodeSearchId, ProjectId } from "@/lib/events/id";
import type { PushOf } from "@/lib/protocol/topics";
import {
  type CodeSearchEnd,
  type CodeSearchFile,
  type CodeSearchQuery,
  emptyCodeSearchQuery,
} from "@/lib/workspace/code-search";
import type { AppClient } from "../state/client";
import { createStore, type ReadableStore } from "../state/store";
import { createFoundLines } from "./found-lines";
import { createReplacer, initialReplacement, type Replacer, type ReplacementState } from "./replacer";

export interface CodeSearchState {
  readonly options: CodeSearchQuery;
  /** Options of the search that found `files`. */
  readonly foundWith: CodeSearchQuery;
  /** Whether the fields of the globs are shown. */
  readonly hasGlobFields: boolean;
  /** idle = no query. */
  readonly status: "idle" | "searching" | "stopped" | "done";
  /** null = not ended, or the request itself failed. */
  readonly end: CodeSearchEnd | null;
  /** Why the request failed; null = it did not. */
  readonly error: AgentError | null;
  /** Sorted by path, without the dismissed ones. During a search those of the one before, until there are new ones. */
  readonly files: readonly CodeSearchFile[];
  /** Paths whose lines are hidden. */
  readonly collapsed: ReadonlySet<string>;
  readonly replacement: ReplacementState;
}

export interface CodeSearch extends ReadableStore<CodeSearchState> {
  /** Changes options and searches after a pause of typing. */
  readonly type: (options: Partial<CodeSearchQuery>) => void;
  /** Changes options and searches at once. */
  readonly search: (options?: Partial<CodeSearchQuery>) => void;
  readonly stop: () => void;
  /** Removes query and results. */
  readonly clear: () => void;
  /** Removes a file, or one of its lines, from the results. */
  readonly dismiss: (path: string, line?: number) => void;
  readonly setCollapsed: (paths: readonly string[], isCollapsed: boolean) => void;
  readonly showGlobFields: (isShown: boolean) => void;
  readonly replacer: Replacer;
}

/** Pause of typing after which the search starts, ms. */
const typePauseMs = 250;

const initial: CodeSearchState = {
  options: emptyCodeSearchQuery,
  foundWith: emptyCodeSearchQuery,
  hasGlobFields: false,
  status: "idle",
  end: null,
  error: null,
  files: [],
  collapsed: new Set(),
  replacement: initialReplacement,
};

const searchByClient = new WeakMap<AppClient, { readonly projectId: ProjectId; readonly search: ProjectSearch }>();

/** Returns the search of the project. It lives until another project's search is requested. */
export function getCodeSearch(client: AppClient, projectId: ProjectId): CodeSearch {
  const existing = searchByClient.get(client);
  if (existing?.projectId === projectId) return existing.search;
  existing?.search.dispose();
  const search = createCodeSearch(client, projectId);
  searchByClient.set(client, { projectId, search });
  return search;
}

interface ProjectSearch extends CodeSearch {
  readonly dispose: () => void;
}

/** The request and the subscription of the search that runs; a later request replaces both. */
function createRun({ call, topics }: AppClient, projectId: ProjectId) {
  let running: { readonly id: CodeSearchId; readonly unsubscribe: () => void } | null = null;
  let requests = 0;
  const release = (): void => {
    requests += 1;
    running?.unsubscribe();
    running = null;
  };
  return {
    /** Returns the error of the request; null = none, or another request followed. `begin` is called before results. */
    async start(
      options: CodeSearchQuery,
      begin: () => void,
      receive: (push: PushOf<"code_search">) => void,
    ): Promise<AgentError | null> {
      release();
      const request = requests;
      const answer = await call("search.start", { projectId, ...options });
      if (request !== requests) return null;
      begin();
      if (!answer.ok) return answer.error;
      const id = answer.value.searchId;
      const unsubscribe = topics.subscribe("code_search", id, (push) => {
        if (push !== null && running?.id === id) receive(push);
      });
      running = { id, unsubscribe };
      return null;
    },
    /** Ends the search and ignores what is still on its way. */
    cancel(): void {
      const id = running?.id;
      release();
      if (id !== undefined) void call("search.cancel", { searchId: id });
    },
  };
}

function createCodeSearch(client: AppClient, projectId: ProjectId): ProjectSearch {
  const store = createStore(initial);
  const results = createFoundLines();
  const run = createRun(client, projectId);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cancel = (): void => {
    clearTimeout(timer);
    run.cancel();
  };
  const receive = (push: PushOf<"code_search">): void => {
    if (push.files.length === 0 && push.end === null) return;
    results.add(push);
    store.update((now) => ({
      ...now,
      files: results.visible(),
      end: push.end,
      status: push.end === null ? "searching" : "done",
    }));
  };
  const start = async (): Promise<void> => {
    clearTimeout(timer);
    const { options } = store.get();
    if (options.query === "") return clear();
    store.update((now) => ({ ...now, status: "searching", end: null, error: null }));
    const begin = (): void => {
      results.reset(hasSameLines(options, store.get().foundWith));
      // A new object: it identifies the results of this search.
      store.update((now) => ({ ...now, foundWith: { ...options }, replacement: { ...now.replacement, report: null } }));
    };
    const error = await run.start(options, begin, receive);
    // Without a connection the search begins again with the next one.
    if (error !== null && client.connection.state.get() === "online")
      store.update((now) => ({ ...now, status: "done", error, files: [] }));
  };
  const clear = (): void => {
    cancel();
    results.reset();
    store.update((now) => ({ ...now, ...withoutResults, options: { ...now.options, query: "" } }));
  };
  const change = (options: Partial<CodeSearchQuery>): void =>
    store.update((now) => ({ ...now, options: { ...now.options, ...options } }));
  // The server ends the search with the connection.
  const stopWatching = client.connection.state.subscribe(() => {
    if (client.connection.state.get() === "online" && store.get().status === "searching") void start();
  });
  return {
    get: store.get,
    subscribe: store.subscribe,
    type(options) {
      change(options);
      clearTimeout(timer);
      timer = setTimeout(() => void start(), typePauseMs);
    },
    search(options = {}) {
      change(options);
      void start();
    },
    stop() {
      cancel();
      store.update((now) => ({ ...now, status: "stopped" }));
    },
    clear,
    dismiss(path, line) {
      results.dismiss(path, line);
      store.update((now) => ({ ...now, files: results.visible() }));
    },
    setCollapsed: (paths, isCollapsed) => store.update((now) => withCollapsed(now, paths, isCollapsed)),
    showGlobFields: (hasGlobFields) => store.update((now) => ({ ...now, hasGlobFields })),
    replacer: createReplacer(client, projectId, store, results),
    dispose() {
      cancel();
      stopWatching();
    },
  };
}

/** Whether two searches find the same lines, perhaps with other context. */
const hasSameLines = (one: CodeSearchQuery, other: CodeSearchQuery): boolean =>
  one.context !== other.context && lineOptions.every((option) => one[option] === other[option]);

/** Options on which the lines depend. */
const lineOptions = ["query", "regex", "caseSensitive", "wholeWord", "file", "include", "exclude"] as const;

const withoutResults = {
  status: "idle",
  end: null,
  error: null,
  files: [],
  collapsed: initial.collapsed,
} as const satisfies Partial<CodeSearchState>;

function withCollapsed(now: CodeSearchState, paths: readonly string[], isCollapsed: boolean): CodeSearchState {
  const collapsed = new Set(now.collapsed);
  for (const path of paths) {
    if (isCollapsed) collapsed.add(path);
    else collapsed.delete(path);
  }
  return { ...now, collapsed };
}
