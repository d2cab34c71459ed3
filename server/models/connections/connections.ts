/**
 * Manages the model servers besides the Ollama of the settings: saved ones and the one of the environment, with keys,
 * lists and tests. A key is sent to its own server only.
 */
import { environmentConnectionId } from "@/lib/models/default-connection";
import { engineConnectionId } from "@/lib/models/engine";
import { keyForms } from "@/lib/models/key-use";
import { tourConnectionId } from "@/lib/models/tour";
import { sortConnections } from "@/lib/models/connection-order";
import { fail, ok, type Result, thrownText } from "@/lib/events/error";
import type {
  Connection,
  ConnectionCheck,
  ConnectionPreset,
  ConnectionStep,
  ModelInfo,
  PullState,
} from "@/lib/models/models";
import { ollamaPreset } from "@/lib/models/ollama-connection";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Settings } from "@/lib/settings/settings";
import { abortable, timeLimit } from "@/server/base/abort";
import { presets } from "@/server/providers/presets";
import type { UserModelSettings } from "../notes/user-model-settings";
import {
  type ConnectionInput,
  type ConnectionConfig,
  newConnectionId,
  validateConnectionInput,
} from "./connection-config";
import { makeKeyFileReader } from "./key-file";
import { environmentConnection, resolveKey } from "./connection-keys";
import { type ManagedConnection, type ActiveConnection, makeActiveConnection } from "./active-connection";
import type { NoteStorage } from "../notes/model-note-cache";
import { makeConnectionPolling } from "../watched-connections";

/** Maximum number of connections. */
const connectionsMax = 50;
/** Maximum wait of a session's first message for the server's model list, ms. */
const connectionListWaitMs = 3_000;
/** Timeout of a connection test, ms. */
const connectionTestMs = 180_000;

/** An additional Ollama server, at another address than that of the settings. */
const ollamaConnectionPreset: ConnectionPreset = {
  id: ollamaPreset,
  name: "Ollama",
  baseUrl: "http://127.0.0.1:11434",
  needsKey: false,
  local: true,
  keyEnvironment: [],
};

/** A saved connection, or a draft of one. */
interface ConnectionReference {
  readonly id?: string | undefined;
  readonly draft?: ConnectionInput | undefined;
}

export interface Connections {
  list(): readonly Connection[];
  /** Returns the keys in the forms in which they are sent, for redaction. Throws store errors. */
  sentKeys(): readonly string[];
  /** Active connections by id. */
  live(): ReadonlyMap<string, ActiveConnection>;
  presets(): readonly ConnectionPreset[];
  /**
   * Fails with bad_input, not_found, too_many; not_allowed for the environment's connection. Throws store errors.
   * Deletes the stored key when the address changes to another server.
   */
  save(input: ConnectionInput): Result<Connection>;
  /** Deletes the key, too. Fails with not_found, not_allowed. */
  remove(id: string): Result<null>;
  /** Lists the server's models. Fails with not_found, bad_input, timeout, or the server's error. */
  models(reference: ConnectionReference): Promise<Result<readonly ModelInfo[]>>;
  /** Runs the test steps up to the first failure. Fails with not_found, bad_input. */
  test(reference: ConnectionReference): Promise<Result<ConnectionCheck>>;
  /**
   * Prepares a connection for a session: waits briefly for its list. A list of an internet service is fetched only the
   * first time, a local one, which changes, always. Never rejects.
   */
  ready(id: string): Promise<void>;
  /**
   * Adds a connection that a part of this program manages, and the user cannot change. Its id is reserved. Returns the
   * function that removes it.
   */
  attach(live: ManagedConnection): () => void;
  /** Polls the Ollama servers until every returned function has been called. */
  watch(): () => void;
  /** Aborts running requests. */
  close(): void;
}

interface ConnectionsOptions {
  readonly environment: NodeJS.Dict<string>;
  readonly store: {
    list(): readonly ConnectionConfig[];
    find(id: string): (ConnectionConfig & { readonly removed: boolean }) | undefined;
    save(connection: ConnectionConfig): void;
    remove(id: string): boolean;
  };
  readonly keys: { get(id: string): string | null; set(id: string, key: string | null): void };
  readonly notes: NoteStorage;
  readonly choices: Pick<UserModelSettings, "of" | "change">;
  /** Called whenever a setting is needed, so a change applies at once. */
  readonly settings: () => Pick<Settings, "connectionOrder" | "contextMaxTokens" | "keepAliveMinutes">;
  /** A connection was added, changed or removed. */
  readonly onChange: () => void;
  /** The state of a server changed. */
  readonly onState: () => void;
  readonly onPull: (pull: PullState) => void;
  log(line: string): void;
}

