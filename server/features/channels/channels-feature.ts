/** Channels: their commands, and those that are switched on. */
import { type ChannelConnection, type ChannelKind, channelKinds, type ChannelView } from "@/lib/channels/channels";
import type { CommandInput } from "@/lib/protocol/command";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { neverAborted, timeLimit, untilAborted } from "@/server/base/abort";
import { type BurstLimit, makeBurstLimit } from "@/server/base/burst-limit";
import { makeMutex } from "@/server/base/concurrency";
import { makeDelayedWork } from "@/server/base/delayed-work";
import type { HandlerTable } from "@/server/handlers/handlers";
import { makeSecretRedactor } from "@/server/session/share/secret-redactor";
import { channelRows, type ChannelRows } from "@/server/store/channels";
import type { Feature, FeatureHost, NoticePlace } from "../feature";
import { type ChannelEntry, channelList } from "./channel-list";
import { makeMessageSource, type Messenger } from "./message-tool";
import { makePairing, type Pairing } from "./pairing";
import { openInbox } from "./chat/received-files";
import { makeRunningChannel, newestSeq, type RunningChannel, type RunningHost } from "./running-channel";
import { channelTexts } from "./chat/texts";

/** Changes within this time are one message to the clients, ms. */
const pushMs = 50;

type ChannelsHost = RunningHost &
  Pick<
    FeatureHost,
    "access" | "environment" | "bearer" | "openWorkspace" | "settings" | "push" | "notify" | "reportBug"
  >;

/** One kind of channel in this process. */
interface ChannelState {
  readonly kind: ChannelKind;
  readonly entry: ChannelEntry;
  readonly rows: ChannelRows;
  readonly pairing: Pairing;
  running: { readonly channel: RunningChannel; readonly stop: AbortController; readonly ended: Promise<void> } | null;
  /** Why it could not be started. */
  error: AgentError | null;
}

/** `kinds`: default all of the product. */
export function channelsFeature(host: ChannelsHost, kinds: Readonly<Record<ChannelKind, ChannelEntry>> = channelList) {
  const states = new Map(
    channelKinds.map((kind): readonly [ChannelKind, ChannelState] => [
      kind,
      {
        kind,
        entry: kinds[kind],
        rows: channelRows(host.store.database, kind),
        pairing: makePairing(host.now),
        running: null,
        error: null,
      },
    ]),
  );
  const stateOf = (kind: ChannelKind): ChannelState => {
    const state = states.get(kind);
    if (state === undefined) throw new Error(`no channel ${kind}`);
    return state;
  };
  const connections = makeConnections(host, makeDelayedWork(() => host.push({ type: "channels" }), pushMs).soon);
  return {
    commands: channelCommandHandlers(host, stateOf, connections),
    sessionListener: {
      event(envelope) {
        for (const { running } of states.values()) running?.channel.event(envelope);
      },
    },
    get readRoots() {
      return connections.readRoots;
    },
    catalogueSources: [makeMessageSource(makeMessenger(host, () => [...states.values()]))],
    noticePlaces: [makeNoticePlace(host, () => [...states.values()])],
    async start(signal) {
      connections.begin(signal);
      await Promise.all([...states.values()].map((state) => connections.connect(state, false)));
      await untilAborted(signal);
      await Promise.all([...states.values()].map((state) => connections.disconnect(state)));
    },
  } satisfies Feature;
}

/** Paired persons whose channel is connected. */
const activePeople = (states: readonly ChannelState[]) =>
  states.flatMap(({ kind, rows, running }) =>
    running === null
      ? []
      : rows.people().flatMap((person) => (person.isPaused ? [] : [{ kind, channel: running.channel, person }])),
  );

/** A message that is not delivered by then is stored, ms. */
const deliveryMs = 15_000;

const makeMessenger = (host: ChannelsHost, states: () => readonly ChannelState[]): Messenger => ({
  targets: () =>
    activePeople(states()).map(({ kind, person: { id, name, sessionId } }) => ({
      channel: kind,
      personId: id,
      name,
      sessionId,
    })),
  async send({ channel: kind, personId }, text, file, signal) {
    const there = activePeople(states()).find((one) => one.kind === kind && one.person.id === personId);
    return there === undefined ? "refused" : there.channel.write(personId, text, file, timeLimit(deliveryMs, signal));
  },
  show(sessionId, text) {
    const session = host.sessions.get(sessionId);
    const title = session.ok ? session.value.view.title : "";
    host.notify({ kind: "message", sessionId, title, text, seq: host.now() });
  },
  view(id) {
    const session = host.sessions.get(id);
    return session.ok ? session.value.view : null;
  },
  now: host.now,
});

