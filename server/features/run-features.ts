/** Loads, starts and stops the features of a list. A feature that throws is logged, and the others continue. */
import { setMaxListeners } from "node:events";
import { type CommandName, commandNames } from "@/lib/protocol/command";
import { isOfFamily } from "@/lib/protocol/command-family";
import type { NewNotice } from "@/lib/notices/notice";
import { type AgentError, fail, ok, type Result, thrownText } from "@/lib/events/error";
import type { TopicSources } from "@/lib/protocol/topics";
import { serverLimits } from "@/lib/settings/server-limits";
import { abortable, pause, timeLimit } from "@/server/base/abort";
import { type GateVerdict, strictestVerdict } from "@/lib/permissions/gate";
import type { AskGates, GateCall } from "@/server/agent/tools/call-gate";
import type { ContextSource } from "@/server/agent/context/context-source";
import type { Handler, HandlerTable } from "@/server/handlers/handlers";
import type { ToolSource } from "@/server/tools/core/tool-source";
import type { CatalogueSource } from "@/server/tools/toolbox/catalogue";
import type { Feature, FeatureEntry, FeatureHost, NoticePlace, SessionListener } from "./feature";

/** Longest wait for a feature whose tools belong into a prompt, ms. */
const toolsLoadMs = 3_000;

/** The features of a list as one; of those not loaded, only the commands exist. */
export interface Features
  extends Required<
    Pick<
      Feature,
      | "commands"
      | "trustWithdrawn"
      | "keepsAlive"
      | "isWorking"
      | "usedModel"
      | "addresses"
      | "unattendedTerms"
      | "notify"
      | "openNotices"
      | "deviceRevoked"
    >
  > {
  readonly sessionListener: Required<SessionListener>;
  toolSources(): readonly ToolSource[];
  catalogueSources(): readonly CatalogueSource[];
  /**
   * Loads the features that offer tools; resolves at the shutdown too. The sources of one that fails, or takes longer
   * than `toolsLoadMs`, are left out: that is logged, and it is not waited for again.
   */
  loadToolSources(): Promise<void>;
  readonly askGates: AskGates;
  contextSources(): readonly ContextSource[];
  topicSources(): TopicSources;
  readRoots(): readonly string[];
  /** Loads the features that start without a command, after their delays. */
  start(): void;
  /** Stops all features; waits at most `serverLimits.featureStopMs`. */
  close(): Promise<void>;
}

/** Each feature waits for it; Node warns of more than ten listeners. */
function makeShutdown(): AbortController {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  return stop;
}

const isAtWork = (feature: Feature): boolean =>
  (feature.isWorking === undefined ? feature.keepsAlive?.() : feature.isWorking()) === true;

/** Members of `FeatureHost` that the caller passes in; the rest is made here. */
type OuterHost = Omit<FeatureHost, "notify" | "noticePlaces" | "unattendedTerms">;

/** The services of a host are built with the features, and are there before the first feature is loaded. */
type LateHost = () => FeatureHost;

export function runFeatures(entries: readonly FeatureEntry[], outer: () => OuterHost): Features {
  const stop = makeShutdown();
  const noticePlaces = (): readonly NoticePlace[] => fromLoaded((feature) => feature.noticePlaces ?? []).flat();
  const loadNotices = (): Promise<unknown> =>
    Promise.all(features.flatMap(({ entry, load }) => (entry.deliversNotices === true ? [load()] : [])));
  const notify = (notice: NewNotice): void =>
    void loadNotices().then(() => fromLoaded((feature) => feature.notify?.(notice)));
  const unattendedTerms: Features["unattendedTerms"] = (id) =>
    fromLoaded((feature) => feature.unattendedTerms?.(id) ?? null).find((terms) => terms !== null) ?? null;
  const host: LateHost = () => ({ ...outer(), notify, noticePlaces, unattendedTerms });
  const loaded = ({ noticePlaces: places = [] }: Feature): void => {
    if (places.length > 0) void loadNotices();
  };
  const features = entries.map((entry) => makeLazyFeature(entry, host, stop.signal, loaded));
  const commands: Partial<HandlerTable> = {};
  for (const { entry, handler } of features)
    for (const family of entry.commands)
      for (const name of commandNames) if (isOfFamily(name, family)) Object.assign(commands, { [name]: handler(name) });
  const timers: NodeJS.Timeout[] = [];
  /** Results of `read` for the loaded features; one that throws is logged and left out. */
  const fromLoaded = <T>(read: (feature: Feature) => T): readonly T[] =>
    features.flatMap(({ entry, loaded }) => {
      const feature = loaded();
      if (feature === null) return [];
      try {
        return [read(feature)];
      } catch (error) {
        host().reportBug(`feature ${entry.name}`, error);
        return [];
      }
    });
  return {
    commands,
    sessionListener: {
      event: (envelope) => void fromLoaded((feature) => feature.sessionListener?.event?.(envelope)),
      row: (row) => void fromLoaded((feature) => feature.sessionListener?.row?.(row)),
      removed: (id) => void fromLoaded((feature) => feature.sessionListener?.removed?.(id)),
    },
    catalogueSources: () => fromLoaded(({ catalogueSources = [] }) => catalogueSources).flat(),
    toolSources: () => fromLoaded(({ toolSources = [] }) => toolSources).flat(),
    async loadToolSources() {
      await Promise.all(features.flatMap(({ entry, loadTools }) => (entry.offersTools === true ? [loadTools()] : [])));
    },
    askGates: async (call, signal) =>
      strictestVerdict(
        await Promise.all(
          features.flatMap((feature) => (feature.entry.hasGates === true ? [askLazyGates(feature, call, signal)] : [])),
        ),
      ),
    notify,
    openNotices: () => fromLoaded((feature) => feature.openNotices?.() ?? []).flat(),
    deviceRevoked: (id) => void fromLoaded((feature) => feature.deviceRevoked?.(id)),
    trustWithdrawn: (id) => void fromLoaded((feature) => feature.trustWithdrawn?.(id)),
    unattendedTerms,
    contextSources: () => fromLoaded(({ contextSources = [] }) => contextSources).flat(),
    topicSources: () =>
      fromLoaded(({ topicSources }) => topicSources).reduce<TopicSources>((all, one) => ({ ...all, ...one }), {}),
    readRoots: () => fromLoaded(({ readRoots = [] }) => readRoots).flat(),
    keepsAlive: () => fromLoaded((feature) => feature.keepsAlive?.()).includes(true),
    isWorking: () => fromLoaded(isAtWork).includes(true),
    usedModel: () => fromLoaded((feature) => feature.usedModel?.() ?? null).find((name) => name !== null) ?? null,
    addresses: () => fromLoaded((feature) => feature.addresses?.() ?? []).flat(),
    start() {
      for (const { entry, load } of features) {
        if (entry.startAfterMs === undefined) continue;
        const begin = (): void => {
          if (hasWork(entry, host)) void load();
        };
        timers.push(setTimeout(begin, entry.startAfterMs).unref());
      }
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      stop.abort();
      await waitForEnds(Promise.all(features.map(({ ended }) => ended())), host().log);
    },
  };
}

