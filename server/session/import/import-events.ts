/** Validates a value from a file as one of our events, down to every field that the fold or a card reads. */
import * as z from "zod/mini";
import type { ContextTopic } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { type CallPreview, externalReasons } from "@/lib/events/tool-kind";
import { gateFailures } from "@/lib/permissions/gate";
import { modes, type PermissionPattern } from "@/lib/permissions/policy";
import { workflowStepKinds } from "@/lib/workflows/workflow";
import { maxStyleSpans, textColors } from "@/lib/text/ansi-styles";
import { makeErrorSchema } from "@/server/store/core/error-shape";

const text = z.string();
const nonNegative = z.number().check(z.gte(0));
const seq = z.int().check(z.gte(0));
const id = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,80}$/));
const optional = z.optional;
const textList = z.array(text);

/** Complete by type: a notice of a topic missing here would make our own file invalid. */
const topics: Record<ContextTopic, null> = {
  project: null,
  tree: null,
  mode: null,
  shell: null,
  model: null,
  guard: null,
  files: null,
  pins: null,
  toolbox: null,
  subagent: null,
  owner: null,
  memory: null,
  review: null,
  guide: null,
};
const span = z.object({
  from: seq,
  to: seq,
  color: optional(z.enum(textColors)),
  bold: optional(z.literal(true)),
  underline: optional(z.literal(true)),
});
const reference = z.object({
  type: z.literal("reference"),
  kind: z.enum(["file", "folder", "text"]),
  label: text,
  lines: optional(z.object({ first: seq, last: seq })),
  text,
  pinned: optional(z.literal(true)),
  command: optional(z.literal(true)),
  skill: optional(z.literal(true)),
  note: optional(text),
});
const block = z.discriminatedUnion("type", [
  reference,
  z.object({ type: z.literal("text"), text, styles: optional(z.array(span).check(z.maxLength(maxStyleSpans))) }),
  z.object({
    type: z.literal("thinking"),
    text,
    tookMs: optional(nonNegative),
    from: optional(z.object({ server: text, field: z.enum(["reasoning_content", "reasoning", "thinking"]) })),
  }),
  z.object({
    type: z.literal("call"),
    callId: id,
    name: text,
    input: z.json(),
    raw: optional(text),
    from: optional(z.object({ server: text, id: text })),
    repaired: optional(z.literal(true)),
  }),
  z.object({ type: z.literal("image"), mime: text, blob: id }),
  z.object({
    type: z.literal("context"),
    kind: z.enum(["snapshot", "notice"]),
    topic: z.enum(Object.keys(topics)),
    text,
  }),
]);
const blocks = z.array(block);
const usage = z.object({
  promptTokens: nonNegative,
  cachedTokens: optional(nonNegative),
  estimatedPromptTokens: nonNegative,
  outputTokens: nonNegative,
  loadMs: nonNegative,
  promptMs: nonNegative,
  outputMs: nonNegative,
  firstTokenMs: optional(nonNegative),
});
const error = makeErrorSchema();
const resultFile = z.object({ name: text, mime: text, bytes: nonNegative, blob: id });
const facts = z.catchall(z.object({ files: optional(z.array(resultFile)) }), z.union([text, z.number(), z.boolean()]));
const hunks = z.array(
  z.object({
    oldStart: seq,
    oldLines: seq,
    newStart: seq,
    newLines: seq,
    lines: z.array(
      z.object({
        kind: z.enum(["same", "add", "remove"]),
        text,
        oldLine: optional(seq),
        newLine: optional(seq),
        marks: optional(z.array(z.tuple([seq, seq]))),
        noNewline: optional(z.literal(true)),
      }),
    ),
  }),
);
const rulePatterns = {
  bash: z.object({ tool: z.literal("bash"), words: textList, rest: z.boolean() }),
  files: z.object({ tool: z.literal("files"), access: z.enum(["read", "write", "delete"]), glob: text }),
  net: z.object({ tool: z.literal("net"), host: text }),
  external: z.object({ tool: z.literal("external"), pattern: text }),
  unknown: z.object({ tool: z.literal("unknown"), kind: text, words: textList }),
} satisfies Record<PermissionPattern["tool"], z.ZodMiniType>;
const rule = z.union(Object.values(rulePatterns));
const option = z.enum(["once", "always", "edits", "network", "deny"]);
const previews = {
  diff: z.object({
    kind: z.literal("diff"),
    path: text,
    created: z.boolean(),
    added: nonNegative,
    removed: nonNegative,
    hunks,
    loose: optional(z.enum(["endings", "quotes", "indent"])),
    readOnly: optional(z.boolean()),
  }),
  command: z.object({
    kind: z.literal("command"),
    command: text,
    cwd: text,
    parts: z.array(z.object({ text, risk: z.enum(["reads", "rule", "asks", "refused"]) })),
    timeoutMs: nonNegative,
    sandbox: optional(z.object({ network: z.boolean() })),
    noUndo: optional(z.boolean()),
    needsNetwork: optional(z.boolean()),
  }),
  delete: z.object({
    kind: z.literal("delete"),
    path: text,
    folder: z.boolean(),
    files: nonNegative,
    bytes: nonNegative,
  }),
  external: z.object({
    kind: z.literal("external"),
    source: text,
    tool: text,
    input: z.json(),
    description: text,
    signature: optional(text),
    why: optional(z.enum(externalReasons)),
    folder: optional(text),
    request: optional(z.object({ hosts: textList, url: optional(text), method: optional(text) })),
  }),
} satisfies Record<CallPreview["kind"], z.ZodMiniType>;
const preview = z.union(Object.values(previews));
const changeSchema = z.object({
  path: text,
  before: z.nullable(id),
  after: z.nullable(id),
  added: nonNegative,
  removed: nonNegative,
  hunks: optional(hunks),
  trash: optional(id),
});
const restored = z.object({
  path: text,
  before: z.nullable(id),
  after: z.nullable(id),
  mode: seq,
  added: nonNegative,
  removed: nonNegative,
});
const origin = optional(z.object({ kind: text, name: optional(text) }));
const queued = z.object({
  id,
  commandId: id,
  intent: z.enum(["steer", "followUp"]),
  text,
  isCommand: optional(z.literal(true)),
  images: optional(z.array(z.object({ blob: id, mime: text }))),
  references: optional(z.array(reference)),
  origin,
  at: nonNegative,
});
const outcome = z.enum(["ok", "error", "denied", "aborted", "unknown"]);
const stop = z.enum(["done", "length", "error", "aborted", "interrupted"]);
const runEnd = z.enum(["done", "aborted", "error", "limit", "interrupted"]);
const think = z.union([z.boolean(), z.enum(["low", "medium", "high", "max"])]);

