/**
 * Fold of live events: streamed text, streamed output and the phase. Lost live events do not affect the durable state.
 */
import { at, indexOfSeq, replace } from "./chunks";
import type { LiveEnvelope, LiveEvent } from "../events/event";
import { updateCall } from "./fold-call";
import type { Entry, SessionView, ViewBlock } from "./view";

/** Least length of the tail of a running call's output, UTF-16 units. */
export const liveTailChars = 65_536;

export function foldLive(view: SessionView, envelope: LiveEnvelope): SessionView {
  const { event } = envelope;
  switch (event.type) {
    case "message_delta":
      return foldMessageDelta(view, event);
    case "tool_call_delta":
      return foldCallDelta(view, event);
    case "phase": {
      if (view.turn === null || envelope.after < view.turn.seq) return view;
      const { type: _type, ...phase } = event;
      return { ...view, phase };
    }
    default:
      return unknownEvent(view, event);
  }
}

const unknownEvent = (view: SessionView, _event: never): SessionView => view;

/**
 * Returns the part of `text` (starting at `offset`) after the first `have` units; null if text before `offset` is
 * missing.
 */
function newText(have: number, offset: number, text: string): string | null {
  return offset > have ? null : text.slice(have - offset);
}

/** Marks the view stale because preceding data is missing; the client must reopen the session. */
export const markStale = (view: SessionView): SessionView => (view.stale ? view : { ...view, stale: true });

function foldMessageDelta(view: SessionView, event: Extract<LiveEvent, { type: "message_delta" }>): SessionView {
  if (!Object.hasOwn(view.openMessages, event.messageId)) return view;
  const index = indexOfSeq(view.entries, view.openMessages[event.messageId] ?? 0);
  const entry = at(view.entries, index);
  if (entry?.kind !== "message") return view;
  const block = entry.blocks[event.block];
  if (block === undefined && event.block !== entry.blocks.length) return markStale(view);
  if (block !== undefined && block.type !== event.kind) return markStale(view);
  const have = block !== undefined && "text" in block ? block.text : "";
  const text = newText(have.length, event.offset, event.text);
  if (text === null) return markStale(view);
  if (text === "" && block !== undefined) return view;
  const blocks = entry.blocks.slice();
  blocks[event.block] = streamedBlock(event, have + text, block);
  return { ...view, entries: replace<Entry>(view.entries, index, { ...entry, blocks }) };
}

function streamedBlock(
  event: Extract<LiveEvent, { type: "message_delta" }>,
  text: string,
  before: ViewBlock | undefined,
): ViewBlock {
  if (event.kind !== "input") return { type: event.kind, text };
  return { type: "input", name: event.name ?? (before?.type === "input" ? before.name : ""), text };
}

function foldCallDelta(view: SessionView, event: Extract<LiveEvent, { type: "tool_call_delta" }>): SessionView {
  let gap = false;
  const next = updateCall(view, event.callId, (call) => {
    const have = call.live?.length ?? 0;
    const text = newText(have, event.offset, event.text);
    gap = text === null;
    if (text === null || text === "") return call;
    const length = have + text.length;
    return { ...call, live: { length, tail: outputTail((call.live?.tail ?? "") + text, length) } };
  });
  return gap ? markStale(view) : next;
}

/**
 * Returns the tail of an output of `length` UTF-16 units, at least `liveTailChars` long. It is cut at multiples of
 * `tailStep` of the output, so that most deltas only append, and the tail does not depend on how the output was split
 * into deltas.
 */
function outputTail(tail: string, length: number): string {
  const start = Math.floor(Math.max(0, length - liveTailChars) / tailStep) * tailStep;
  return tail.slice(Math.max(0, start - (length - tail.length)));
}

const tailStep = liveTailChars / 4;
