/**
 * The model servers beside the Ollama of the settings: kept ones and the one of the environment, their keys, lists and tests. A key
 * goes in here and out to its own server, nowhere else. Made by model-access; handlers and sessions ask it.
 */
import { environmentId } from "@/lib/connection-instead";
import { inOrder } from "@/lib/connection-order";
import { fail, ok, type Result } from "@/lib/error";
import type { Connection, ConnectionCheck, ConnectionPreset, ConnectionStep, ModelInfo } from "@/lib/models";
import { ollamaPreset } from "@/lib/ollama-connection";
import { limits, type Settings } from "@/lib/settings";
import { orAborted } from "@/server/base/abort";
import { presets } from "@/server/providers/presets";
import type { Choices } from "./choices";
import { type ConnectionInput, type KeptConnection, newId, soundInput } from "./connection-input";
import { environmentConnection, findKey } from "./connection-keys";
import { type Live, type LiveConnection, makeLive } from "./live-connection";
import type { NoteKeeper } from "./notes";
import { watchedConnections } from "./watched-connections";

/** A further Ollama: the same software as that of the settings, at another address. */
const ollama: ConnectionPreset = {
  id: ollamaPreset,
  name: "Ollama",
  baseUrl: "http://127.0.0.1:11434",
  needsKey: false,
  local: true,
  keyEnvironment: [],
};

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
  test(which: SavedOrDraft): Promise<Result<ConnectionCheck>>;
  /**
   * A session is about to use it: waits a short while for its list, of a service on the internet only the first time, of one's own
   * machines, where it changes, always. Never rejects.
   */
  ready(id: string): Promise<void>;
  /** A client shows their state: Ollama servers are asked again and again until every returned function was called. */
  watch(): () => void;
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
  readonly notes: NoteKeeper;
  readonly choices: Pick<Choices, "of" | "change">;
  /** Asked again each time. */
  readonly settings: () => Pick<Settings, "connectionOrder" | "contextMaxTokens" | "keepAliveMinutes">;
  /** One was added, changed or removed. */
  readonly onChange: () => void;
  /** More is known of a server. */
  readonly onState: () => void;
  log(line: string): void;
}

/** Of a connection that has none yet; no saved one has this. */
const draftId = "draft:";

export function makeConnections(options: ConnectionsOptions): Connections {
  const { environment, store, keys, notes, choices, settings, onChange, onState, log } = options;
  const closing = new AbortController();
  const keptKey = tolerant(keys.get, log);
  const start: Start = (kept, key = keptKey) =>
    makeLive({ kept, key: () => findKey(kept, key(kept.id), environment), notes, choices, settings, onState });
  const own = environmentConnection(environment);
  if (own === null) log("OPENAI_BASE_URL is not an address that can be used; it is left out.");
  const all = new Map([...store.list(), ...(own ? [own] : [])].map((kept) => [kept.id, start(kept)]));

  const watched = watchedConnections(all);
  const changed = (): void => {
    watched.follow();
    onChange();
  };
  return {
    list: () => inOrder(connectionsIn(all), settings().connectionOrder),
    live: () => all,
    presets: () => [ollama, ...presets.map(({ quirks: _quirks, ...told }) => told)],
    ...makeWriting({ all, store, keys, start, changed }),
    models: (which) => using(liveOf(which, all, start), all, (live) => live.ask()),
    test: (which) => using(liveOf(which, all, start), all, (live) => tested(live, closing.signal)),
    async ready(id) {
      const live = all.get(id);
      if (live === undefined || (live.listed() !== undefined && !live.told().local)) return;
      const wait = AbortSignal.timeout(limits.connectionListWaitMs);
      await orAborted(live.ask(), wait).catch(() => {});
      await live.ollama?.shapesKnown(AbortSignal.any([wait, AbortSignal.timeout(limits.modelShapeWaitMs)]));
    },
    watch: watched.watch,
    close() {
      closing.abort();
      for (const live of all.values()) live.close();
    },
  };
}

interface Writing extends Pick<ConnectionsOptions, "store" | "keys"> {
  readonly all: Map<string, Live>;
  readonly start: Start;
  readonly changed: () => void;
}

function makeWriting({ all, store, keys, start, changed }: Writing): Pick<Connections, "save" | "remove"> {
  /** The environment's own stays last, unless the user's order says otherwise. */
  function put(id: string, live: Live): void {
    const last = all.get(environmentId);
    all.get(id)?.close();
    all.delete(environmentId);
    all.set(id, live);
    if (last !== undefined) all.set(environmentId, last);
    changed();
  }
  return {
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
      all.get(id)?.close();
      all.delete(id);
      changed();
      return ok(null);
    },
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

/** Runs `work` with a connection; one that was started for this alone ends with it. */
async function using<T>(
  found: Result<Live>,
  all: ReadonlyMap<string, Live>,
  work: (live: Live) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (!found.ok) return found;
  try {
    return await work(found.value);
  } finally {
    if (![...all.values()].includes(found.value)) found.value.close();
  }
}

async function tested(live: Live, closing: AbortSignal): Promise<Result<ConnectionCheck>> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(limits.connectionTestMs)]);
  const found = live.ollamaBehind(AbortSignal.any([closing, AbortSignal.timeout(limits.serverAnswerMs)]));
  const steps: ConnectionStep[] = [];
  for await (const step of live.provider.check(live.told().model, signal)) steps.push(step);
  const ollama = await found;
  if (signal.aborted) return fail(closing.aborted ? "aborted" : "timeout");
  return ok({ steps, ...(ollama === null ? {} : { ollama }) });
}