/** Notices to one person within ten minutes. */
const noticeBurst = { max: 20, windowMs: 600_000 };

/**
 * Tells persons what needs the owner, but not about the session of their own chat: those who may read the session, and those who
 * may answer approvals. The text of a message for the owner's pages, which no card allowed, does not go out.
 */
function makeNoticePlace(host: ChannelsHost, states: () => readonly ChannelState[]): NoticePlace {
  const limits = new Map<string, BurstLimit>();
  const limitOf = (key: string): BurstLimit => {
    const limit = limits.get(key) ?? makeBurstLimit({ ...noticeBurst, now: host.now });
    limits.set(key, limit);
    return limit;
  };
  return {
    place: "channel",
    deliver({ kind, title, sessionId }) {
      const texts = channelTexts(host.settings().language, host.environment);
      for (const { kind: messenger, channel, person } of activePeople(states())) {
        if (sessionId !== undefined && person.sessionId === sessionId) continue;
        const mayRead = sessionId !== undefined && channel.mayRead(person, sessionId);
        if (person.right !== "answer" && !mayRead) continue;
        const passed = limitOf(`${messenger} ${person.id}`)();
        if (passed === "none") continue;
        channel
          .write(person.id, passed === "more" ? texts.moreNotices : texts.notice(kind, title), undefined, neverAborted)
          .catch((error: unknown) => host.reportBug("channels", error));
      }
    },
    // A message that was sent stays.
    withdraw: () => {},
  };
}

interface Connections {
  /** The inbox, as soon as a channel was on. */
  readonly readRoots: readonly string[];
  begin(signal: AbortSignal): void;
  /** Ends the connection, and starts another one if the channel is on and has a token. */
  connect(state: ChannelState, takeOver: boolean): Promise<void>;
  disconnect(state: ChannelState): Promise<void>;
  changed(): void;
}

function makeConnections(host: ChannelsHost, changed: () => void): Connections {
  const mutex = makeMutex();
  let stopped = neverAborted;
  const readRoots: string[] = [];
  const mask = makeSecretRedactor(host);
  const reportBug = (error: unknown): void => host.reportBug("channels", error);
  const end = async (state: ChannelState): Promise<void> => {
    const { running } = state;
    running?.stop.abort();
    await running?.ended;
    state.running = null;
    state.error = null;
  };
  const begin = async (state: ChannelState, token: string, takeOver: boolean): Promise<Result<null>> => {
    const { kind, entry, rows, pairing } = state;
    const workspace = await host.openWorkspace();
    if (!workspace.ok) return workspace;
    if (readRoots.length === 0) readRoots.push(await openInbox(host.home));
    const makeChannel = await entry.load();
    if (stopped.aborted) return fail("aborted");
    const { apiAddress } = rows.channel();
    const log = (line: string): void => host.log(mask().text(line));
    const stop = new AbortController();
    const signal = AbortSignal.any([stopped, stop.signal]);
    const channel = makeRunningChannel(
      {
        kind,
        channel: makeChannel({ token, apiAddress, takeOver, log, now: host.now }),
        rows,
        pairing,
        host: { ...host, log },
        workspace: workspace.value.project,
        texts: () => channelTexts(host.settings().language, host.environment),
        mask,
        changed,
        reportBug,
      },
      signal,
    );
    state.running = { channel, stop, ended: channel.start().catch(reportBug) };
    return ok(null);
  };
  return {
    readRoots,
    changed,
    begin: (signal) => {
      stopped = signal;
    },
    connect: (state, takeOver) =>
      mutex.hold(
        state.kind,
        async () => {
          await end(state);
          const { token } = findToken(host, state);
          if (!stopped.aborted && token !== null && state.rows.channel().isOn) {
            const begun = await begin(state, token, takeOver).catch((error: unknown) => {
              reportBug(error);
              return fail("feature_failed", undefined, { feature: state.kind });
            });
            if (!begun.ok) state.error = begun.error;
          }
          changed();
        },
        neverAborted,
      ),
    disconnect: (state) => mutex.hold(state.kind, () => end(state), neverAborted),
  };
}

function findToken(
  { environment, store }: Pick<ChannelsHost, "environment" | "store">,
  { kind, entry }: Pick<ChannelState, "kind" | "entry">,
): { readonly token: string | null; readonly source: ChannelView["token"] } {
  const token = environment[entry.tokenVariable] ?? "";
  if (token !== "") return { token, source: "environment" };
  const stored = store.secrets.in("channels").get(kind);
  return { token: stored, source: stored === null ? "none" : "stored" };
}