/** Rejects as `ends` does; one that takes too long is reported. */
async function waitForEnds(ends: Promise<unknown>, log: FeatureHost["log"]): Promise<void> {
  const closed = new AbortController();
  const ended = ends.then(() => closed.abort());
  const isLate = await pause(serverLimits.featureStopMs, closed.signal);
  if (isLate) log(`A feature did not stop within ${serverLimits.featureStopMs} ms.`);
  else await ended;
}

/** A store that cannot be read is reported; the first command of the feature loads it all the same. */
function hasWork(entry: FeatureEntry, host: LateHost): boolean {
  try {
    return entry.hasWork?.(host().store) ?? true;
  } catch (error) {
    host().reportBug(`feature ${entry.name}`, error);
    return false;
  }
}

/** A feature that cannot be loaded or throws asks: no call runs past a gate that was not asked. */
async function askLazyGates(
  { entry, load }: Pick<ReturnType<typeof makeLazyFeature>, "entry" | "load">,
  call: GateCall,
  signal: AbortSignal,
): Promise<GateVerdict> {
  try {
    const loaded = await abortable(load(), timeLimit(toolsLoadMs, signal));
    if (loaded.ok) return (await loaded.value.askGates?.(call, signal)) ?? { kind: "pass" };
  } catch {
    signal.throwIfAborted();
  }
  return { kind: "ask", note: { gate: "", reason: entry.name, failure: "not_loaded" } };
}

function makeLazyFeature(entry: FeatureEntry, host: LateHost, signal: AbortSignal, onLoad: (feature: Feature) => void) {
  let loading: Promise<Result<Feature>> | null = null;
  let feature: Feature | null = null;
  let running: Promise<void> | undefined;
  let toolsLoading: Promise<void> | null = null;

  const failed = (cause: unknown): { readonly ok: false; readonly error: AgentError } => {
    feature = null;
    host().reportBug(`feature ${entry.name}`, cause);
    return fail("feature_failed", thrownText(cause), { feature: entry.name });
  };
  const begin = async (): Promise<Result<Feature>> => {
    try {
      const create = await entry.load();
      if (signal.aborted) return fail("aborted");
      feature = create(host());
      onLoad(feature);
      running = feature.start?.(signal).catch((error: unknown) => {
        loading = Promise.resolve(failed(error));
      });
      return ok(feature);
    } catch (error) {
      // The next command tries again.
      loading = null;
      return failed(error);
    }
  };
  const load = (): Promise<Result<Feature>> => (loading ??= begin());
  const waitForTools = async (): Promise<void> => {
    const result = await abortable(load(), timeLimit(toolsLoadMs, signal)).catch(() => null);
    if (result?.ok === true || signal.aborted) return;
    const reason = result === null ? `did not load within ${toolsLoadMs} ms` : "could not be loaded";
    host().log(`The feature ${entry.name} ${reason}: new prompts leave out its tools.`);
  };

  return {
    entry,
    load,
    loadTools: (): Promise<void> => (toolsLoading ??= waitForTools()),
    loaded: () => feature,
    /** Returns the handler that loads the feature and passes the call on. */
    handler:
      <N extends CommandName>(name: N): Handler<N> =>
      async (input, client) => {
        const result = await load();
        if (!result.ok) return result;
        const table: Partial<HandlerTable> = result.value.commands ?? {};
        const handle: Handler<N> | undefined = table[name];
        return handle === undefined ? fail("not_allowed") : handle(input, client);
      },
    /** Resolves when the feature has stopped after the signal. */
    async ended(): Promise<void> {
      await loading;
      await running;
    },
  };
}
