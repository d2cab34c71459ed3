/**
 * Generates random valid session logs, including live events, for property tests. Independent of the fold it is used to
 * test.
 */
import fc from "fast-check";
import type { Block, UnrunCall } from "../events/content";
import type { DurableEnvelope, DurableEvent, Envelope, LiveEvent, RunEnd } from "../events/event";
import {
  type ApprovalId,
  asId,
  type CallId,
  type ClientId,
  type CommandId,
  type Hash,
  type MessageId,
  type ProjectId,
  type RunId,
  type SessionId,
  type TurnId,
} from "../events/id";
import { pickSideEvent } from "./test-side-events";

export const testSessionId = asId<SessionId>("s1");

export interface TestLog {
  readonly envelopes: readonly Envelope[];
  /** Valid rewind targets at the end of the log, including 0 and borders on hidden branches. */
  readonly borders: readonly number[];
}

type CallState = "queued" | "running" | "waiting" | "ended";
interface WrittenOpenCall {
  readonly id: CallId;
  readonly messageId: MessageId;
  state: CallState;
  approval: ApprovalId | null;
  printed: number;
}

/** Writes events like the session engine; `pick(n)` returns the next choice, 0 to n - 1. */
class LogWriter {
  readonly envelopes: Envelope[] = [];
  readonly borders = [0];
  #seq = 0;
  #ids = 0;
  #run: RunId | null = null;
  #turn: { readonly id: TurnId; readonly seq: number } | null = null;
  #step = 0;
  #message: MessageId | null = null;
  #lengths: { kind: "text" | "thinking" | "input"; length: number }[] = [];
  #calls: WrittenOpenCall[] = [];
  #compaction = false;
  #compactions: number[] = [];
  #attempt = 0;
  /** seq at which the newest message began, and whether it is an answer with a call that was not run. */
  #newest = { seq: 0, hasUnrun: false };

  constructor(private readonly pick: (below: number) => number) {
    this.durable({ type: "session_start", projectId: asId<ProjectId>("p1"), cwd: "/project" });
  }

