/**
 * The MCP servers in use: one process a project and server. Nothing runs before the first call, or a test by the user.
 */
import { type AgentError, fail, type Result } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import { type CallLimits, type Clock, systemClock } from "./call-limit";
import type { CallProgress } from "./client-link";
import { connectServer, type McpConnection } from "./connection";
import type { Elicit, ElicitationAnswer, ElicitationRequest } from "./elicitation";
import { type HttpVerdicts, makeHttpVerdicts } from "./http-verdicts";
import {
  idOfServer,
  type ListedTools,
  type McpServerState,
  type ServerKey,
  ServerLife,
  type ServerLifeOptions,
  type StartEvents,
  type TestedServer,
} from "./server-life";
import type { ForeignResult } from "@/server/tools/toolbox/foreign-result";
import type { HttpOptions } from "./transport/http-target";
import type { StdioOptions } from "./transport/stdio-transport";

/** Start options of a server at this moment. */
export interface ServerStart {
  readonly target: StdioOptions | HttpOptions;
  readonly limits?: Partial<CallLimits>;
}

/** Update of a waiting call: seconds since the start began, or progress that the server reports. */
export type CallUpdate =
  | { readonly kind: "starting"; readonly seconds: number }
  | ({ readonly kind: "progress" } & CallProgress);

export interface McpServersOptions extends Pick<ServerLifeOptions, "onTools" | "onOffers" | "onState"> {
  /** Version of this program. */
  readonly version: string;
  readonly clock?: Clock;
  /** Absent = they are kept in memory. */
  readonly verdicts?: HttpVerdicts;
  /**
   * Returns how to start it, at each start; fails when a variable is not set, and when it would not be started as `launch`
   * says.
   */
  resolve(key: ServerKey): Promise<Result<ServerStart>>;
  /** Asks the user; absent = questions of servers are declined. */
  elicit?(key: ServerKey, request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** The server reports that the user has finished at an address that a call required. */
  onAddressFinished?(key: ServerKey, elicitationId: string): void;
}

interface McpToolCall {
  /** As the server calls it. */
  readonly tool: string;
  readonly input: { readonly [name: string]: Json };
  onUpdate(update: CallUpdate): void;
  /**
   * Called before anything is started, and again after the start and the listing, directly before the call is sent; an error
   * is its result: the tool may have changed or gone since the approval.
   */
  check(): AgentError | null;
}

/** Every method that waits fails with aborted when its signal fires. */
export interface McpServers {
  state(key: ServerKey): McpServerState;
  log(key: ServerKey): readonly string[];
  /** Returns the entries that were left out of its newest list of tools; [] before it was listed. */
  listProblems(key: ServerKey): ListedTools["problems"];
  /** Starts it, lists its tools and ends it, unless it was running. Forgets its failures. */
  test(key: ServerKey, signal: AbortSignal): Promise<Result<TestedServer>>;
  call(key: ServerKey, call: McpToolCall, signal: AbortSignal): Promise<Result<ForeignResult>>;
  /** Uses its connection for anything else, such as resources and prompts. */
  use<T>(
    key: ServerKey,
    work: (connection: McpConnection) => Promise<Result<T>>,
    onUpdate: (update: CallUpdate) => void,
    signal: AbortSignal,
  ): Promise<Result<T>>;
  /** Ends servers: those that were removed, switched off or changed, or those of a project. */
  stop(matches: (key: ServerKey) => boolean): Promise<void>;
  /** Ends all; nothing can be started afterwards. Resolves when all processes have ended. */
  close(): Promise<void>;
}

const bindQuestions = ({ elicit, onAddressFinished }: McpServersOptions, key: ServerKey) => ({
  elicit: elicit && ((...[request, signal]: Parameters<Elicit>) => elicit(key, request, signal)),
  onAddressFinished: (elicitationId: string) => onAddressFinished?.(key, elicitationId),
});

/**
 * Removes the other launches of a server that is being started, and returns them to be ended. A launch that is not the
 * configured one is not started, and so replaces none.
 */
function takeFormer(lives: Map<string, ServerLife>, { project, server, launch }: ServerKey): readonly ServerLife[] {
  const former = [...lives.values()].filter(
    ({ key }) => key.project === project && key.server === server && key.launch !== launch,
  );
  for (const { key } of former) lives.delete(idOfServer(key));
  return former;
}

async function sendCall(
  connection: McpConnection,
  { tool, input, onUpdate, check }: McpToolCall,
  signal: AbortSignal,
): Promise<Result<ForeignResult>> {
  const error = check();
  if (error !== null) return { ok: false, error };
  return connection.callTool(tool, input, (progress) => onUpdate({ kind: "progress", ...progress }), signal);
}

export function makeMcpServers(options: McpServersOptions): McpServers {
  const { version, clock = systemClock, verdicts = makeHttpVerdicts(null, clock.now) } = options;
  const lives = new Map<string, ServerLife>();
  let isClosed = false;
  /** Resolves when the processes of replaced launches have ended. */
  let ending: Promise<void> = Promise.resolve();

  async function connect(life: ServerLife, events: StartEvents, signal: AbortSignal): Promise<Result<McpConnection>> {
    const { key } = life;
    const start = await options.resolve(key);
    if (!start.ok) return start;
    // It was replaced while it waited: nothing would end its process.
    if (find(key) !== life) return fail("changed_meanwhile");
    const ended = takeFormer(lives, key).map((former) => former.stop());
    ending = Promise.all([ending, ...ended]).then(() => {});
    const { target: server, limits } = start.value;
    const common = { version, clock, verdict: verdicts.of(key), server, limits, ...bindQuestions(options, key) };
    return connectServer({ ...common, ...events }, signal);
  }

  const find = (key: ServerKey): ServerLife | undefined => lives.get(idOfServer(key));

  function lifeOf({ project, server, launch }: ServerKey): ServerLife {
    const key = { project, server, launch };
    const life = find(key) ?? new ServerLife(key, { ...options, clock, connect });
    lives.set(idOfServer(key), life);
    return life;
  }

  async function use<T>(
    key: ServerKey,
    work: (connection: McpConnection) => Promise<Result<T>>,
    onUpdate: (update: CallUpdate) => void,
    signal: AbortSignal,
  ): Promise<Result<T>> {
    if (isClosed) return fail("aborted");
    return lifeOf(key).use(work, (seconds) => onUpdate({ kind: "starting", seconds }), signal);
  }

  async function stop(matches: (key: ServerKey) => boolean): Promise<void> {
    await Promise.all([...lives.values()].flatMap((life) => (matches(life.key) ? [life.stop()] : [])));
  }

  return {
    state: (key) => find(key)?.state ?? { status: "stopped" },
    log: (key) => find(key)?.log() ?? [],
    listProblems: (key) => find(key)?.listProblems ?? [],
    test: async (key, signal) => (isClosed ? fail("aborted") : lifeOf(key).test(signal)),
    async call(key, call, signal) {
      const error = call.check();
      if (error !== null) return { ok: false, error };
      return use(key, (connection) => sendCall(connection, call, signal), call.onUpdate, signal);
    },
    use,
    stop,
    async close() {
      isClosed = true;
      await Promise.all([stop(() => true), ending]);
    },
  };
}
