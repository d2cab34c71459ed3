/**
 * The model servers beside Ollama: kept ones and the one of the environment, their keys, lists and tests. A key goes in here and
 * out to its own server, nowhere else. Made by model-access; handlers and sessions ask it.
 */
import { orAborted } from "@/server/base/abort";
import { environmentId } from "@/lib/connection-instead";
import { inOrder } from "@/lib/connection-order";
import { fail, ok, type Result } from "@/lib/error";
import type { Connection, ConnectionPreset, ConnectionStep, ModelInfo } from "@/lib/models";
import { limits } from "@/lib/settings";
import { makeOpenAi, type OpenAiProvider } from "@/server/providers/openai";
import { staysLocal } from "@/server/providers/openai-host";
import { presetOf, presets } from "@/server/providers/presets";
import { asked } from "./asked";
import { type ConnectionInput, type KeptConnection, newId, soundInput } from "./connection-input";
import { environmentConnection, findKey } from "./connection-keys";

/** A connection in use. It is made anew when it changes. */
export interface LiveConnection {
  /** Without the key. */
  told(): Connection;
  readonly provider: OpenAiProvider;
  /** As its server listed them last; undefined = it was not asked, or did not answer. */
  listed(): readonly ModelInfo[] | undefined;
}

/** A saved connection, or one as it would be saved. */
export interface SavedOrDraft {
  readonly id?: string | undefined;
  readonly draft?: ConnectionInput | undefined;
}

export interface Connections {
  list(): readonly Connection[];
  /** In force now, by id. */
  live(): ReadonlyMap<string, LiveConnection>;
  presets(): readonly ConnectionPreset[];
  /** Fails with bad_input, not_found, too_many; not_allowed for the one of the environment. Throws what the store throws. A kept key is forgotten when the address becomes another server's. */
  save(input: ConnectionInput): Result<Connection>;
  /** Forgets the key, too. Fails with not_found, not_allowed. */
  remove(id: string): Result<null>;
  /** Asks the server. Fails with not_found, bad_input, timeout, and as the server does. */
  models(which: SavedOrDraft): Promise<Result<readonly ModelInfo[]>>;
  /** The steps up to the first that fails. Fails with not_found, bad_input. */
  test(which: SavedOrDraft): Promise<Result<readonly ConnectionStep[]>>;
  /**
   * A session is about to use it: waits a short while for its list, of a service on the internet only the first time, of one's own
   * machines, where it changes, always. Never rejects.
   */
  ready(id: string): Promise<void>;
  /** Ends what is being asked. */
  close(): void;
}

export interface ConnectionsOptions {
  readonly environment: NodeJS.Dict<string>;
  readonly store: {
    list(): readonly KeptConnection[];
    find(id: string): (KeptConnection & { readonly removed: boolean }) | undefined;
    save(connection: KeptConnection): void;
    remove(id: string): boolean;
  };
  readonly keys: { get(id: string): string | null; set(id: string, key: string | null): void };
  /** Ids in the user's order, asked with every list. */
  readonly order: () => readonly string[];
  readonly onChange: () => void;
  log(line: string): void;
}

/** Of a connection that has none yet; no saved one has this. */
const draftId = "draft:";

interface Live extends LiveConnection {
  ask(): Promise<Result<readonly ModelInfo[]>>;
}

export function makeConnections({ environment, store, keys, order, onChange, log }: ConnectionsOptions): Connections {
  const closing = new AbortController();
  const keptKey = tolerant(keys.get, log);
  const start: Start = (kept, key = keptKey) =>
    makeLive(kept, () => findKey(kept, key(kept.id), environment), closing.signal);
  const own = environmentConnection(environment);
  if (own === null) log("OPENAI_BASE_URL is not an address that can be used; it is left out.");
  const all = new Map([...store.list(), ...(own ? [own] : [])].map((kept) => [kept.id, start(kept)]));

  /** The environment's own stays last, unless the user's order says otherwise. */
  function put(id: string, live: Live): void {
    const last = all.get(environmentId);
    all.delete(environmentId);
    all.set(id, live);
    if (last !== undefined) all.set(environmentId, last);
    onChange();
  }
  return {
    list: () => inOrder(connectionsIn(all), order()),
    live: () => all,
    presets: () => presets.map(({ quirks: _quirks, ...told }) => told),
    save(input) {
      if (input.id === environmentId) return fail("not_allowed");
      if (input.id !== undefined && !all.has(input.id)) return fail("not_found");
      if (input.id === undefined && all.size >= limits.connectionsMax) return fail("too_many");
      const sound = soundInput(input);
      if (!sound.ok) return sound;
      const { kept: fields, key } = sound.value;
      const kept = { ...fields, id: input.id ?? newId(fields, (id) => isFree(store.find(id), fields.baseUrl)) };
      // First, so that whatever fails behind it sends the key nowhere else.
      if (isElsewhere(all.get(kept.id), kept)) keys.set(kept.id, null);
      store.save(kept);
      const live = start(kept);
      try {
        if (key !== undefined) keys.set(kept.id, key);
      } finally {
        // Also when only the key could not be written.
        put(kept.id, live);
      }
      return ok(live.told());
    },
    remove(id) {
      if (id === environmentId) return fail("not_allowed");
      // The key goes first: what fails then leaves a connection that can be removed again.
      if (all.has(id)) keys.set(id, null);
      if (!store.remove(id)) return fail("not_found");
      all.delete(id);
      onChange();
      return ok(null);
    },
    models: async (which) => listed(liveOf(which, all, start)),
    test: async (which) => tested(liveOf(which, all, start), closing.signal),
    async ready(id) {
      const live = all.get(id);
      if (live === undefined || (live.listed() !== undefined && !live.told().local)) return;
      await orAborted(live.ask(), AbortSignal.timeout(limits.connectionListWaitMs)).catch(() => {});
    },
    close: () => closing.abort(),
  };
}

