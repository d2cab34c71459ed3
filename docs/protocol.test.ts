// The tables of protocol.md against lib: neither side may have a row, a field or an access that the other lacks.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { commands } from "@/lib/protocol/command";
import { errorCodes } from "@/lib/events/error";
import { delivery, type DurableEvent, type EventType, type LiveEvent } from "@/lib/events/event";
import type { Push, ResyncPush } from "@/lib/protocol/push";

/** "!" = always there, "?" = may be left out. tsc holds the two records below to the types. */
type FieldsOf<T> = { readonly [K in Exclude<keyof T, "type">]-?: Record<never, never> extends Pick<T, K> ? "?" : "!" };
type Member<Union extends { type: string }, Type> = Extract<Union, { type: Type }>;
type Fields = Readonly<Record<string, "?" | "!">>;

const eventFields = {
  session_start: { projectId: "!", cwd: "!", imported: "?", parent: "?" },
  session_fork: { parentId: "!", atSeq: "!" },
  session_update: { title: "?", mode: "?", pins: "?", label: "?", network: "?" },
  model_change: {
    provider: "!",
    model: "!",
    digest: "?",
    toolMode: "!",
    numCtx: "!",
    think: "!",
    profile: "!",
    prompt: "!",
    reasoning: "?",
    callIds: "?",
  },
  queue_change: { queued: "!" },
  rewind: { toSeq: "!" },
  agent_start: { runId: "!" },
  turn_start: { turnId: "!", step: "!" },
  message_start: { messageId: "!", role: "!", commandId: "?", origin: "?", held: "?" },
  message_end: { messageId: "!", blocks: "!", usage: "?", stop: "!", unrun: "?" },
  tool_call_start: { callId: "!", messageId: "!", kind: "!", target: "!", facts: "!", name: "?" },
  approval_request: { approvalId: "!", callId: "!", boundTo: "!", rule: "?", options: "!", preview: "?", gate: "?" },
  approval_response: { approvalId: "!", option: "!", by: "!", origin: "?", reason: "?", rule: "?" },
  restore: { toSeq: "!", files: "!" },
  review: { files: "!", undone: "?" },
  review_wait: { waiting: "!" },
  file_change: { callId: "!", path: "!", before: "!", mode: "!" },
  tool_call_end: {
    callId: "!",
    outcome: "!",
    output: "!",
    facts: "!",
    changes: "?",
    cut: "?",
    cutPositions: "?",
    tookMs: "!",
  },
  compaction_start: { tokensBefore: "!", why: "?", focus: "?" },
  compaction_end: {
    head: "!",
    summary: "!",
    keepFromSeq: "!",
    tokensAfter: "!",
    keepAlso: "?",
    resultTokens: "?",
    mechanical: "?",
    reasoningOnly: "?",
  },
  call_decision: { of: "!", index: "!", run: "!" },
  compaction_update: { of: "!", summary: "!", head: "!" },
  retry: { messageId: "!", attempt: "!", of: "!", delayMs: "!", error: "!" },
  error: { error: "!" },
  turn_end: { turnId: "!" },
  agent_end: { runId: "!", reason: "!", waitedMs: "?" },
  workflow_start: { name: "!", place: "!", hash: "!", inputs: "!", steps: "!", again: "?", only: "?" },
  step_start: { step: "!", kind: "!", title: "!", attempt: "!", question: "?" },
  step_end: { step: "!", outcome: "!", output: "!", outputs: "!", exit: "?", tokens: "?", error: "?" },
  workflow_end: { reason: "!", error: "?" },
  hidden: {},
  message_delta: { messageId: "!", block: "!", kind: "!", name: "?", offset: "!", text: "!" },
  tool_call_delta: { callId: "!", offset: "!", text: "!" },
  phase: {
    phase: "!",
    sinceMs: "!",
    tokens: "?",
    read: "?",
    perSecond: "?",
    ahead: "?",
    position: "?",
    expectMs: "?",
    name: "?",
  },
} satisfies { readonly [T in EventType]: FieldsOf<Member<DurableEvent | LiveEvent, T>> };

