/** Fold of the events of a tool call: start, approval, file change and end. */
import { at, indexOfSeq, replace } from "./chunks";
import type { DurableEvent } from "../events/event";
import type { CallId } from "../events/id";
import type { ApprovalView, CallView, Entry, SessionView } from "./view";

type CallEvent = Extract<
  DurableEvent,
  { type: "tool_call_start" | "approval_request" | "approval_response" | "file_change" | "tool_call_end" }
>;

/** Applies a call event. Events of unknown or ended calls, and duplicates, change nothing. */
export function foldCall(view: SessionView, event: CallEvent, now: number): SessionView {
  if (event.type === "approval_response") {
    const callId = findCallOfApproval(view, event);
    if (callId === null) return view;
    const answered = updateCall(view, callId, (call) => applyResponse(call, event, now));
    return event.option === "network" ? { ...answered, networkSince: answered.networkSince || answered.seq } : answered;
  }
  if (!Object.hasOwn(view.openCalls, event.callId)) return view;
  const changed = updateCall(view, event.callId, (call) => applyCallEvent(call, event, now));
  if (event.type !== "tool_call_end") return changed;
  const { [event.callId]: _gone, ...openCalls } = changed.openCalls;
  const changes = event.changes ?? [];
  return {
    ...changed,
    openCalls,
    added: changes.reduce((sum, change) => sum + change.added, changed.added),
    removed: changes.reduce((sum, change) => sum + change.removed, changed.removed),
  };
}

function applyCallEvent(
  call: CallView,
  event: Exclude<CallEvent, { type: "approval_response" }>,
  now: number,
): CallView {
  switch (event.type) {
    case "tool_call_start": {
      const { kind, target, facts, name = call.name } = event;
      return { ...call, name, kind, target, facts, state: "running", startedAt: now };
    }
    case "approval_request": {
      const { type: _type, callId: _callId, ...request } = event;
      return { ...call, state: "waiting", approvals: [...call.approvals, { ...request, at: now }] };
    }
    case "file_change":
      return call;
    case "tool_call_end": {
      const { type: _type, callId: _callId, outcome, facts, cutPositions: _positions, ...end } = event;
      const { live: _live, ...rest } = call;
      return { ...rest, ...end, state: outcome, facts: { ...call.facts, ...facts } };
    }
  }
}

const applyResponse = (
  call: CallView,
  event: Extract<CallEvent, { type: "approval_response" }>,
  now: number,
): CallView => {
  const { type: _type, approvalId, ...response } = event;
  const approvals = call.approvals.map(
    (approval): ApprovalView =>
      approval.approvalId === approvalId && approval.response === undefined ? { ...approval, response } : approval,
  );
  // A response to an older approval leaves the newer one waiting.
  const answered = approvals.at(-1)?.response !== undefined;
  if (!answered || call.state !== "waiting") return { ...call, approvals };
  // The run time of the call excludes the wait for approval.
  return { ...call, approvals, state: "running", startedAt: now };
};

function findCallOfApproval(
  view: SessionView,
  event: Extract<CallEvent, { type: "approval_response" }>,
): CallId | null {
  for (const seq of new Set(Object.values(view.openCalls))) {
    const entry = at(view.entries, indexOfSeq(view.entries, seq));
    if (entry?.kind !== "message") continue;
    for (const call of entry.calls)
      if (call.approvals.some((approval) => approval.approvalId === event.approvalId)) return call.callId;
  }
  return null;
}

/** Applies `change` to an open call; returns the view unchanged if the call is not open. */
export function updateCall(view: SessionView, callId: CallId, change: (call: CallView) => CallView): SessionView {
  if (!Object.hasOwn(view.openCalls, callId)) return view;
  const index = indexOfSeq(view.entries, view.openCalls[callId] ?? 0);
  const entry = at(view.entries, index);
  if (entry?.kind !== "message") return view;
  const calls = entry.calls.map((call) => (call.callId === callId ? change(call) : call));
  return { ...view, entries: replace<Entry>(view.entries, index, { ...entry, calls }) };
}
