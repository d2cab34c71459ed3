/**
 * All viewers of one share. The redacted session is loaded from the first viewer to the last; streamed text is joined
 * for at most `shareJoinMs` and sent as one packet for all of them. A viewer that stops reading costs bounded memory.
 */
import { type Envelope, isDurable, type LiveEnvelope } from "@/lib/events/event";
import { limits } from "@/lib/settings/settings";
import type { SessionView } from "@/lib/view/view";
import type { SharedView } from "@/server/session/share/shared-view";
import { joinDeltas } from "../socket/broadcast";

/** One viewer's connection. */
export interface ViewerWire {
  /** Turns the delivery of packets on or off. */
  listen(on: boolean): void;
  /** The viewer missed envelopes: it opens the session again. */
  resync(): void;
}

export interface ViewerHandle {
  /** Starts the delivery of envelopes. */
  join(): void;
  leave(): void;
  /** The network has taken everything sent. */
  drained(): void;
}

export interface ShareAudience {
  /** The redacted session; undefined = it does not exist. */
  view(): Promise<(() => SessionView) | undefined>;
  add(wire: ViewerWire): ViewerHandle;
  close(): void;
}

interface AudienceMember {
  readonly wire: ViewerWire;
  joined: boolean;
  missed: boolean;
  /** Since the network last had taken everything. */
  unsentEvents: number;
  unsentChars: number;
}

export function makeShareAudience(options: {
  open(publish: (envelopes: readonly Envelope[]) => void): Promise<SharedView | null>;
  /** Sends one packet to all who listen. */
  send(envelopes: readonly Envelope[]): void;
}): ShareAudience {
  const members = new Set<AudienceMember>();
  let opening: Promise<SharedView | null> | null = null;
  const joined = makeJoinWindow((batch) => {
    const chars = batch.reduce((sum, envelope) => sum + packetChars(envelope), 0);
    for (const member of members) countSent(member, batch.length, chars);
    options.send(batch);
  });
  const closeView = (): void => {
    const closing = opening;
    opening = null;
    joined.drop();
    void closing?.then(
      (view) => view?.close(),
      () => {},
    );
  };
  return {
    async view() {
      const own = (opening ??= options.open((envelopes) => {
        if (opening === own) joined.add(envelopes);
      }));
      try {
        return (await own)?.view;
      } catch (error) {
        if (opening === own) opening = null;
        throw error;
      }
    },
    add(wire) {
      const member: AudienceMember = { wire, joined: false, missed: false, unsentEvents: 0, unsentChars: 0 };
      members.add(member);
      return {
        join() {
          member.joined = true;
          member.missed = false;
          wire.listen(true);
        },
        leave() {
          members.delete(member);
          if (members.size === 0) closeView();
        },
        drained: () => resetBacklog(member),
      };
    },
    close: closeView,
  };
}

/**
 * Live envelopes are joined for at most `shareJoinMs`; a durable one is sent at once, together with those before it.
 */
function makeJoinWindow(send: (batch: readonly Envelope[]) => void) {
  let waiting: LiveEnvelope[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flush = (durable?: Envelope): void => {
    const batch: Envelope[] = joinDeltas(waiting);
    waiting = [];
    if (durable !== undefined) batch.push(durable);
    if (batch.length > 0) send(batch);
  };
  // The first delta after a pause is sent at once; those that follow are sent together at the end of the window.
  const closeWindow = (): void => {
    timer = waiting.length > 0 ? setTimeout(closeWindow, limits.shareJoinMs) : null;
    flush();
  };
  return {
    add(envelopes: readonly Envelope[]): void {
      for (const envelope of envelopes) {
        if (isDurable(envelope)) flush(envelope);
        else waiting.push(envelope);
      }
      if (waiting.length > 0 && timer === null) closeWindow();
    },
    drop(): void {
      waiting = [];
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

function resetBacklog(member: AudienceMember): void {
  member.unsentEvents = 0;
  member.unsentChars = 0;
  if (!member.missed) return;
  member.missed = false;
  member.wire.resync();
}

/** Counts sent data; over the limit the viewer is sent nothing more until it has read the rest. */
function countSent(member: AudienceMember, events: number, chars: number): void {
  if (!member.joined || member.missed) return;
  member.unsentEvents += events;
  member.unsentChars += chars;
  if (member.unsentEvents <= limits.resyncEvents && member.unsentChars <= limits.packetMaxBytes) return;
  member.missed = true;
  member.joined = false;
  member.wire.listen(false);
}

const packetChars = (envelope: Envelope): number =>
  isDurable(envelope)
    ? JSON.stringify(envelope).length
    : "text" in envelope.event
      ? 150 + envelope.event.text.length
      : 200;
