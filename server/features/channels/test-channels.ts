/** The feature over the services of the product, with a messenger in memory; only the model is a script. For tests. */
import { onTestFinished } from "vitest";
import type Database from "better-sqlite3";
import type { ChannelView } from "@/lib/channels/channels";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { Result } from "@/lib/events/error";
import { asId, type ClientId, type SessionId } from "@/lib/events/id";
import type { NewNotice } from "@/lib/notices/notice";
import type { RemoteRight } from "@/lib/permissions/remote-rights";
import type { CommandClient, HandlerTable } from "@/server/handlers/handlers";
import type { Session } from "@/server/session/core/session-types";
import { makeRemoteSessions } from "@/server/session/service/remote-sessions";
import { makeTestHarness, type TestHarnessOptions } from "@/server/session/testing/test-harness";
import { StoreError } from "@/server/store/core/store-error";
import type { Sender } from "./channel";
import { channelsFeature } from "./channels-feature";
import { makeTestMessenger, type ShownMessage } from "./test-channel";

type ChannelCommand = Extract<CommandName, `channels.${string}`>;

const tab: CommandClient = { id: asId<ClientId>("tab"), access: "owner", join: () => {}, leave: () => {} };
const kind = "telegram";
export const ada: Sender = { id: "1001", name: "Ada" };
export const bob: Sender = { id: "1002", name: "Bob" };

export type TestChannels = Awaited<ReturnType<typeof makeTestChannels>>;

interface TestChannelsOptions extends TestHarnessOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