/** Connections of this machine that the user can neither change nor remove. */
const fixedIds: readonly string[] = [environmentConnectionId, engineConnectionId, tourConnectionId];
export const isFixedConnection = (id: string | undefined): boolean => id !== undefined && fixedIds.includes(id);

/** Id of a draft; no saved connection has it. */
const draftId = "draft:";

export function makeConnections(options: ConnectionsOptions): Connections {
  const { environment, store, keys, notes, choices, settings, onChange, onState, log } = options;
  const closing = new AbortController();
  let sentKeys: readonly string[] | undefined;
  const readKeyFile = makeKeyFileReader(() => {
    sentKeys = undefined;
  });
  const keptKey = withKeyErrorsLogged(keys.get, log);
  const start: StartConnection = (config, key = keptKey) => {
    const live: ManagedConnection = makeActiveConnection({
      kept: config,
      key: () => resolveKey(config, key(config.id), environment, readKeyFile),
      notes,
      choices,
      settings,
      onState() {
        // Not of a draft.
        if (all.get(config.id) === live) onState();
      },
      onPull: options.onPull,
    });
    return live;
  };
  const own = environmentConnection(environment);
  if (own === null) log("OPENAI_BASE_URL is not an address that can be used; it is left out.");
  const configs = (): readonly ConnectionConfig[] => [...store.list(), ...(own ? [own] : [])];
  const all = new Map(configs().map((config) => [config.id, start(config)]));
  const findSentKeys = (): readonly string[] =>
    configs().flatMap((config) => {
      const { key } = resolveKey(
        config,
        isFixedConnection(config.id) ? null : keys.get(config.id),
        environment,
        readKeyFile,
      );
      return key === null ? [] : keyForms(key, config.keyUse);
    });

  const watched = makeConnectionPolling(all);
  const changed = (): void => {
    sentKeys = undefined;
    watched.update();
    onChange();
  };
  return {
    list: () => sortConnections(listConnections(all), settings().connectionOrder),
    sentKeys: () => (sentKeys ??= findSentKeys()),
    live: () => all,
    presets: () => [ollamaConnectionPreset, ...presets.map(({ quirks: _quirks, ...preset }) => preset)],
    ...makeConnectionWriter({ all, store, keys, start, changed }),
    models: (reference) =>
      withConnection(resolveConnection(reference, all, start), all, (live) => (live.fetchPage ?? live.fetchList)()),
    test: (reference) =>
      withConnection(resolveConnection(reference, all, start), all, (live) => runConnectionTest(live, closing.signal)),
    async ready(id) {
      const live = all.get(id);
      if (live === undefined || (live.lastList() !== undefined && !live.toConnection().local)) return;
      const wait = timeLimit(connectionListWaitMs);
      await abortable(live.fetchList(), wait).catch(() => {});
      await live.ollama?.shapesReady(timeLimit(serverLimits.modelShapeWaitMs, wait));
    },
    attach(live) {
      const { id } = live.toConnection();
      all.set(id, live);
      changed();
      return () => {
        if (all.get(id) === live) all.delete(id);
        changed();
      };
    },
    watch: watched.watch,
    close() {
      closing.abort();
      for (const live of all.values()) live.close();
    },
  };
}

interface ConnectionWriterOptions extends Pick<ConnectionsOptions, "store" | "keys"> {
  readonly all: Map<string, ManagedConnection>;
  readonly start: StartConnection;
  readonly changed: () => void;
}

