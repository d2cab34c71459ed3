/**
 * Validates that a stored value has the fields of an event that the fold, the agent and the screens read, so that a
 * damaged row is reported when it is read. Cheap enough to run for every row of a long log.
 */
import { type Block, isRecord } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import type { Hash } from "@/lib/events/id";

type Check = (value: unknown) => boolean;
type Fields = { readonly [name: string]: Check };

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isSeq: Check = (value) => Number.isSafeInteger(value) && typeof value === "number" && value >= 0;

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && values.includes(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((item) => check(item));
const record =
  (fields: Fields): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

const blockFields: { readonly [T in Block["type"]]: Fields } = {
  text: { text: isText, styles: optional(list(record({ from: isSeq, to: isSeq }))) },
  thinking: { text: isText, from: optional(record({ server: isText, field: isText })) },
  call: {
    callId: isText,
    name: isText,
    input: (value) => value !== undefined,
    raw: optional(isText),
    from: optional(record({ server: isText, id: isText })),
  },
  image: { mime: isText, blob: isText },
  context: { kind: isText, topic: isText, text: isText },
  reference: {
    kind: isText,
    label: isText,
    lines: optional(record({ first: isSeq, last: isSeq })),
    text: isText,
    note: optional(isText),
  },
};

const isKeyOf = <T extends object>(table: T, key: unknown): key is keyof T =>
  typeof key === "string" && Object.hasOwn(table, key);

const isBlock: Check = (value) =>
  isRecord(value) && isKeyOf(blockFields, value.type) && record(blockFields[value.type])(value);

/** True for the blocks of a message or an output, in the log and in checkpoints. */
export const isBlocks = (value: unknown): value is readonly Block[] => list(isBlock)(value);

const error = record({ code: isText, detail: optional(isText), facts: optional(isRecord) });
const hunks = list(
  record({ oldStart: isNumber, newStart: isNumber, lines: list(record({ kind: isText, text: isText })) }),
);
const change = record({
  path: isText,
  before: nullable(isText),
  after: nullable(isText),
  added: isNumber,
  removed: isNumber,
  hunks: optional(hunks),
});
const cutPositions = record({
  lines: optional(list(record({ at: isSeq, lost: oneOf("before", "after") }))),
  note: optional(record({ from: isSeq, to: isSeq })),
  start: optional(isSeq),
  ending: optional(isSeq),
});
const restored = record({
  path: isText,
  before: nullable(isText),
  after: nullable(isText),
  mode: isNumber,
  added: isNumber,
  removed: isNumber,
});
const baseline = record({
  blob: nullable(isText),
  marks: optional(list(list(isSeq))),
  otherLines: optional(list(isText)),
});
const reviewed = record({
  path: isText,
  baseline: record({ before: baseline, after: baseline }),
  before: nullable(isText),
  after: nullable(isText),
  mode: isNumber,
  accepted: isNumber,
  rejected: isNumber,
  places: optional(list(record({ line: isSeq, taken: list(isText), more: isSeq }))),
});
const reviewFields = { files: list(reviewed), undone: optional(isSeq) };
const waitingReview = record({
  path: isText,
  verdict: oneOf("accept", "reject"),
  from: nullable(isText),
  to: nullable(isText),
  hunks: isNumber,
});
const preview: Check = (value) => {
  if (!isRecord(value)) return false;
  if (value.kind === "diff") return record({ path: isText, hunks })(value);
  if (value.kind === "command") return record({ command: isText, parts: list(record({ text: isText })) })(value);
  if (value.kind === "external")
    return record({ source: isText, tool: isText, input: (input) => input !== undefined, description: isText })(value);
  return value.kind === "delete" && record({ path: isText, files: isNumber, bytes: isNumber })(value);
};
const unrunCall = record({ name: isText, input: (value) => value !== undefined, reason: isText });
const mode = oneOf("ask", "edits", "plan", "full");
const origin = optional(record({ kind: isText }));
const queued = record({
  id: isText,
  commandId: isText,
  intent: oneOf("steer", "followUp"),
  text: isText,
  isCommand: optional((value) => value === true),
  images: optional(list(record({ blob: isText, mime: isText }))),
  references: optional(isBlocks),
  origin,
  at: isNumber,
});

const eventFields: { readonly [T in DurableEvent["type"]]: Fields } = {
  session_start: { projectId: isText, cwd: isText, parent: optional(record({ sessionId: isText, callId: isText })) },
  session_fork: { parentId: isText, atSeq: isSeq },
  session_update: {
    title: optional(isText),
    mode: optional(mode),
    label: optional(record({ seq: isSeq, text: isText })),
    network: optional((value) => value === true),
  },
  model_change: {
    provider: isText,
    model: isText,
    toolMode: isText,
    numCtx: isNumber,
    profile: isText,
    prompt: isText,
    reasoning: optional(isText),
    callIds: optional(isText),
  },
  queue_change: { queued: list(queued) },
  rewind: { toSeq: isSeq },
  agent_start: { runId: isText },
  turn_start: { turnId: isText, step: isNumber },
  message_start: { messageId: isText, role: oneOf("user", "assistant"), origin, held: optional(isText) },
  message_end: {
    messageId: isText,
    blocks: isBlocks,
    usage: optional(isRecord),
    stop: isText,
    unrun: optional(list(unrunCall)),
  },
  call_decision: { of: isSeq, index: isSeq, run: (value) => typeof value === "boolean" },
  tool_call_start: {
    callId: isText,
    messageId: isText,
    kind: isText,
    target: isText,
    facts: isRecord,
    name: optional(isText),
  },
  approval_request: {
    approvalId: isText,
    callId: isText,
    boundTo: isText,
    options: list(isText),
    preview: optional(preview),
    gate: optional(isRecord),
  },
  approval_response: { approvalId: isText, option: isText, by: isText, origin, reason: optional(isText) },
  file_change: { callId: isText, path: isText, before: nullable(isText), mode: isNumber },
  restore: { toSeq: isSeq, files: list(restored) },
  review: reviewFields,
  review_wait: { waiting: list(waitingReview), writing: optional(record(reviewFields)) },
  tool_call_end: {
    callId: isText,
    outcome: isText,
    output: isBlocks,
    facts: isRecord,
    changes: optional(list(change)),
    cut: optional(isRecord),
    cutPositions: optional(cutPositions),
    tookMs: isNumber,
  },
  compaction_start: { tokensBefore: isNumber },
  compaction_end: {
    head: isBlocks,
    summary: isText,
    keepFromSeq: isSeq,
    tokensAfter: isNumber,
    keepAlso: optional(list(isSeq)),
    resultTokens: optional(isNumber),
  },
  compaction_update: { of: isSeq, summary: isText, head: isBlocks },
  retry: { messageId: isText, attempt: isNumber, of: isNumber, delayMs: isNumber, error },
  error: { error },
  turn_end: { turnId: isText },
  agent_end: { runId: isText, reason: isText },
  workflow_start: {
    name: isText,
    place: isText,
    hash: isText,
    inputs: isRecord,
    steps: list(record({ id: isText, kind: isText, title: isText })),
    again: optional(list(isText)),
    only: optional(isText),
  },
  step_start: {
    step: isText,
    kind: isText,
    title: isText,
    attempt: isNumber,
    question: optional(record({ text: isText, options: list(isText) })),
  },
  step_end: {
    step: isText,
    outcome: isText,
    output: isText,
    outputs: isRecord,
    exit: optional(isNumber),
    tokens: optional(isNumber),
    error: optional(error),
  },
  workflow_end: { reason: isText, error: optional(error) },
  hidden: {},
};

export const isEventShape = (value: unknown): value is DurableEvent =>
  isRecord(value) && isKeyOf(eventFields, value.type) && record(eventFields[value.type])(value);

/** True for a list of paths changed by a call with their hashes afterwards; null = the file does not exist. */
export const isChangedFileList = (
  value: unknown,
): value is readonly { readonly path: string; readonly after: Hash | null }[] =>
  list(record({ path: isText, after: nullable(isText) }))(value);
