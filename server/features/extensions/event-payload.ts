/** Makes the payload of a durable event for listeners: a few facts, without secrets. */
import { joinTextBlocks, type Json } from "@/lib/events/content";
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
  model_change: "ModelChange",
  run_start: "RunStart",
  user_message: "UserPromptSubmit",
  retry: "Retry",
  answer: "Answer",
  tool_start: "ToolStart",
  approval_request: "Notification",
  file_change: "FileChange",
  tool_end: "PostToolUse",
  compaction: "Compaction",
  error: "Error",
  run_end: "Stop",
};

export interface ListenedEvent {
  readonly name: ExtensionEvent;
  /** Text that `match` is compared with, such as a tool, a path, or how a run ended; "" = nothing. */
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
    case "model_change": {
      const { model, provider } = event;
      return { name: "model_change", subject: model, facts: { model, provider } };
    }
    case "message_end":
      return messageEnd(event, view);
    case "retry": {
      const { attempt, of, error } = event;
      return { name: "retry", subject: error.code, facts: { attempt, of, code: error.code } };
    }
    case "tool_call_start": {
      const { name = "" } = findCall(view, event.callId) ?? {};
      return { name: "tool_start", subject: name, facts: { tool_name: name, target: event.target } };
    }
    case "tool_call_end":
      return toolEnd(event, findCall(view, event.callId));
    case "compaction_end":
      return { name: "compaction", subject: "", facts: { tokens_after: event.tokensAfter } };
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

/** A message of the user, or an answer; null = its message was hidden meanwhile. */
function messageEnd(
  { messageId, blocks, stop }: Extract<DurableEvent, { type: "message_end" }>,
  view: SessionView,
): ListenedEvent | null {
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message" || entry.messageId !== messageId) continue;
    const text = joinTextBlocks(blocks).slice(0, maxOutputChars);
    if (entry.role === "assistant") return { name: "answer", subject: stop, facts: { text, stop } };
    const origin = entry.origin?.kind ?? "web";
    return { name: "user_message", subject: origin, facts: { prompt: text, origin } };
  }
  return null;
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
  if (event.type !== "tool_call_start" && event.type !== "tool_call_end" && event.type !== "approval_request")
    return null;
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