  get #fresh(): number {
    this.#ids += 1;
    return this.#ids;
  }

  durable(event: DurableEvent): void {
    this.#seq += 1;
    this.envelopes.push({ v: 1, sessionId: testSessionId, at: 1_000 + this.#seq * 10, seq: this.#seq, event });
    if (["turn_end", "agent_end", "compaction_end", "compaction_update", "review"].includes(event.type))
      this.borders.push(this.#seq);
  }

  live(event: LiveEvent): void {
    this.envelopes.push({ v: 1, sessionId: testSessionId, at: 1_005 + this.#seq * 10, after: this.#seq, event });
  }

  step(): void {
    if (this.pick(8) === 0) return this.aside();
    if (this.#run === null) return this.idle();
    if (this.#compaction) return this.compacting();
    if (this.#turn === null) return this.betweenTurns();
    if (this.#message !== null) return this.writing();
    const open = this.#calls.filter((call) => call.state !== "ended");
    if (open.length > 0) return this.calling(open);
    return this.answered();
  }

  /** Writes an event that is valid at any time. */
  aside(): void {
    this.durable(pickSideEvent(this.pick, () => this.#fresh));
  }

  idle(): void {
    const { pick } = this;
    if (this.#compaction) return this.compacting();
    const last = this.#compactions.at(-1);
    const choice = pick(7);
    if (choice === 6) return this.review();
    if (choice === 0 && this.borders.length > 1) {
      this.#newest.hasUnrun = false;
      return this.durable({ type: "rewind", toSeq: this.borders[pick(this.borders.length)] ?? 0 });
    }
    if (choice >= 4 && this.#newest.hasUnrun) return this.decide();
    if (choice === 1) return this.compact();
    if (choice === 2 && last !== undefined)
      return this.durable({ type: "compaction_update", of: last, summary: "edited", head: [text("edited")] });
    this.startRun();
    this.userMessage();
  }

  /** The user accepts a change, or a decision waits. */
  review(): void {
    this.#newest.hasUnrun = false;
    if (this.pick(2) === 0) return this.durable({ type: "review_wait", waiting: [] });
    this.durable({ type: "review", files: [] });
  }

  startRun(): void {
    this.#run = asId<RunId>(`r${this.#fresh}`);
    this.#step = 0;
    this.durable({ type: "agent_start", runId: this.#run });
  }

  /** The user decides about the call in the newest answer. */
  decide(): void {
    const { seq } = this.#newest;
    const run = this.pick(3) > 0;
    this.#newest.hasUnrun = false;
    this.durable({ type: "call_decision", of: seq, index: 0, run });
    if (!run) return;
    this.startRun();
    this.startTurn();
    const messageId = asId<MessageId>(`m${this.#fresh}`);
    this.durable({ type: "message_start", messageId, role: "assistant" });
    this.durable({ type: "message_end", messageId, blocks: [{ ...this.addCall(messageId), raw: "" }], stop: "done" });
  }

  /** Returns the block of a new call of the message that ends next. */
  addCall(messageId: MessageId): Extract<Block, { type: "call" }> {
    const id = asId<CallId>(`c${this.#fresh}`);
    this.#calls.push({ id, messageId, state: "queued", approval: null, printed: 0 });
    return { type: "call", callId: id, name: "bash", input: { command: "true" } };
  }

  userMessage(): void {
    this.#newest.hasUnrun = false;
    const messageId = asId<MessageId>(`m${this.#fresh}`);
    this.durable({ type: "message_start", messageId, role: "user", commandId: asId<CommandId>(`k${this.#fresh}`) });
    const reference: Block = { type: "reference", kind: "file", label: `${this.pick(9)}.ts`, text: "const a = 1;" };
    const pinned: Block = { ...reference, text: `const a = ${this.pick(3)};`, pinned: true };
    const references = [[reference], [pinned], []][this.pick(3)] ?? [];
    const blocks = [...references, text(`ask ${this.pick(99)}`)];
    this.durable({ type: "message_end", messageId, blocks, stop: "done" });
  }

  compact(): void {
    this.#compaction = true;
    const cause = (["threshold", "user", "window"] as const)[this.pick(3)] ?? "threshold";
    this.durable({
      type: "compaction_start",
      tokensBefore: 1 + this.pick(5_000),
      why: cause,
      ...(cause === "user" && this.pick(2) === 0 ? { focus: "the tests" } : {}),
    });
    this.#compactions.push(this.#seq);
  }

  compacting(): void {
    this.#compaction = false;
    if (this.pick(3) === 0) {
      this.#compactions.pop();
      this.durable({ type: "error", error: { code: "server_error" } });
      return this.#turn === null ? undefined : this.startMessage();
    }
    const keepFromSeq = 1 + this.pick(this.#seq);
    const notice: Block = { type: "context", kind: "notice", topic: "mode", text: `mode ${this.pick(3)}` };
    this.durable({
      type: "compaction_end",
      head: this.pick(2) === 0 ? [text("head")] : [notice, text("head")],
      summary: "short",
      keepFromSeq,
      tokensAfter: 9,
      ...(this.pick(2) === 0 ? { keepAlso: [1 + this.pick(keepFromSeq)] } : {}),
      ...(this.pick(2) === 0 ? { resultTokens: this.pick(4) } : {}),
      ...(this.pick(3) === 0 ? { mechanical: true } : {}),
    });
    // Within a turn the answer is requested again.
    if (this.#turn !== null) this.startMessage();
  }

  betweenTurns(): void {
    const choice = this.pick(6);
    if (choice === 0) return this.endRun("done");
    if (choice === 1) return this.compact();
    if (choice === 2) this.userMessage();
    this.startTurn();
    this.startMessage();
  }

  startTurn(): void {
    this.#step += 1;
    const turnId = asId<TurnId>(`t${this.#fresh}`);
    this.durable({ type: "turn_start", turnId, step: this.#step });
    this.#turn = { id: turnId, seq: this.#seq };
    this.#attempt = 0;
  }

  startMessage(): void {
    this.#message = asId<MessageId>(`m${this.#fresh}`);
    this.#lengths = [];
    this.durable({ type: "message_start", messageId: this.#message, role: "assistant" });
    this.#newest = { seq: this.#seq, hasUnrun: false };
  }

  writing(): void {
    const { pick } = this;
    const messageId = this.#message;
    if (messageId === null) return;
    const choice = pick(10);
    if (choice < 6) return this.delta(messageId);
    if (choice === 6) return this.live({ type: "phase", phase: "writing", sinceMs: this.#seq, tokens: pick(100) });
    this.#message = null;
    if (choice === 7) return this.failedMessage(messageId);
    const calls = pick(4);
    const from = { server: "ollama", field: "thinking" } as const;
    const blocks: Block[] = pick(2) === 0 ? [{ type: "thinking", text: `why ${pick(99)}`, from }] : [];
    if (pick(2) === 0 || calls === 0) blocks.push(text(`answer ${pick(99)}`));
    for (let index = 0; index < calls; index += 1) blocks.push(this.addCall(messageId));
    this.#newest.hasUnrun = calls === 0;
    const unrun: readonly UnrunCall[] = [{ name: "bash", input: { command: "true" }, reason: "example" }];
    this.durable({
      type: "message_end",
      messageId,
      blocks,
      stop: "done",
      usage: usage(pick(100)),
      ...(calls === 0 ? { unrun } : {}),
    });
  }

  failedMessage(messageId: MessageId): void {
    const stop = this.pick(2) === 0 ? "error" : "length";
    const blocks = this.pick(2) === 0 ? [] : [text("half an ans")];
    this.durable({ type: "message_end", messageId, blocks, stop });
    if (stop === "length" || this.#attempt === 3) {
      this.durable({ type: "error", error: { code: "output_limit" } });
      return this.endRun("limit");
    }
    this.#attempt += 1;
    this.durable({
      type: "retry",
      messageId,
      attempt: this.#attempt,
      of: 3,
      delayMs: 1_000,
      error: {
        code: (["connection_lost", "think_limit", "no_tools", "window_full"] as const)[this.pick(4)] ?? "stalled",
      },
    });
    if (this.pick(4) === 0) this.compact();
    else this.startMessage();
  }

  delta(messageId: MessageId): void {
    const { pick } = this;
    if (this.#lengths.length === 0 || pick(4) === 0)
      this.#lengths.push({ kind: (["text", "thinking", "input"] as const)[pick(3)] ?? "text", length: 0 });
    const block = this.#lengths.length - 1;
    const last = this.#lengths[block];
    if (last === undefined) return;
    const words = ["a", "word ", "你好", "🙂", "\n", "longer text "][pick(6)] ?? "";
    const named = last.kind === "input" ? { name: "bash" } : {};
    this.live({ type: "message_delta", messageId, block, kind: last.kind, offset: last.length, text: words, ...named });
    last.length += words.length;
  }

  calling(open: readonly WrittenOpenCall[]): void {
    const { pick } = this;
    const call = open[pick(open.length)];
    if (call === undefined) return;
    const { id: callId, messageId } = call;
    const choice = pick(6);
    if (choice === 5 && pick(3) === 0) return this.endRun(pick(2) === 0 ? "aborted" : "interrupted");
    if (call.state === "queued") {
      if (choice === 0) return this.endCall(call, "error");
      this.durable({ type: "tool_call_start", callId, messageId, kind: "shell", target: "true", facts: {} });
      call.state = "running";
      if (choice < 3) this.request(call);
      return;
    }
    if (call.state === "waiting") {
      if (call.approval === null) return;
      const option = choice < 4 ? "once" : "deny";
      this.durable({ type: "approval_response", approvalId: call.approval, option, by: asId<ClientId>("tab") });
      call.state = "running";
      return option === "deny" ? this.endCall(call, "denied") : undefined;
    }
    if (choice < 3) {
      const line = `line ${pick(99)}\n`;
      this.live({ type: "tool_call_delta", callId, offset: call.printed, text: line });
      call.printed += line.length;
      return;
    }
    if (choice === 3) return this.durable({ type: "file_change", callId, path: "a.ts", before: null, mode: 0 });
    if (choice === 4 && call.printed === 0) return this.request(call);
    this.endCall(call, pick(2) === 0 ? "ok" : "error");
  }

  request(call: WrittenOpenCall): void {
    call.approval = asId<ApprovalId>(`a${this.#fresh}`);
    call.state = "waiting";
    this.durable({
      type: "approval_request",
      approvalId: call.approval,
      callId: call.id,
      boundTo: asId<Hash>(`h${this.#fresh}`),
      options: ["once", "deny"],
    });
  }

  endCall(call: WrittenOpenCall, outcome: "ok" | "error" | "denied" | "aborted"): void {
    call.state = "ended";
    this.durable({
      type: "tool_call_end",
      callId: call.id,
      outcome,
      output: [text(`result ${this.pick(99)}`)],
      facts: { exit: this.pick(3), cwd: "/project" },
      changes: [{ path: "a.ts", before: null, after: null, added: this.pick(9), removed: this.pick(9) }],
      tookMs: this.pick(99),
    });
  }

  answered(): void {
    if (this.#turn !== null) this.durable({ type: "turn_end", turnId: this.#turn.id });
    this.#turn = null;
  }

  endRun(reason: RunEnd): void {
    for (const call of this.#calls) if (call.state !== "ended") this.endCall(call, "aborted");
    this.#calls = [];
    this.answered();
    if (this.#run !== null) this.durable({ type: "agent_end", runId: this.#run, reason });
    this.#run = null;
  }

  /** Ends everything open, like Stop. */
  finish(): void {
    if (this.#message !== null)
      this.durable({ type: "message_end", messageId: this.#message, blocks: [], stop: "aborted" });
    this.#message = null;
    if (this.#compaction) this.durable({ type: "error", error: { code: "aborted" } });
    this.#compaction = false;
    if (this.#run !== null) this.endRun("aborted");
  }
}

const text = (words: string): Block => ({ type: "text", text: words });
const usage = (tokens: number) => ({
  promptTokens: tokens,
  estimatedPromptTokens: tokens,
  outputTokens: tokens,
  loadMs: 0,
  promptMs: 1,
  outputMs: 1,
});

/** Generates a log deterministically from `choices`. `closed` = nothing is open at its end. */
export function generateLog(choices: readonly number[], steps: number, closed: boolean): TestLog {
  let at = 0;
  const pick = (below: number): number => {
    at += 1;
    return (choices[at % Math.max(1, choices.length)] ?? 0) % below;
  };
  const writer = new LogWriter(pick);
  for (let count = 0; count < steps; count += 1) writer.step();
  if (closed) writer.finish();
  return { envelopes: writer.envelopes, borders: writer.borders };
}

/** Arbitrary for logs of a few hundred events. */
export const arbitraryLog = (closed: boolean): fc.Arbitrary<TestLog> =>
  fc
    .tuple(fc.array(fc.nat(5_039), { minLength: 40, maxLength: 400 }), fc.integer({ min: 5, max: 220 }))
    .map(([choices, steps]) => generateLog(choices, steps, closed));

export const durableEvents = (log: Pick<TestLog, "envelopes">): readonly DurableEnvelope[] =>
  log.envelopes.flatMap((envelope) => ("seq" in envelope ? [envelope] : []));
