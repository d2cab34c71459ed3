/** A channel that is switched on: connects what a messenger transports with the sessions. */
import { type Envelope, isDurable } from "@/lib/events/event";
import { asId, type ClientId, type SessionId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { untilAborted } from "@/server/base/abort";
import type { Redactor } from "@/server/security/redaction/redact";
import type { ChannelRows, StoredPerson } from "@/server/store/channels";
import type { FeatureHost } from "../feature";
import { updateCards } from "./chat/cards";
import type { Channel, ChannelState, SentFile } from "./channel";
import { type ChannelContext, storeText } from "./channel-context";
import { makeInbox, updateAgeMs } from "./chat/inbox";
import { makeOutbox, type Outbox } from "./chat/outbox";
import type { Pairing } from "./pairing";
import { makeProgress } from "./chat/progress";
import { finishedRuns } from "./chat/run-text";
import type { ChannelTexts } from "./chat/texts";

export type RunningHost = Pick<
  FeatureHost,
  "sessions" | "store" | "home" | "now" | "projects" | "remoteSessions" | "log"
>;

interface RunningChannelOptions {
  readonly kind: string;
  readonly channel: Channel;
  readonly rows: ChannelRows;
  readonly pairing: Pairing;
  readonly host: RunningHost;
  /** The personal workspace. */
  readonly workspace: Pick<Project, "id">;
  texts(): ChannelTexts;
  mask(): Redactor;
  /** The connection, the people or what waits changed. */
  changed(): void;
  reportBug(error: unknown): void;
}

/** stored = it is sent later; refused = it never arrives: the messenger refuses it, or the person may not be written to any more. */
export type Delivery = "delivered" | "stored" | "refused";

export interface RunningChannel {
  state(): ChannelState;
  /** Resolves when the channel does not receive any more. */
  start(): Promise<void>;
  event(envelope: Envelope): void;
  /** Whether a person may read a session. */
  mayRead(person: StoredPerson, id: SessionId): boolean;
  /** Stores a message to a person and sends it; resolves as soon as it was sent, or the signal fires. */
  write(personId: string, text: string, file: SentFile | undefined, signal: AbortSignal): Promise<Delivery>;
  /** A person was paused, continues, or was removed. */
  personChanged(id: string): void;
}

export function makeRunningChannel(options: RunningChannelOptions, signal: AbortSignal): RunningChannel {
  const { channel, rows, host, changed, reportBug, pairing } = options;
  const context = makeContext(options, (id) => outbox.wake(id));
  const outbox = makeOutbox({
    rows,
    channel,
    blobs: host.store.blobs,
    texts: options.texts,
    changed,
    log: host.log,
    reportBug,
    signal,
  });
  const inbox = makeInbox({ context, pairing, changed, reportBug, signal });
  const progress = makeProgress(context);
  let state: ChannelState = { kind: "connecting" };
  const resume = (person: StoredPerson): void => {
    deliverRuns(context, person);
    updateCards(context, person);
    inbox.askAboutOld(person.id);
    inbox.wake(person.id);
    outbox.wake(person.id);
  };
  return {
    state: () => state,
    async start() {
      rows.forgetUpdates(host.now() - updateAgeMs);
      for (const { id, sessionId } of rows.people()) {
        try {
          if (sessionId !== null) await host.sessions.ready(sessionId, signal);
          const person = rows.person(id);
          if (person !== undefined) resume(person);
        } catch (error) {
          // A session that cannot be read does not block the others.
          if (!signal.aborted) reportBug(error);
        }
      }
      await channel.start(
        {
          received: inbox.received,
          stateChanged(next) {
            state = next;
            changed();
          },
        },
        signal,
      );
    },
    event(envelope) {
      const { sessionId, event } = envelope;
      if (isDurable(envelope) && isCardEvent(event.type))
        for (const person of rows.people()) updateCards(context, person);
      const people = rows.people().filter((person) => person.sessionId === sessionId);
      if (people.length === 0) return;
      progress.follow(envelope);
      if (event.type !== "agent_end" && event.type !== "queue_change") return;
      for (const person of people) {
        deliverRuns(context, person);
        inbox.wake(person.id);
      }
    },
    mayRead: (person, id) => context.sessionsOf(person).get(id).ok,
    write: makeWrite(context, outbox),
    personChanged(id) {
      const person = rows.person(id);
      if (person === undefined || person.isPaused) return outbox.stop(id);
      resume(person);
    },
  };
}

const makeWrite =
  (context: ChannelContext, outbox: Outbox): RunningChannel["write"] =>
  async (personId, text, file, signal) => {
    const { rows, host, mask } = context;
    const blob = file === undefined ? null : await host.store.blobs.putAsync(file.bytes);
    const person = rows.person(personId);
    if (person === undefined || person.isPaused) return "refused";
    rows.atomically(() => {
      storeText(context, personId, text);
      if (file === undefined || blob === null) return;
      rows.addDelivery({ personId, text: "", file: { name: mask().text(file.name), blob } });
    });
    const refused = outbox.refusals(personId);
    await Promise.race([outbox.sent(personId), untilAborted(signal)]);
    if (outbox.refusals(personId) > refused) return "refused";
    return rows.countDeliveries(personId) === 0 ? "delivered" : "stored";
  };

const isCardEvent = (type: string): boolean =>
  type === "approval_request" || type === "approval_response" || type === "agent_end";

function makeContext(options: RunningChannelOptions, wake: (personId: string) => void): ChannelContext {
  const { kind, channel, rows, host, workspace, texts, mask } = options;
  const chosenProject = () => rows.channel().projectId;
  const mayUse = (id: string): boolean => id === workspace.id || id === chosenProject();
  return {
    kind,
    channel,
    rows,
    host,
    texts,
    mask,
    wake,
    sessionsOf: ({ id, name, right }) =>
      host.remoteSessions({
        id: asId<ClientId>(`${kind}-${id}`),
        origin: { kind: "channel", name },
        right,
        mayUse,
      }),
    projects() {
      const project = chosenProject();
      const chosen = project === null || project === workspace.id ? undefined : host.store.projects.get(project);
      return [{ id: workspace.id, name: texts().personalWorkspace }, ...(chosen === undefined ? [] : [chosen])];
    },
    projectOf: ({ projectId }) =>
      projectId !== null && mayUse(projectId) ? projectId : (chosenProject() ?? workspace.id),
  };
}

/** Stores the answers of runs that ended since the last time. The log is what decides, so that no kill loses one. */
function deliverRuns(context: ChannelContext, person: StoredPerson): void {
  const { rows, mask } = context;
  const session = person.sessionId === null ? null : context.sessionsOf(person).get(person.sessionId);
  if (session?.ok !== true || person.isPaused) return;
  const runs = finishedRuns(session.value.view, person.seenSeq, context.texts(), (text) => mask().text(text));
  const last = runs.at(-1);
  if (last === undefined) return;
  rows.atomically(() => {
    for (const { text } of runs) storeText(context, person.id, text);
    rows.savePerson({ ...person, seenSeq: last.seq });
  });
  context.wake(person.id);
}

/** The seq up to which nothing is delivered of a session, for a person who continues. */
export const newestSeq = ({ sessions }: Pick<FeatureHost, "sessions">, id: SessionId | null): number => {
  const session = id === null ? null : sessions.get(id);
  return session?.ok === true ? session.value.view.seq : 0;
};
