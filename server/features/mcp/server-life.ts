/**
 * The life of one server in one project: started by the first call, ended when it has been idle. After failed starts the
 * next one waits longer each time; after too many it waits for the user.
 */
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { McpFailure } from "@/lib/events/error-reasons";
import type { Hash } from "@/lib/events/id";
import { abortable } from "@/server/base/abort";
import { makeSlots, oneAtATime } from "@/server/base/concurrency";
import type { Clock } from "./call-limit";
import type { ConnectOptions } from "./client-link";
import type { McpConnection } from "./connection";
import { failMcp, failureReason } from "./failure";
import type { McpList, McpTool } from "./server-lists";
import { type ListedOffers, listOffers, noOffers } from "./server-offers";

const serverTimes = {
  /** A call waits this long for the start, which may continue until `startMs`. */
  callWaitMs: 60_000,
  startMs: 180_000,
  idleMs: 600_000,
  /** Delay of the start after the first failure; doubled by each further one, up to the maximum. */
  backOffMs: 1_000,
  backOffMaxMs: 16_000,
  /** Failures within this time count. */
  failureWindowMs: 600_000,
} as const;
const maxFailures = 5;
const callsAtOnce = 4;
const startTickMs = 1_000;
/** After these a connection to an address is of no use. */
const lostReasons: ReadonlySet<McpFailure["reason"]> = new Set(["session_expired", "unreachable", "signed_out"]);

export interface ListedTools extends McpList<McpTool> {
  readonly instructions: string;
}

export interface TestedServer extends ListedTools {
  readonly offers: ListedOffers;
}

/** failed = it ended by itself or could not be started; `isWaiting`: it is not started again before the user asks for it. */
export type McpServerState =
  | { readonly status: "stopped" }
  /** since: ms since 1970, for display */
  | { readonly status: "starting"; readonly since: number }
  | { readonly status: "running"; readonly pid: number | null }
  | { readonly status: "failed"; readonly error: AgentError; readonly isWaiting: boolean };

/** A server in a project. */
export interface ServerKey {
  /** Id of the project. */
  readonly project: string;
  /** Name of the server. */
  readonly server: string;
  /** Hash of how it is started, as the user approved it or is about to. */
  readonly launch: Hash;
}

/** One text for each key. */
export const idOfServer = ({ project, server, launch }: ServerKey): string => JSON.stringify([project, server, launch]);

/** Events that a server reports while it starts and runs. */
export type StartEvents = Pick<ConnectOptions, "onToolsChanged" | "onOffersChanged" | "onProcess">;

export interface ServerLifeOptions {
  readonly clock: Clock;
  /** Starts it. The signal fires at the time limit of the start, and when the server is stopped. */
  connect(life: ServerLife, events: StartEvents, signal: AbortSignal): Promise<Result<McpConnection>>;
  /** Gets the tools after each start, before a call is sent, and after each change. */
  onTools(key: ServerKey, list: ListedTools): void;
  /** Gets its prompts and resources after each start, while calls may run, and after each change. */
  onOffers?(key: ServerKey, offers: ListedOffers): void;
  onState(key: ServerKey, state: McpServerState): void;
}

interface Start {
  readonly sinceMs: number;
  readonly cancel: AbortController;
  readonly result: Promise<Result<McpConnection>>;
}

export class ServerLife {
  readonly #options: ServerLifeOptions;
  readonly #slots = makeSlots(callsAtOnce);
  #state: McpServerState = { status: "stopped" };
  #start: Start | null = null;
  #connection: McpConnection | null = null;
  /** Returns the log of the newest process, also after its end. */
  #log = (): readonly string[] => [];
  #listed: ListedTools | null = null;
  /** Lists the prompts and resources of the newest connection. */
  #relistOffers = (): void => {};
  /** The newest of those lists. */
  #offered: Promise<ListedOffers> = Promise.resolve(noOffers);
  /** Resolves when the processes of earlier connections have ended. */
  #ending: Promise<void> = Promise.resolve();
  #failures: readonly number[] = [];
  #users = 0;
  #cancelIdle = (): void => {};

  constructor(
    readonly key: ServerKey,
    options: ServerLifeOptions,
  ) {
    this.#options = options;
  }

  get state(): McpServerState {
    return this.#state;
  }

  /** The last lines it printed beside the protocol in its last run, masked. */
  log(): readonly string[] {
    return this.#log();
  }

  /** Entries that were left out of its newest list of tools. */
  get listProblems(): ListedTools["problems"] {
    return this.#listed?.problems ?? [];
  }

