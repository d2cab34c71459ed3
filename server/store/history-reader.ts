/**
 * Extracts searchable texts, statistics and the path from a log. Pure. One reader per session, created from the state
 * stored at a position where nothing was open.
 */
import * as z from "zod/mini";
import { type Block, type Json, type Role, textOf, type Usage } from "@/lib/content";
import type { CallOutcome, DurableEvent } from "@/lib/event";
import { isOnPath } from "@/lib/event";
import type { SearchPlace } from "@/lib/history";
import type { CallId, MessageId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { rangesOf, type Segment } from "@/lib/view";

/** Reader state at a position of the log where nothing is open. */
export interface ReaderState {
  readonly segments: readonly Segment[];
  readonly newest: number;
  readonly rewound: boolean;
  readonly model: string;
}
export const firstState: ReaderState = { segments: [], newest: 0, rewound: false, model: "" };

const stateSchema = z.object({
  segments: z._default(z.array(z.object({ start: z.number(), parent: z.number() })), []),
  newest: z._default(z.number(), 0),
  rewound: z._default(z.boolean(), false),
  model: z._default(z.string(), ""),
});

/** Parses a stored state; null = damaged. */
export function readerState(text: string): ReaderState | null {
  try {
    const state = stateSchema.safeParse(JSON.parse(text));
    return state.success ? state.data : null;
  } catch {
    return null;
  }
}

export interface Found {
  readonly place: SearchPlace;
  /** seq of the entry to show; 0 for a title. */
  readonly seq: number;
  readonly text: string;
}

/** Values added to the sums of a quarter of an hour. */
export interface Fact {
  /** `edit` = an edit attempted by the model `name`; the call is counted as `tool` too. */
  readonly kind: "run" | "answer" | "tool" | "edit";
  readonly name: string;
  readonly failed?: number;
  readonly denied?: number;
  readonly promptTokens?: number;
  readonly outputTokens?: number;
  readonly loadMs?: number;
  readonly promptMs?: number;
  readonly outputMs?: number;
  readonly toolMs?: number;
  readonly added?: number;
  readonly removed?: number;
}

interface OpenCall {
  readonly seq: number;
  readonly name: string;
  readonly input: Json;
  target: string;
  isEdit: boolean;
}

export interface Reader {
  /** Processes the next event of the log. */
  take(seq: number, event: DurableEvent): Taken;
  /** No message or call is open, so reading can resume here. */
  readonly closed: boolean;
  readonly state: ReaderState;
}

interface Open {
  readonly messages: Map<MessageId, { readonly seq: number; readonly role: Role }>;
  readonly calls: Map<CallId, OpenCall>;
}

export interface Taken {
  readonly found?: Found;
  readonly facts?: readonly Fact[];
}

export function makeReader(start: ReaderState): Reader {
  const open: Open = { messages: new Map(), calls: new Map() };
  let state = start;
  return {
    take(seq, event) {
      state = pathAfter(state, seq, event);
      if (event.type === "model_change") state = { ...state, model: event.model };
      return takeEvent(open, state.model, seq, event);
    },
    get closed() {
      return open.messages.size === 0 && open.calls.size === 0;
    },
    get state() {
      return state;
    },
  };
}

function takeEvent(open: Open, model: string, seq: number, event: DurableEvent): Taken {
  switch (event.type) {
    case "session_update":
      return event.title === undefined ? {} : { found: { place: "title", seq: 0, text: event.title } };
    case "agent_start":
      return { facts: [{ kind: "run", name: "" }] };
    case "message_start":
      open.messages.set(event.messageId, { seq, role: event.role });
      return {};
    case "message_end":
      return messageEnded(open, model, event);
    case "tool_call_start": {
      const call = open.calls.get(event.callId);
      if (call === undefined) return {};
      call.target = event.target;
      call.isEdit = event.kind === "edit";
      return {};
    }
    case "tool_call_end":
      return callEnded(open, model, event);
    default:
      return {};
  }
}

function messageEnded(
  { messages, calls }: Open,
  model: string,
  { messageId, blocks, stop, usage }: Extract<DurableEvent, { type: "message_end" }>,
): Taken {
  const message = messages.get(messageId);
  if (message === undefined) return {};
  messages.delete(messageId);
  const { seq, role } = message;
  for (const block of stop === "done" ? blocks : [])
    if (block.type === "call")
      calls.set(block.callId, { seq, name: block.name, input: block.input, target: "", isEdit: false });
  const text = messageText(blocks);
  return {
    ...(text === "" ? {} : { found: { place: role, seq, text } }),
    ...(usage === undefined ? {} : { facts: [answerFact(model, usage)] }),
  };
}

const answerFact = (name: string, { promptTokens, outputTokens, loadMs, promptMs, outputMs }: Usage): Fact => ({
  kind: "answer",
  name,
  promptTokens,
  outputTokens,
  loadMs,
  promptMs,
  outputMs,
});

function callEnded({ calls }: Open, model: string, event: Extract<DurableEvent, { type: "tool_call_end" }>): Taken {
  const call = calls.get(event.callId);
  if (call === undefined) return {};
  calls.delete(event.callId);
  const sum = (of: "added" | "removed"): number =>
    (event.changes ?? []).reduce((total, change) => total + change[of], 0);
  return {
    found: { place: "tool", seq: call.seq, text: callText(call.target, call.input, event.output) },
    facts: [
      {
        kind: "tool",
        name: call.name,
        toolMs: event.tookMs,
        failed: event.outcome === "error" || event.outcome === "unknown" ? 1 : 0,
        denied: event.outcome === "denied" ? 1 : 0,
        added: sum("added"),
        removed: sum("removed"),
      },
      ...(call.isEdit ? editFacts(model, event.outcome) : []),
    ],
  };
}

/** Calls that the user denied or stopped are not counted as attempts. */
function editFacts(model: string, outcome: CallOutcome): readonly Fact[] {
  if (model === "" || (outcome !== "ok" && outcome !== "error")) return [];
  return [{ kind: "edit", name: model, failed: outcome === "error" ? 1 : 0 }];
}

/** Updates the path by the same rule as lib/fold.ts. */
function pathAfter(state: ReaderState, seq: number, event: DurableEvent): ReaderState {
  if (event.type === "rewind")
    return event.toSeq < 0 || event.toSeq >= seq ? state : { ...state, newest: event.toSeq, rewound: true };
  if (!isOnPath(event.type)) return state;
  const segments = state.rewound ? [...state.segments, { start: seq, parent: state.newest }] : state.segments;
  return { ...state, segments, newest: seq, rewound: false };
}

/** True if `seq` is not on the current path. Events after `readFrom` are on it. */
export const isHidden = (state: ReaderState, seq: number, readFrom: number): boolean =>
  seq > 0 &&
  seq <= readFrom &&
  (state.segments.length > 0 || state.rewound) &&
  !rangesOf(state.segments, state.newest).some(([from, to]) => seq >= from && seq <= to);

/** Shortens a long text to its beginning and end. */
function bounded(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

export const messageText = (blocks: readonly Block[]): string => bounded(textOf(blocks), limits.searchMessageChars);

export const callText = (target: string, input: Json, output: readonly Block[]): string =>
  [target, bounded(inputText(input), limits.searchCallChars), bounded(textOf(output), limits.searchCallChars)].join(
    "\n",
  );

/** Text of the argument values, without parameter names. */
function inputText(input: Json): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return String(input ?? "");
  const values: readonly Json[] = Object.values(input);
  return values.map(inputText).join("\n");
}