const pushFields = {
  session_row: { row: "!" },
  models_file: { problems: "!" },
  session_removed: { sessionId: "!" },
  project: { project: "!" },
  models: { state: "!" },
  pull: { pull: "!" },
  doctor: { run: "!" },
  evals: { run: "!" },
  connections: { connections: "!" },
  engine: { state: "!" },
  settings: { settings: "!" },
  config: { problems: "!" },
  rules: { projectId: "!", rules: "!" },
  files: { projectId: "!", folders: "!", paths: "!", gone: "!", branch: "!", isPolled: "?" },
  resync: { sessionId: "?", topic: "?", subject: "?", ended: "?" },
  shares: { shares: "!" },
  network: { network: "!" },
  notices: { notices: "!" },
  devices: {},
  automations: {},
  channels: {},
  mcp: { projectId: "!" },
  questions: { questions: "!" },
  trash: { projectId: "!" },
  terminals: { projectId: "!", terminals: "!" },
  terminal: { terminalId: "!", from: "!", text: "!" },
  code_search: { searchId: "!", from: "!", files: "!", end: "!" },
  store: { error: "!" },
} satisfies { readonly [T in (Push | ResyncPush)["type"]]: FieldsOf<Member<Push | ResyncPush, T>> };

const lines = readFileSync(new URL("protocol.md", import.meta.url), "utf8").split("\n");

/** The rows of the one table below a heading, each as its cells. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`protocol.md has no heading "${heading}"`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith("#"));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const nameIn = (cell: string | undefined): string => /^`(.+)`$/.exec(cell ?? "")?.[1] ?? `not a name: ${cell}`;

/** "`a` `[b]`" as { a: "!", b: "?" }. */
const fieldsIn = (cell: string | undefined): Fields =>
  Object.fromEntries(
    [...(cell ?? "").matchAll(/`(\[?)(\w+)\]?`/g)].map(([, bracket, name]) => [
      name ?? "",
      bracket === "[" ? "?" : "!",
    ]),
  );

const fieldTable = (heading: string): Readonly<Record<string, Fields>> =>
  Object.fromEntries(tableUnder(heading).map(([name, fields]) => [nameIn(name), fieldsIn(fields)]));

const eventsOf = (kind: "durable" | "live"): Readonly<Record<string, Fields>> =>
  Object.fromEntries(
    Object.entries(eventFields).filter(([type]) =>
      Object.entries(delivery).some(([topic, is]) => topic === type && is === kind),
    ),
  );

/** Returns the members of a command's input: "!" = required, "?" = optional. */
const inputOf = (shape: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniExactOptional ? "?" : "!",
    ]),
  );

describe("the tables of docs/protocol.md", () => {
  it("name every command with its access and input, and no other", () => {
    const [allowed = ""] = /A share link allows [^]*? for\s/.exec(lines.join("\n")) ?? [];
    const forViewers = new Set([...allowed.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    const documented = Object.fromEntries(
      tableUnder("## Commands").map(([cell, input]) => {
        const name = nameIn(cell);
        return [name, { access: forViewers.has(name) ? "viewer" : "owner", input: fieldsIn(input) }];
      }),
    );
    const real = Object.fromEntries(
      Object.entries(commands).map(([name, { access, input }]) => [name, { access, input: inputOf(input.shape) }]),
    );
    expect(documented).toEqual(real);
  });

  it("name every durable event with its fields, and no other", () => {
    expect(fieldTable("### Durable events")).toEqual(eventsOf("durable"));
  });

  it("name every live event with its fields, and no other", () => {
    expect(fieldTable("### Live events")).toEqual(eventsOf("live"));
  });

  it("name every push with its fields, and no other", () => {
    expect(fieldTable("## Pushes")).toEqual(pushFields);
  });

  it("name every error code once, and no other", () => {
    expect(
      tableUnder("## Error codes")
        .map(([code]) => nameIn(code))
        .sort(),
    ).toEqual([...errorCodes].sort());
  });

  it("say something about every row, and name no row twice", () => {
    for (const heading of ["## Commands", "### Durable events", "### Live events", "## Pushes", "## Error codes"]) {
      const rows = tableUnder(heading);
      expect(rows.filter((row) => row.at(-1) === "")).toEqual([]);
      expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length);
    }
  });
});