const workflowStep = z.object({
  id: text,
  kind: z.enum(workflowStepKinds),
  title: text,
  when: optional(text),
  repeats: optional(z.literal(true)),
  retry: optional(seq),
  mayFail: optional(z.literal(true)),
  get steps() {
    return optional(z.array(workflowStep));
  },
});

const eventShapes = {
  session_start: z.object({ projectId: id, cwd: text }),
  session_fork: z.object({ parentId: id, atSeq: seq }),
  session_update: z.object({
    title: optional(text),
    mode: optional(z.enum(modes)),
    pins: optional(z.array(z.object({ path: text }))),
    label: optional(z.object({ seq, text })),
  }),
  model_change: z.object({
    provider: text,
    model: text,
    digest: optional(text),
    toolMode: z.enum(["native", "react", "xml"]),
    numCtx: seq,
    think,
    profile: z.enum(["small", "default", "full"]),
    prompt: id,
    reasoning: optional(z.enum(["preserve", "require", "drop"])),
    callIds: optional(z.enum(["kimi", "nine"])),
  }),
  queue_change: z.object({ queued: z.array(queued) }),
  rewind: z.object({ toSeq: seq }),
  agent_start: z.object({ runId: id }),
  turn_start: z.object({ turnId: id, step: seq }),
  message_start: z.object({ messageId: id, role: z.enum(["user", "assistant"]), commandId: optional(id), origin }),
  message_end: z.object({ messageId: id, blocks, usage: optional(usage), stop }),
  call_decision: z.object({ of: seq, index: seq, run: z.boolean() }),
  tool_call_start: z.object({ callId: id, messageId: id, kind: text, target: text, facts }),
  approval_request: z.object({
    approvalId: id,
    callId: id,
    boundTo: id,
    rule: optional(rule),
    options: z.array(option),
    preview: optional(preview),
    gate: optional(
      z.object({ gate: text, reason: text, failure: optional(z.enum(gateFailures)), file: optional(text) }),
    ),
  }),
  approval_response: z.object({ approvalId: id, option, by: id, origin, reason: optional(text), rule: optional(rule) }),
  file_change: z.object({ callId: id, path: text, before: z.nullable(id), mode: seq }),
  restore: z.object({ toSeq: seq, files: z.array(restored) }),
  // An import takes none of their files.
  review: z.object({ files: z.array(z.unknown()), undone: optional(seq) }),
  review_wait: z.object({ waiting: z.array(z.unknown()) }),
  tool_call_end: z.object({
    callId: id,
    outcome,
    output: blocks,
    facts,
    changes: optional(z.array(changeSchema)),
    cut: optional(z.object({ shown: nonNegative, total: nonNegative, blob: optional(id) })),
    cutPositions: optional(
      z.object({
        lines: optional(z.array(z.object({ at: seq, lost: z.enum(["before", "after"]) }))),
        note: optional(z.object({ from: seq, to: seq })),
        start: optional(seq),
        ending: optional(seq),
      }),
    ),
    tookMs: nonNegative,
  }),
  compaction_start: z.object({
    tokensBefore: nonNegative,
    why: optional(z.enum(["threshold", "user", "window"])),
    focus: optional(text),
  }),
  compaction_end: z.object({
    head: blocks,
    summary: text,
    keepFromSeq: seq,
    tokensAfter: nonNegative,
    keepAlso: optional(z.array(seq)),
    resultTokens: optional(nonNegative),
    mechanical: optional(z.boolean()),
    reasoningOnly: optional(z.literal(true)),
  }),
  compaction_update: z.object({ of: seq, summary: text, head: blocks }),
  retry: z.object({ messageId: id, attempt: seq, of: seq, delayMs: nonNegative, error }),
  error: z.object({ error }),
  turn_end: z.object({ turnId: id }),
  agent_end: z.object({ runId: id, reason: runEnd }),
  workflow_start: z.object({
    name: text,
    place: z.enum(["project", "home"]),
    hash: text,
    inputs: z.record(text, z.union([text, z.number(), z.boolean()])),
    steps: z.array(workflowStep),
    again: optional(textList),
    only: optional(text),
  }),
  step_start: z.object({
    step: text,
    kind: z.enum(workflowStepKinds),
    title: text,
    attempt: seq,
    question: optional(z.object({ text, options: textList })),
  }),
  step_end: z.object({
    step: text,
    outcome: z.enum(["ok", "failed", "stopped", "skipped"]),
    output: text,
    outputs: z.record(text, text),
    exit: optional(z.number()),
    tokens: optional(nonNegative),
    error: optional(error),
  }),
  workflow_end: z.object({
    reason: z.enum(["done", "failed", "stopped", "interrupted"]),
    error: optional(error),
  }),
  hidden: z.object({}),
} satisfies Record<DurableEvent["type"], z.ZodMiniType>;

const shapeByType = new Map<string, z.ZodMiniType>(Object.entries(eventShapes));

/** "unknown" = of an unknown type; "wrong" = of a known type, with a missing or invalid field. */
type EventCheck =
  | { readonly kind: "event"; readonly event: DurableEvent }
  | { readonly kind: "unknown" }
  | { readonly kind: "wrong" };

const isEvent = (value: object, shape: z.ZodMiniType): value is DurableEvent => shape.safeParse(value).success;

/** Never throws, however deeply the value is nested. */
export function checkEvent(value: unknown): EventCheck {
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string")
    return { kind: "wrong" };
  const shape = shapeByType.get(value.type);
  if (shape === undefined) return { kind: "unknown" };
  try {
    return isEvent(value, shape) ? { kind: "event", event: value } : { kind: "wrong" };
  } catch {
    // Nested too deeply to traverse.
    return { kind: "wrong" };
  }
}