  /**
   * Runs `work` with a connection, at most four at a time. `onStarting` gets the seconds that the start has taken. Fails
   * with the reason of a failed start, with starting after a minute, and with waiting.
   */
  async use<T>(
    work: (connection: McpConnection) => Promise<Result<T>>,
    onStarting: (seconds: number) => void,
    signal: AbortSignal,
  ): Promise<Result<T>> {
    const run = (): Promise<Result<T>> =>
      this.#counted(async () => {
        if (signal.aborted) return fail("aborted");
        const found = await this.#getConnection(onStarting, serverTimes.callWaitMs, signal);
        if (!found.ok) return found;
        const result = await work(found.value);
        const reason = result.ok ? null : failureReason(result.error);
        // The page shows that the user has to sign in again.
        if (reason === "scope_missing") this.#change(this.#state);
        if (result.ok || reason === null || !lostReasons.has(reason)) return result;
        this.#lose(found.value, result.error);
        if (reason !== "session_expired") return result;
        // The server has not run it.
        const next = await this.#getConnection(onStarting, serverTimes.callWaitMs, signal);
        return next.ok ? work(next.value) : next;
      });
    return abortable(this.#slots(run), signal).catch((error: unknown) => {
      if (signal.aborted) return fail("aborted");
      throw error;
    });
  }

  /** The user asks for it: starts it whatever has failed before, lists its tools, and ends it unless it was running. */
  async test(signal: AbortSignal): Promise<Result<TestedServer>> {
    this.#failures = [];
    const wasActive = this.#connection !== null || this.#start !== null;
    const tested = await this.#counted(async () => {
      const found = await this.#getConnection(() => {}, serverTimes.startMs + serverTimes.callWaitMs, signal);
      if (!found.ok) return found;
      const listed = wasActive || this.#listed === null ? await this.#list(found.value, signal) : ok(this.#listed);
      if (!listed.ok) return listed;
      if (wasActive) this.#relistOffers();
      return ok({ ...listed.value, offers: await abortable(this.#offered, signal) });
    });
    if (!wasActive && this.#users === 0 && this.#state.status !== "failed") await this.stop();
    return tested;
  }

  /** Ends it, also while it starts, and forgets its failures; calls fail. Resolves when its processes have ended. */
  async stop(): Promise<void> {
    this.#cancelIdle();
    this.#failures = [];
    const starting = this.#start;
    const running = this.#connection;
    this.#start = null;
    if (starting !== null) {
      starting.cancel.abort();
      this.#endsAfter(starting.result);
    }
    if (running !== null) this.#end(running);
    if (this.#state.status !== "stopped") this.#change({ status: "stopped" });
    await this.#ending;
  }

  #change(next: McpServerState): void {
    this.#state = next;
    this.#options.onState(this.key, next);
  }

  #recentFailures(): readonly number[] {
    const now = this.#options.clock.now();
    return this.#failures.filter((at) => now - at < serverTimes.failureWindowMs);
  }

  #isWaiting(): boolean {
    return this.#recentFailures().length >= maxFailures;
  }

  #failed(error: AgentError): void {
    // The user is asked to sign in; the next start after that must not wait.
    const reason = failureReason(error);
    if (reason !== "signed_out" && reason !== "scope_missing")
      this.#failures = [...this.#recentFailures(), this.#options.clock.now()];
    this.#change({ status: "failed", error, isWaiting: this.#isWaiting() });
  }

  #endsAfter(work: Promise<unknown>): void {
    this.#ending = Promise.all([this.#ending, work]).then(() => {});
  }

  #end(ended: McpConnection): void {
    if (this.#connection === ended) this.#connection = null;
    this.#endsAfter(ended.close());
  }

  /** A request found out that the connection cannot be used any more. */
  #lose(lost: McpConnection, error: AgentError): void {
    if (this.#connection !== lost) return;
    this.#end(lost);
    if (failureReason(error) === "session_expired") this.#change({ status: "stopped" });
    else this.#failed(error);
  }

  async #list(from: McpConnection, signal: AbortSignal): Promise<Result<ListedTools>> {
    const tools = await from.listTools(signal);
    if (!tools.ok) return tools;
    this.#listed = { ...tools.value, instructions: from.instructions };
    this.#options.onTools(this.key, this.#listed);
    return ok(this.#listed);
  }

  /** Ends with the connection. Does not count as its use. */
  async #listOffers(from: McpConnection): Promise<ListedOffers> {
    const gone = new AbortController();
    void from.closed.then(() => gone.abort());
    const offers = await listOffers(from, gone.signal);
    this.#options.onOffers?.(this.key, offers);
    return offers;
  }

  #begin(): Start {
    const { clock } = this.#options;
    const cancel = new AbortController();
    const limit = new AbortController();
    const cancelLimit = clock.after(serverTimes.startMs, () => limit.abort());
    const sinceMs = clock.now();
    const run = async (): Promise<Result<McpConnection>> => {
      const either = AbortSignal.any([cancel.signal, limit.signal]);
      const result = await this.#open(either).catch(
        (error: unknown): Result<never> => fail(either.aborted ? "aborted" : "internal", String(error)),
      );
      cancelLimit();
      if (this.#start?.cancel === cancel) this.#start = null;
      if (cancel.signal.aborted) {
        if (result.ok) await result.value.close();
        return fail("aborted");
      }
      if (result.ok) return this.#ready(result.value);
      const isLate = limit.signal.aborted && result.error.code === "aborted";
      const shown = isLate ? failMcp({ reason: "no_answer", seconds: serverTimes.startMs / 1_000 }) : result;
      this.#failed(shown.error);
      return shown;
    };
    this.#change({ status: "starting", since: Date.now() });
    return { sinceMs, cancel, result: run() };
  }

  async #open(signal: AbortSignal): Promise<Result<McpConnection>> {
    const { clock, connect } = this.#options;
    await abortable(this.#ending, signal);
    const recent = this.#recentFailures();
    const latest = recent.at(-1);
    if (latest !== undefined) {
      const delay = Math.min(serverTimes.backOffMaxMs, serverTimes.backOffMs * 2 ** (recent.length - 1));
      await waitFor(clock, latest + delay - clock.now(), signal);
    }
    let relist = (): void => {};
    let relistOffers = (): void => {};
    const onProcess = (log: () => readonly string[]): void => {
      this.#log = log;
    };
    const connected = await connect(
      this,
      { onToolsChanged: () => relist(), onOffersChanged: () => relistOffers(), onProcess },
      signal,
    );
    if (!connected.ok) return connected;
    const { value } = connected;
    const listTools = oneAtATime(() => this.#list(value, signal));
    relist = () =>
      void listTools().catch((error: unknown) => this.#failed({ code: "internal", detail: String(error) }));
    try {
      const first = await listTools();
      if (first.ok) {
        const listOffered = oneAtATime(() => this.#listOffers(value));
        relistOffers = () => {
          this.#offered = listOffered();
          // A test of the server reports the failure.
          this.#offered.catch(() => {});
        };
        this.#relistOffers = relistOffers;
        relistOffers();
        return connected;
      }
      await value.close();
      return first;
    } catch (error) {
      await value.close();
      throw error;
    }
  }

  #ready(value: McpConnection): Result<McpConnection> {
    this.#connection = value;
    this.#change({ status: "running", pid: value.pid });
    void value.closed.then((error) => {
      // Ended from here.
      if (this.#connection !== value) return;
      this.#cancelIdle();
      this.#end(value);
      if (error === null) this.#change({ status: "stopped" });
      else this.#failed(error);
    });
    return ok(value);
  }

  async #getConnection(
    onStarting: (seconds: number) => void,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Result<McpConnection>> {
    const { clock } = this.#options;
    if (this.#connection !== null) return ok(this.#connection);
    if (this.#start === null && this.#isWaiting())
      return failMcp({ reason: "waiting", failures: this.#recentFailures().length });
    this.#start ??= this.#begin();
    const { sinceMs, result } = this.#start;
    const seconds = (): number => Math.round((clock.now() - sinceMs) / 1_000);
    let cancelTick = (): void => {};
    const tick = (): void => {
      onStarting(seconds());
      cancelTick = clock.after(startTickMs, tick);
    };
    tick();
    const late = new AbortController();
    const cancelWait = clock.after(waitMs, () => late.abort());
    try {
      return await abortable(result, AbortSignal.any([signal, late.signal]));
    } catch {
      return signal.aborted ? fail("aborted") : failMcp({ reason: "starting", seconds: seconds() });
    } finally {
      cancelTick();
      cancelWait();
    }
  }

  /** Counts the users of the connection; after the last one the idle time begins. */
  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#users += 1;
    this.#cancelIdle();
    try {
      return await work();
    } finally {
      this.#users -= 1;
      if (this.#users === 0)
        this.#cancelIdle = this.#options.clock.after(serverTimes.idleMs, () => void this.#endIdle());
    }
  }

  async #endIdle(): Promise<void> {
    if (this.#users === 0 && this.#connection !== null) await this.stop();
  }
}

/** Resolves after `ms`; rejects when the signal fires. */
async function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  let cancel = (): void => {};
  const waited = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  try {
    await abortable(waited, signal);
  } finally {
    cancel();
  }
}
