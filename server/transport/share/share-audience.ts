/**
 * All viewers of one share: subscribers of its redacted session, which is loaded from the first viewer to the last.
 */
import type { Envelope } from "@/lib/events/event";
import type { SessionId } from "@/lib/events/id";
import { sessionTopic } from "@/lib/protocol/topics";
import type { SessionView } from "@/lib/view/view";
import type { SharedView } from "@/server/session/share/shared-view";
import { makeTopic } from "../topics/topic";

/** Time streamed text to viewers is batched, ms. */
const shareJoinMs = 25;

/** One viewer's connection. */
export interface ViewerWire {
  readonly socketId: string;
  /** The viewer missed envelopes: it opens the session again. */
  resync(sessionId: SessionId): void;
}

export interface ShareAudience {
  /** The redacted session; undefined = it does not exist. */
  view(): Promise<(() => SessionView) | undefined>;
  add(viewer: ViewerWire): void;
  /** Starts the delivery of envelopes. */
  join(viewer: ViewerWire): void;
  leave(viewer: ViewerWire): void;
  /** The network has taken everything sent. */
  drained(viewer: ViewerWire): void;
  /** The connection has ended. */
  remove(viewer: ViewerWire): void;
  close(): void;
}

export function makeShareAudience(options: {
  readonly sessionId: SessionId;
  open(publish: (envelopes: readonly Envelope[]) => void): Promise<SharedView | null>;
  /** Sends one packet to these viewers. */
  send(viewers: readonly ViewerWire[], envelopes: readonly Envelope[]): void;
}): ShareAudience {
  const { sessionId } = options;
  const viewers = new Set<ViewerWire>();
  let opening: Promise<SharedView | null> | null = null;
  const topic = makeTopic<ViewerWire, Envelope>({
    policy: sessionTopic,
    joinMs: shareJoinMs,
    send: options.send,
    resync: (viewer) => viewer.resync(sessionId),
  });
  const close = (): void => {
    const closing = opening;
    opening = null;
    topic.clear();
    void closing?.then(
      (view) => view?.close(),
      () => {},
    );
  };
  return {
    async view() {
      const own = (opening ??= options.open((envelopes) => {
        if (opening === own) topic.publish(envelopes);
      }));
      try {
        return (await own)?.view;
      } catch (error) {
        if (opening === own) opening = null;
        throw error;
      }
    },
    add: (viewer) => void viewers.add(viewer),
    join(viewer) {
      // The view may have loaded after the viewer has left.
      if (viewers.has(viewer)) topic.subscribe(viewer, sessionId);
    },
    leave: (viewer) => topic.unsubscribe(viewer, sessionId),
    drained: topic.drained,
    remove(viewer) {
      topic.remove(viewer);
      viewers.delete(viewer);
      if (viewers.size === 0) close();
    },
    close,
  };
}