function channelCommandHandlers(
  host: ChannelsHost,
  stateOf: (kind: ChannelKind) => ChannelState,
  connections: Connections,
) {
  const view = (state: ChannelState): ChannelView => viewChannel(host, state);
  return {
    "channels.list": () => ok({ channels: channelKinds.map((kind) => view(stateOf(kind))) }),
    async "channels.set"(input) {
      const state = stateOf(input.kind);
      const checked = await checkChange(host, state, input);
      if (!checked.ok) return checked;
      const { isOn, apiAddress, projectId } = state.rows.channel();
      state.rows.saveChannel({
        isOn: input.isOn ?? isOn,
        apiAddress: input.apiAddress ?? apiAddress,
        projectId: input.projectId === undefined ? projectId : input.projectId,
      });
      await connections.connect(state, input.takesOver === true);
      return ok(view(state));
    },
    async "channels.set_token"({ kind, token }) {
      const state = stateOf(kind);
      host.store.secrets.in("channels").set(kind, token);
      // The ids of the updates of another account are others.
      state.rows.forgetUpdates();
      if (findToken(host, state).token === null) state.rows.saveChannel({ ...state.rows.channel(), isOn: false });
      await connections.connect(state, false);
      return ok(view(state));
    },
    "channels.pair"({ kind }) {
      const { running, pairing } = stateOf(kind);
      const connection = running?.channel.state();
      if (connection?.kind !== "online") return fail("server_unreachable");
      const { code, until } = pairing.make();
      connections.changed();
      return ok({ link: `${connection.address}${code}`, expiresAt: until });
    },
    "channels.set_person"({ kind, id, right, isPaused }) {
      const state = stateOf(kind);
      const person = state.rows.person(id);
      if (person === undefined) return fail("not_found");
      const isEnding = isPaused === true && !person.isPaused;
      const isContinuing = isPaused === false && person.isPaused;
      state.rows.atomically(() => {
        if (isEnding) state.rows.clearPerson(id);
        // Skips the events of the pause: they are not sent later.
        const seenSeq = isContinuing ? newestSeq(host, person.sessionId) : person.seenSeq;
        const changed = { right: right ?? person.right, isPaused: isPaused ?? person.isPaused, seenSeq };
        state.rows.savePerson({ ...person, ...changed });
      });
      if (isEnding || isContinuing) state.running?.channel.personChanged(id);
      connections.changed();
      return ok(view(state));
    },
    "channels.remove_person"({ kind, id }) {
      const state = stateOf(kind);
      if (state.rows.person(id) === undefined) return fail("not_found");
      state.rows.atomically(() => state.rows.removePerson(id));
      state.running?.channel.personChanged(id);
      connections.changed();
      return ok(view(state));
    },
  } satisfies Partial<HandlerTable>;
}

async function checkChange(
  host: ChannelsHost,
  state: ChannelState,
  { isOn, apiAddress = "", projectId }: CommandInput<"channels.set">,
): Promise<Result<unknown>> {
  if (isOn === true && findToken(host, state).token === null) return fail("bad_input", undefined, { why: "token" });
  if (apiAddress !== "" && !/^https?:$/.test(URL.parse(apiAddress)?.protocol ?? ""))
    return fail("bad_input", undefined, { why: "address" });
  return projectId === undefined || projectId === null ? ok(null) : host.projects.get(projectId);
}

function viewChannel(host: ChannelsHost, state: ChannelState): ChannelView {
  const { kind, rows, pairing } = state;
  const { isOn, apiAddress, projectId } = rows.channel();
  const pairingUntil = pairing.until();
  return {
    kind,
    isOn,
    apiAddress,
    ...(projectId === null ? {} : { projectId }),
    token: findToken(host, state).source,
    connection: viewConnection(state),
    people: rows.people().map(({ chatId: _chat, seenSeq: _seen, projectId: chosen, sessionId, ...person }) => ({
      ...person,
      ...(chosen === null ? {} : { projectId: chosen }),
      ...(sessionId === null ? {} : { sessionId }),
      waitingMessages: rows.countUpdates(person.id),
      waitingDeliveries: rows.countDeliveries(person.id),
    })),
    ...(pairingUntil === undefined ? {} : { pairingUntil }),
  };
}

function viewConnection({ running, error }: ChannelState): ChannelConnection {
  if (running === null) return error === null ? { kind: "off" } : { kind: "stopped", error };
  const state = running.channel.state();
  return state.kind === "online" ? { kind: "online", name: state.name } : state;
}