function makeConnectionWriter({
  all,
  store,
  keys,
  start,
  changed,
}: ConnectionWriterOptions): Pick<Connections, "save" | "remove"> {
  /** Keeps the environment's connection last, unless the user's order differs. */
  function put(id: string, live: ManagedConnection): void {
    const last = all.get(environmentConnectionId);
    all.get(id)?.close();
    all.delete(environmentConnectionId);
    all.set(id, live);
    if (last !== undefined) all.set(environmentConnectionId, last);
    changed();
  }
  return {
    save(input) {
      if (isFixedConnection(input.id)) return fail("not_allowed");
      if (input.id !== undefined && !all.has(input.id)) return fail("not_found");
      if (input.id === undefined && all.size >= connectionsMax) return fail("too_many");
      const sound = validateConnectionInput(input);
      if (!sound.ok) return sound;
      const { config: fields, key } = sound.value;
      const config = {
        ...fields,
        id: input.id ?? newConnectionId(fields, (id) => isIdFree(store.find(id), fields.baseUrl)),
      };
      // First, so that a failure in a later step cannot send the key elsewhere.
      if (hasOtherOrigin(all.get(config.id), config)) keys.set(config.id, null);
      store.save(config);
      const live = start(config);
      try {
        if (key !== undefined) keys.set(config.id, key);
      } finally {
        // Also when only writing the key failed.
        put(config.id, live);
      }
      return ok(live.toConnection());
    },
    remove(id) {
      if (isFixedConnection(id)) return fail("not_allowed");
      // The key goes first: if a later step fails, the connection can still be removed.
      if (all.has(id)) keys.set(id, null);
      if (!store.remove(id)) return fail("not_found");
      all.get(id)?.close();
      all.delete(id);
      changed();
      return ok(null);
    },
  };
}

const listConnections = (all: ReadonlyMap<string, ManagedConnection>): readonly Connection[] =>
  [...all.values()].map((live) => live.toConnection());

/** Whether the address changed to another server; a key must not follow. */
const hasOtherOrigin = (before: ActiveConnection | undefined, { baseUrl }: ConnectionConfig): boolean =>
  before !== undefined && new URL(before.toConnection().baseUrl).origin !== new URL(baseUrl).origin;

/** Makes an unreadable key file cost the keys only, not every list of connections; logs it once. */
function withKeyErrorsLogged(
  get: (id: string) => string | null,
  log: (line: string) => void,
): (id: string) => string | null {
  let isLogged = false;
  return (id) => {
    if (isFixedConnection(id)) return null;
    try {
      return get(id);
    } catch (error) {
      if (!isLogged) log(`keys of connections: ${thrownText(error)}`);
      isLogged = true;
      return null;
    }
  };
}

/** A removed connection recreated with the same name and address keeps its id for its sessions. */
const isIdFree = (existing: ReturnType<ConnectionsOptions["store"]["find"]>, baseUrl: string): boolean =>
  existing === undefined || (existing.removed && existing.baseUrl === baseUrl);

/** `key` returns the stored key for an id, unless overridden. */
type StartConnection = (config: ConnectionConfig, key?: (id: string) => string | null) => ManagedConnection;

/** Resolves a saved connection, or starts a temporary one for a draft. */
function resolveConnection(
  { id = "", draft }: ConnectionReference,
  all: ReadonlyMap<string, ManagedConnection>,
  start: StartConnection,
): Result<ManagedConnection> {
  const saved = all.get(draft?.id ?? id);
  if (draft === undefined) return saved === undefined ? fail("not_found") : ok(saved);
  if (isFixedConnection(draft.id)) return fail("not_allowed");
  const sound = validateConnectionInput(draft);
  if (!sound.ok) return sound;
  const { config: fields, key } = sound.value;
  const config = { ...fields, id: draft.id ?? draftId };
  if (key !== undefined) return ok(start(config, () => key));
  // A stored key is sent to its own server only.
  return ok(saved === undefined || hasOtherOrigin(saved, config) ? start(config, () => null) : start(config));
}

/** Runs `work` with a connection; closes a temporary one afterwards. */
async function withConnection<T>(
  found: Result<ManagedConnection>,
  all: ReadonlyMap<string, ManagedConnection>,
  work: (live: ManagedConnection) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (!found.ok) return found;
  try {
    return await work(found.value);
  } finally {
    if (![...all.values()].includes(found.value)) found.value.close();
  }
}

async function runConnectionTest(live: ManagedConnection, closing: AbortSignal): Promise<Result<ConnectionCheck>> {
  const signal = timeLimit(connectionTestMs, closing);
  const found = live.detectOllama(timeLimit(serverLimits.serverAnswerMs, closing));
  const steps: ConnectionStep[] = [];
  for await (const step of live.provider.check(live.toConnection().model, signal)) steps.push(step);
  const ollama = await found;
  if (signal.aborted) return fail(closing.aborted ? "aborted" : "timeout");
  return ok({ steps, ollama: ollama ?? undefined });
}