export async function makeTestChannels({ environment = {}, ...options }: TestChannelsOptions = {}) {
  let feature: ReturnType<typeof channelsFeature> | null = null;
  const harness = await makeTestHarness({
    ...options,
    readRoots: () => feature?.readRoots ?? [],
    catalogueSources: () => feature?.catalogueSources ?? [],
  });
  const clock = { now: Date.UTC(2026, 10, 30, 8, 0) };
  const messenger = makeTestMessenger(() => clock.now);
  const logged: string[] = [];
  const bugs: unknown[] = [];
  const pushes: string[] = [];
  const pushListeners = new Set<() => void>();
  const notices: NewNotice[] = [];
  const processes: { kill(): void }[] = [];
  /** Accesses to the rows until the process is killed. */
  let accessesLeft = Number.POSITIVE_INFINITY;
  const start = async () => {
    let killed = false;
    const isKilled = (): boolean => {
      if (killed) return true;
      accessesLeft -= 1;
      if (accessesLeft > 0) return false;
      killed = true;
      queueMicrotask(messenger.changed);
      return true;
    };
    const core = harness.services();
    const stop = new AbortController();
    const started = channelsFeature(
      {
        store: {
          ...harness.store,
          database: failAfterKill(harness.store.database, isKilled),
        },
        sessions: core.sessions,
        access: core.access,
        projects: core.projects,
        openWorkspace: core.openWorkspace,
        settings: () => harness.settings.current,
        remoteSessions: (client) => makeRemoteSessions(core.sessions, client),
        environment: { NODE_ENV: "test", ...environment },
        bearer: "bearer-of-this-server",
        home: harness.home,
        push({ type }) {
          pushes.push(type);
          for (const listener of pushListeners) listener();
        },
        notify: (notice) => void notices.push(notice),
        now: () => clock.now,
        log: (line) => void logged.push(line),
        reportBug: (_name, error) => {
          if (!killed) bugs.push(error);
        },
      },
      { telegram: { tokenVariable: "TELEGRAM_BOT_TOKEN", load: async () => messenger.makeChannel(() => killed) } },
    );
    core.sessions.subscribe((envelope) => {
      try {
        if (!killed) started.sessionListener.event(envelope);
      } catch (error) {
        // As in the product, an error that a listener throws does not reach the session.
        if (!killed) bugs.push(error);
      }
    });
    feature = started;
    const running = started.start(stop.signal);
    processes.push({ kill: () => (killed = true) });
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
  };
  await start();
  async function attempt<N extends ChannelCommand>(name: N, input: CommandInput<N>): Promise<Result<CommandOutput<N>>> {
    const table: Partial<HandlerTable> = feature?.commands ?? {};
    const handle = table[name];
    if (handle === undefined) throw new Error(`no handler of ${name}`);
    return handle(input, tab);
  }
  async function call<N extends ChannelCommand>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
    const answer = await attempt(name, input);
    if (!answer.ok) throw new Error(`${answer.error.code} ${answer.error.detail ?? ""}`);
    return answer.value;
  }
  const view = async (): Promise<ChannelView> => {
    const [channel] = (await call("channels.list", {})).channels;
    if (channel === undefined) throw new Error("no channel");
    return channel;
  };
  const write = (sender: Sender, text: string, fields: Parameters<typeof messenger.message>[2] = {}): Promise<void> =>
    messenger.deliver(messenger.message(sender, text, fields));
  /** Resolves with a message to a person that contains a text. */
  const gets = (person: Sender, text: string): Promise<ShownMessage> =>
    messenger.when(() => messenger.messages.find((one) => one.chatId === person.id && one.text.includes(text)));
  return {
    harness,
    clock,
    messenger,
    logged,
    bugs,
    pushes,
    notices,
    feature: () => feature,
    attempt,
    call,
    view,
    write,
    gets,
    /** Resolves with the next message to the clients. */
    nextPush: (): Promise<string | undefined> =>
      new Promise((resolve) => {
        const listener = (): void => {
          pushListeners.delete(listener);
          resolve(pushes.at(-1));
        };
        pushListeners.add(listener);
      }),
    /** Switches the channel on. */
    async connect() {
      await call("channels.set_token", { kind, token: "12345:secret-of-the-bot" });
      await call("channels.set", { kind, isOn: true });
      await messenger.when(messenger.isOnline);
    },
    async pair(person: Sender, right: RemoteRight = "answer"): Promise<void> {
      const { link } = await call("channels.pair", { kind });
      await write(person, `/start ${new URL(link).searchParams.get("start") ?? ""}`);
      await call("channels.set_person", { kind, id: person.id, right });
      await gets(person, "connected");
    },
    /** Presses the button with this label of the newest message that has one. */
    async press(person: Sender, label: string): Promise<void> {
      const message = await messenger.when(() =>
        messenger.messages.findLast(
          (one) => one.chatId === person.id && one.buttons.some((button) => button.label === label),
        ),
      );
      const value = message.buttons.find((button) => button.label === label)?.value ?? "";
      await messenger.deliver(messenger.pressOf(person, value));
    },
    /** The session of a person's chat. */
    async session(person: Sender): Promise<Session> {
      const { people } = await view();
      const id = people.find((one) => one.id === person.id)?.sessionId;
      const session = id === undefined ? undefined : harness.registry().get(id);
      if (session === undefined) throw new Error("the chat has no session");
      return session;
    },
    sessionById(id: SessionId): Session {
      const session = harness.registry().get(id);
      if (session === undefined) throw new Error("no such session");
      return session;
    },
    /** Kills the process at a later access to the rows. */
    killAfter(accesses: number) {
      accessesLeft = accesses;
    },
    isKilled: (): boolean => accessesLeft <= 0,
    /** A kill and a start. */
    async restart() {
      accessesLeft = Number.POSITIVE_INFINITY;
      for (const { kill } of processes) kill();
      messenger.disconnect();
      await harness.restart();
      harness.registry().recoverAll();
      await start();
      await messenger.when(messenger.isOnline);
    },
  };
}

/** Makes a killed process fail on every statement. */
function failAfterKill(database: Database.Database, isKilled: () => boolean): Database.Database {
  return new Proxy(database, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (isKilled()) throw new StoreError("not_found", "this process was killed");
      return member.bind(target);
    },
  });
}