const connectionsIn = (all: ReadonlyMap<string, Live>): readonly Connection[] =>
  [...all.values()].map((live) => live.told());

/** A key belongs to one server: it does not go along to another address. */
const isElsewhere = (before: LiveConnection | undefined, { baseUrl }: KeptConnection): boolean =>
  before !== undefined && new URL(before.told().baseUrl).origin !== new URL(baseUrl).origin;

/** A file of keys that cannot be read costs the keys, not everything that lists connections; it is told once. */
function tolerant(get: (id: string) => string | null, log: (line: string) => void): (id: string) => string | null {
  let told = false;
  return (id) => {
    if (id === environmentId) return null;
    try {
      return get(id);
    } catch (error) {
      if (!told) log(`keys of connections: ${error instanceof Error ? error.message : String(error)}`);
      told = true;
      return null;
    }
  };
}

/** One that was removed and comes back with its name and address is the same one for its sessions. */
const isFree = (there: ReturnType<ConnectionsOptions["store"]["find"]>, baseUrl: string): boolean =>
  there === undefined || (there.removed && there.baseUrl === baseUrl);

/** `key` = the key that is kept for an id, unless another is given. */
type Start = (kept: KeptConnection, key?: (id: string) => string | null) => Live;

/** A draft is started for what is asked now and forgotten. */
function liveOf({ id = "", draft }: SavedOrDraft, all: ReadonlyMap<string, Live>, start: Start): Result<Live> {
  const saved = all.get(draft?.id ?? id);
  if (draft === undefined) return saved === undefined ? fail("not_found") : ok(saved);
  if (draft.id === environmentId) return fail("not_allowed");
  const sound = soundInput(draft);
  if (!sound.ok) return sound;
  const { kept: fields, key } = sound.value;
  const kept = { ...fields, id: draft.id ?? draftId };
  if (key !== undefined) return ok(start(kept, () => key));
  // A kept key goes to its own server only.
  return ok(saved === undefined || isElsewhere(saved, kept) ? start(kept, () => null) : start(kept));
}

const listed = async (live: Result<Live>): Promise<Result<readonly ModelInfo[]>> => (live.ok ? live.value.ask() : live);

async function tested(found: Result<Live>, closing: AbortSignal): Promise<Result<readonly ConnectionStep[]>> {
  if (!found.ok) return found;
  const live = found.value;
  const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.connectionTestMs)]);
  const steps: ConnectionStep[] = [];
  for await (const step of live.provider.check(live.told().model, signal)) steps.push(step);
  return signal.aborted ? fail(closing.aborted ? "aborted" : "timeout") : ok(steps);
}

/** `key` is asked for with every request and kept nowhere here. */
function makeLive(kept: KeptConnection, key: () => ReturnType<typeof findKey>, closing: AbortSignal): Live {
  const preset = presetOf(kept.preset);
  const provider = makeOpenAi({
    id: kept.id,
    preset,
    baseUrl: () => kept.baseUrl,
    apiKey: () => key().key,
    temperature: () => kept.temperature,
  });
  const local = staysLocal(preset, kept.baseUrl);
  let listed: readonly ModelInfo[] | undefined;
  let asking: Promise<Result<readonly ModelInfo[]>> | undefined;

  async function ask(): Promise<Result<readonly ModelInfo[]>> {
    const limit = AbortSignal.timeout(limits.serverListMs);
    try {
      const answer = await asked(() => provider.models(AbortSignal.any([closing, limit])));
      if (answer.ok) listed = answer.value;
      return answer;
    } catch (cause) {
      if (closing.aborted) return fail("aborted");
      if (limit.aborted) return fail("timeout");
      throw cause;
    } finally {
      asking = undefined;
    }
  }
  return {
    told: () => ({ ...kept, key: key().told, local }),
    provider,
    listed: () => listed,
    ask: () => (asking ??= ask()),
  };
}
