/**
 * Passes durable events to the listeners of enabled extensions, after the fact. Never waits: each listener has a queue of
 * its own.
 */
import { type DurableEnvelope, type Envelope, isDurable } from "@/lib/events/event";
import type { ProjectId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import { matchAtoms, wildcardAtoms } from "@/server/base/wildcard";
import type { Redactor } from "@/server/security/redaction/redact";
import type { FeatureHost } from "../feature";
import type { ScriptListener } from "./definition/read-definition";
import { callInput, eventPayload, type ListenedEvent, toListenedEvent } from "./event-payload";
import type { Extensions, ProjectExtensions, StatedExtension } from "./extensions";
import { listenerLimits, type ListenerQueue, makeListenerQueue, realTime } from "./listener-queue";
import type { RunLogs } from "./run-logs";
import type { ScriptRuns } from "./script-runs";

interface Listeners {
  event(envelope: Envelope): void;
  /** Ends the processes of extensions that are not enabled as they are now. */
  update(projectId: ProjectId, read: ProjectExtensions): void;
  /** Ends all processes in a project; the next event starts those again that are enabled. */
  end(projectId: ProjectId): void;
  /** Resolves when nothing runs any more. */
  close(): Promise<void>;
}

interface ListenersOptions extends Pick<FeatureHost, "reportBug"> {
  readonly sessions: Pick<FeatureHost["sessions"], "get">;
  readonly runs: ScriptRuns;
  readonly logs: RunLogs;
  readonly stop: AbortSignal;
  extensions(): Extensions;
  redactor(): Promise<Pick<Redactor, "json">>;
}

interface WaitingEvent {
  readonly envelope: DurableEnvelope;
  readonly event: ListenedEvent;
  readonly view: SessionView;
}

interface OpenQueue {
  /** Hash of the extension's files. */
  readonly hash: string | null;
  readonly projectId: ProjectId;
  readonly path: string;
  readonly queue: ListenerQueue;
}

const listening = ({ places }: ProjectExtensions): readonly StatedExtension[] =>
  places.flatMap(({ extensions }) =>
    extensions.filter(({ status, definition }) => status === "on" && definition.listeners.length > 0),
  );

const fits = ({ events, match }: ScriptListener, { name, subject }: ListenedEvent): boolean =>
  events.includes(name) && (match === null || matchAtoms(wildcardAtoms(match), [...subject]));

function makeOpenQueues() {
  const open = new Map<string, OpenQueue>();
  const closing = new Set<Promise<void>>();
  const close = (key: string): void => {
    const ended = open
      .get(key)
      ?.queue.close()
      .finally(() => closing.delete(ended ?? Promise.resolve()));
    if (ended !== undefined) closing.add(ended);
    open.delete(key);
  };
  return {
    open,
    close,
    closeAll(matches: (one: OpenQueue) => boolean): void {
      for (const [key, one] of open) if (matches(one)) close(key);
    },
    /** Resolves when nothing of the closed ones runs any more. */
    ended: () => Promise.all(closing),
  };
}

export function makeListeners(options: ListenersOptions): Listeners {
  const { sessions, runs, logs, stop, redactor, reportBug } = options;
  const queues = makeOpenQueues();
  /** Events of projects whose extensions are being read. */
  const unread = new Map<ProjectId, WaitingEvent[]>();
  const report = (error: unknown): void => {
    if (!stop.aborted) reportBug("listener", error);
  };
  const queueOf = (extension: StatedExtension, project: ProjectExtensions, projectId: ProjectId, at: number) => {
    const { path, hash } = extension;
    const key = JSON.stringify([projectId, path, at]);
    const open = queues.open.get(key);
    if (open !== undefined && open.hash === hash) return open.queue;
    queues.close(key);
    const listener = extension.definition.listeners[at];
    if (listener === undefined) return null;
    const parts = { extension, project, listener, runs, log: logs.of(path), reportBug: report };
    const queue = makeListenerQueue({ ...parts, ...realTime });
    queues.open.set(key, { hash, projectId, path, queue });
    return queue;
  };
  const deliver = async (waiting: readonly WaitingEvent[], project: ProjectExtensions, projectId: ProjectId) => {
    const mask = await redactor();
    if (stop.aborted) return;
    for (const { envelope, event, view } of waiting)
      for (const extension of listening(project))
        for (const [at, listener] of extension.definition.listeners.entries()) {
          if (!fits(listener, event)) continue;
          const base = { extension: extension.name, sessionId: view.sessionId, project: project.root };
          const input = callInput(view, envelope.event);
          queueOf(extension, project, projectId, at)?.add(eventPayload(event, input, base, envelope, mask));
        }
  };
  const readAndDeliver = async (projectId: ProjectId): Promise<void> => {
    const read = await options.extensions().refresh(projectId, stop);
    const waiting = unread.get(projectId) ?? [];
    unread.delete(projectId);
    if (read.ok) await deliver(waiting, read.value, projectId);
  };
  return {
    event(envelope) {
      if (!isDurable(envelope)) return;
      const session = sessions.get(envelope.sessionId);
      if (!session.ok) return;
      const { view } = session.value;
      const event = toListenedEvent(envelope.event, view);
      if (event === null) return;
      const { projectId } = view;
      const read = options.extensions().peek(projectId);
      const waiting = unread.get(projectId);
      if (waiting !== undefined) {
        waiting.push({ envelope, event, view });
        if (waiting.length > listenerLimits.queued) waiting.shift();
      } else if (read === null) {
        unread.set(projectId, [{ envelope, event, view }]);
        readAndDeliver(projectId).catch(report);
      } else if (listening(read).length > 0) {
        deliver([{ envelope, event, view }], read, projectId).catch(report);
      }
    },
    update(projectId, read) {
      const on = new Set(listening(read).map(({ path, hash }) => `${path}\n${hash}`));
      queues.closeAll((open) => open.projectId === projectId && !on.has(`${open.path}\n${open.hash}`));
    },
    end: (projectId) => queues.closeAll((open) => open.projectId === projectId),
    async close() {
      queues.closeAll(() => true);
      await queues.ended();
    },
  };
}
