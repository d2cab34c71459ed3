/**
 * Extracts searchable texts, statistics and the path from a log. Pure. One reader per session, created from the state
 * stored at a position where nothing was open.
 */
import { userCommandName } from "@/lib/events/user-command";
import { spawnToolName } from "@/lib/tools/subagents";
import * as z from "zod/mini";
import { type Block, type Json, type Role, joinTextBlocks, referenceBlocks, type Usage } from "@/lib/events/content";
import type { CallOutcome, DurableEvent } from "@/lib/events/event";
import { isOnPath } from "@/lib/events/event";
import type { SearchPlace } from "@/lib/protocol/history";
import type { CallId, MessageId } from "@/lib/events/id";
import { isOnCurrentPath, type PathSegment } from "@/lib/view/view";
import { parseJson } from "@/server/base/parse-json";

/** Indexed characters of one message: beginning and end. */
const searchMessageChars = 50_000;
/** Indexed characters of the input and output of one call each: beginning and end. */
const searchCallChars = 4_096;
/** Indexed characters of one reference: beginning and end. */
const searchReferenceChars = 4_096;

/** Reader state at a position of the log where nothing is open. */
export interface ReaderState {
  readonly segments: readonly PathSegment[];
  readonly newest: number;
  readonly rewound: boolean;
  readonly model: string;
}
export const initialReaderState: ReaderState = { segments: [], newest: 0, rewound: false, model: "" };

const stateSchema = z.object({
  segments: z._default(z.array(z.object({ start: z.number(), parent: z.number() })), []),
  newest: z._default(z.number(), 0),
  rewound: z._default(z.boolean(), false),
  model: z._default(z.string(), ""),
});

/** Parses a stored state; null = damaged. */
export function parseReaderState(text: string): ReaderState | null {
  const state = stateSchema.safeParse(parseJson(text));
  return state.success ? state.data : null;
}

export interface IndexedText {
  readonly place: SearchPlace;
  /** seq of the entry to show; 0 for a title. */
  readonly seq: number;
  readonly text: string;
}

/** Values added to the sums of a quarter of an hour. */
export interface StatisticsFact {
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
  name: string;
  readonly input: Json;
  target: string;
  isEdit: boolean;
}

export interface HistoryReader {
  /** Processes the next event of the log. */
  read(seq: number, event: DurableEvent): ReaderOutput;
  /** No message or call is open, so reading can resume here. */
  readonly closed: boolean;
  readonly state: ReaderState;
}

interface OpenItems {
  readonly messages: Map<MessageId, { readonly seq: number; readonly role: Role }>;
  readonly calls: Map<CallId, OpenCall>;
}

interface ReaderOutput {
  readonly found?: IndexedText;
  readonly facts?: readonly StatisticsFact[];
}

export function createHistoryReader(start: ReaderState): HistoryReader {
  const open: OpenItems = { messages: new Map(), calls: new Map() };
  let state = start;
  return {
    read(seq, event) {
      state = advancePath(state, seq, event);
      if (event.type === "model_change") state = { ...state, model: event.model };
      return readEvent(open, state.model, seq, event);
    },
    get closed() {
      return open.messages.size === 0 && open.calls.size === 0;
    },
    get state() {
      return state;
    },
  };
}

function readEvent(open: OpenItems, model: string, seq: number, event: DurableEvent): ReaderOutput {
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
      call.name = event.name ?? call.name;
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
  { messages, calls }: OpenItems,
  model: string,
  { messageId, blocks, stop, usage }: Extract<DurableEvent, { type: "message_end" }>,
): ReaderOutput {
  const message = messages.get(messageId);
  if (message === undefined) return {};
  messages.delete(messageId);
  const { seq, role } = message;
  for (const block of stop === "done" ? blocks : [])
    if (block.type === "call")
      calls.set(block.callId, { seq, name: block.name, input: block.input, target: "", isEdit: false });
  const text = searchableMessageText(blocks);
  return {
    ...(text === "" ? {} : { found: { place: role, seq, text } }),
    ...(usage === undefined ? {} : { facts: [answerFact(model, usage)] }),
  };
}

const answerFact = (
  name: string,
  { promptTokens, outputTokens, loadMs, promptMs, outputMs }: Usage,
): StatisticsFact => ({
  kind: "answer",
  name,
  promptTokens,
  outputTokens,
  loadMs,
  promptMs,
  outputMs,
});

function callEnded(
  { calls }: OpenItems,
  model: string,
  event: Extract<DurableEvent, { type: "tool_call_end" }>,
): ReaderOutput {
  const call = calls.get(event.callId);
  if (call === undefined) return {};
  calls.delete(event.callId);
  // The calls of a subagent have their own changes.
  const changes = call.name === spawnToolName ? [] : (event.changes ?? []);
  const sum = (key: "added" | "removed"): number => changes.reduce((total, change) => total + change[key], 0);
  return {
    found: { place: "tool", seq: call.seq, text: searchableCallText(call.target, call.input, event.output) },
    facts:
      call.name === userCommandName
        ? []
        : [
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
function editFacts(model: string, outcome: CallOutcome): readonly StatisticsFact[] {
  if (model === "" || (outcome !== "ok" && outcome !== "error")) return [];
  return [{ kind: "edit", name: model, failed: outcome === "error" ? 1 : 0 }];
}

/** Updates the path by the same rule as lib/view/fold.ts. */
function advancePath(state: ReaderState, seq: number, event: DurableEvent): ReaderState {
  if (event.type === "rewind")
    return event.toSeq < 0 || event.toSeq >= seq ? state : { ...state, newest: event.toSeq, rewound: true };
  if (!isOnPath(event.type)) return state;
  const segments = state.rewound ? [...state.segments, { start: seq, parent: state.newest }] : state.segments;
  return { ...state, segments, newest: seq, rewound: false };
}

/** True if `seq` is not on the current path. Events after `readFrom` are on it. */
export const isHidden = (state: ReaderState, seq: number, readFrom: number): boolean =>
  seq > 0 && seq <= readFrom && (state.segments.length > 0 || state.rewound) && !isOnCurrentPath(state, seq);

/** Shortens a long text to its beginning and end. */
function headAndTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

export const searchableMessageText = (blocks: readonly Block[]): string =>
  [
    headAndTail(joinTextBlocks(blocks), searchMessageChars),
    ...referenceBlocks(blocks).map(({ label, text }) => `${label}\n${headAndTail(text, searchReferenceChars)}`),
  ].join("\n");

export const searchableCallText = (target: string, input: Json, output: readonly Block[]): string =>
  [
    target,
    headAndTail(inputValuesText(input), searchCallChars),
    headAndTail(joinTextBlocks(output), searchCallChars),
  ].join("\n");

/** Text of the argument values, without parameter names. */
function inputValuesText(input: Json): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return String(input ?? "");
  const values: readonly Json[] = Object.values(input);
  return values.map(inputValuesText).join("\n");
}
