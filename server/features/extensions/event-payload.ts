/** What a listener gets of a durable event: a few facts, without secrets. */
import type { Json } from "@/lib/events/content";
import type { DurableEnvelope, DurableEvent } from "@/lib/events/event";
import type { CallId } from "@/lib/events/id";
import type { ExtensionEvent } from "@/lib/tools/extensions";
import { type CallView, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import type { Redactor } from "@/server/security/redaction/redact";
import type { PayloadBase } from "./script-payload";

/** Longer inputs are left out, and outputs are cut, characters. */
const maxInputChars = 16_384;
const maxOutputChars = 4_096;

/** The names that Claude Code uses for the same, where it has one. */
const hookNames: Readonly<Record<ExtensionEvent, string>> = {
  session_start: "SessionStart",
  run_start: "RunStart",
  run_end: "Stop",
  tool_end: "PostToolUse",
  file_change: "FileChange",
  approval_request: "Notification",
  error: "Error",
};

export interface ListenedEvent {
  readonly name: ExtensionEvent;
  /** What `match` is compared with: a tool, a path, or how a run ended; "" = nothing. */
  readonly subject: string;
  readonly facts: { readonly [name: string]: Json };
}

/** Returns the event as listeners see it; null = it is none of theirs. `view` = the session after it. */
export function toListenedEvent(event: DurableEvent, view: SessionView): ListenedEvent | null {
  switch (event.type) {
    case "session_start":
      return { name: "session_start", subject: "", facts: {} };
    case "agent_start":
      return { name: "run_start", subject: "", facts: { run_id: event.runId, title: view.title ?? null } };
    case "agent_end":
      return { name: "run_end", subject: event.reason, facts: { run_id: event.runId, reason: event.reason } };
    case "tool_call_end":
      return toolEnd(event, findCall(view, event.callId));
    case "file_change":
      return { name: "file_change", subject: event.path, facts: { path: event.path } };
    case "approval_request": {
      const call = findCall(view, event.callId);
      const facts = { tool_name: call?.name ?? "", target: call?.target ?? "" };
      return { name: "approval_request", subject: facts.tool_name, facts };
    }
    case "error": {
      const { code, detail = "" } = event.error;
      return { name: "error", subject: code, facts: { code, detail: detail.slice(0, maxOutputChars) } };
    }
    default:
      return null;
  }
}

function toolEnd(event: Extract<DurableEvent, { type: "tool_call_end" }>, call: CallView | undefined): ListenedEvent {
  const name = call?.name ?? "";
  const text = event.output.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const facts = {
    tool_name: name,
    target: call?.target ?? "",
    outcome: event.outcome,
    took_ms: event.tookMs,
    exit: event.facts.exit ?? null,
    changed: event.changes?.map(({ path }) => path) ?? [],
    output: text.slice(0, maxOutputChars),
  };
  return { name: "tool_end", subject: name, facts };
}

function findCall(view: SessionView, callId: CallId): CallView | undefined {
  for (const entry of pathEntriesBackward(view)) {
    const call = entry.kind === "message" ? entry.calls.find((one) => one.callId === callId) : undefined;
    if (call !== undefined) return call;
  }
  return undefined;
}

/** Input of the call that an event is about, if it is short enough. */
export function callInput(view: SessionView, event: DurableEvent): Json {
  if (event.type !== "tool_call_end" && event.type !== "approval_request") return null;
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message") continue;
    const block = entry.blocks.find((one) => one.type === "call" && one.callId === event.callId);
    if (block?.type === "call") return JSON.stringify(block.input).length > maxInputChars ? null : block.input;
  }
  return null;
}

/** The line for a listener. The facts are masked, the paths of the project and of the program are not. */
export function eventPayload(
  { name, facts }: ListenedEvent,
  input: Json,
  { extension, sessionId, project }: PayloadBase,
  { at }: Pick<DurableEnvelope, "at">,
  redactor: Pick<Redactor, "json">,
): Json {
  const masked = redactor.json({ ...facts, ...(input === null ? {} : { tool_input: input }) });
  return {
    kind: "event",
    event: name,
    at,
    extension,
    project,
    session_id: sessionId,
    cwd: project,
    hook_event_name: hookNames[name],
    ...(typeof masked === "object" && masked !== null && !Array.isArray(masked) ? masked : {}),
  };
}
