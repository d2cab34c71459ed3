/** Writes a conversation from another program as a log of our events. */
import type { Block, Role, StopReason, Usage } from "@/lib/events/content";
import type { CallOutcome, DurableEvent } from "@/lib/events/event";
import { asId, type CallId, type MessageId, type RunId, type TurnId } from "@/lib/events/id";
import type { ToolKind } from "@/lib/events/tool-presentations";
import { findBuiltinTool } from "@/server/tools/arguments/foreign-names";
import type { EventRow } from "@/server/store/sessions/events";

interface ImportedAnswer {
  readonly blocks: readonly Block[];
  readonly stop: StopReason;
  readonly usage?: Usage;
}

const kindByToolName: Readonly<Record<string, ToolKind>> = {
  read: "read",
  ls: "list",
  find: "find",
  grep: "search",
  edit: "edit",
  write: "write",
  bash: "shell",
};

interface OpenCall {
  readonly messageId: MessageId;
  readonly name: string;
  readonly target: string;
  readonly at: number;
}

export class ImportWriter {
  readonly rows: EventRow[] = [];
  readonly #open = new Map<CallId, OpenCall>();
  #run: RunId | null = null;
  #turn: TurnId | null = null;
  #step = 0;
  #ids = 0;
  #now: number;

  /** `startedAt` in ms epoch. */
  constructor(start: DurableEvent, startedAt: number) {
    this.#now = startedAt;
    this.#add(start);
  }

  /** Time of the newest row, ms epoch. */
  get at(): number {
    return this.#now;
  }

  get seq(): number {
    return this.rows.length;
  }

  get hasOpenCalls(): boolean {
    return this.#open.size > 0;
  }

  /** Starts a run; returns the seq of the message entry. */
  addUserMessage(blocks: readonly Block[], at: number): number {
    this.endRun();
    this.#begin(at);
    return this.#message("user", { blocks, stop: "done" }, at);
  }

  /** Writes a turn; its calls are open until their result or the end of the run. */
  addAssistantMessage(answer: ImportedAnswer, at: number): number {
    this.#endTurn();
    this.#begin(at);
    this.#turn = asId<TurnId>(`t${this.#fresh()}`);
    this.#step += 1;
    this.#add({ type: "turn_start", turnId: this.#turn, step: this.#step }, at);
    return this.#message("assistant", answer, at);
  }

  /** false = the call does not exist or is not open. */
  addResult(callId: CallId, outcome: CallOutcome, output: readonly Block[], at: number): boolean {
    if (!this.#open.has(callId)) return false;
    this.#endCall(callId, outcome, output, at);
    return true;
  }

  addCompaction(
    compaction: { readonly summary: string; readonly tokensBefore: number; readonly keepFromSeq: number | null },
    at: number,
  ): void {
    const { summary, tokensBefore, keepFromSeq } = compaction;
    this.endRun();
    this.#add({ type: "compaction_start", tokensBefore }, at);
    const head: readonly Block[] = [{ type: "text", text: summary }];
    this.#add({ type: "compaction_end", head, summary, keepFromSeq: keepFromSeq ?? this.seq + 1, tokensAfter: 0 });
  }

  /** Ends what is open; returns the seq of the border. */
  endRun(): number {
    this.#endTurn();
    if (this.#run !== null) this.#add({ type: "agent_end", runId: this.#run, reason: "done" });
    this.#run = null;
    return this.seq;
  }

  addRewind(toSeq: number): void {
    this.#add({ type: "rewind", toSeq });
  }

  addLabel(seq: number, text: string): void {
    this.#add({ type: "session_update", label: { seq, text } });
  }

  #fresh(): number {
    this.#ids += 1;
    return this.#ids;
  }

  #add(event: DurableEvent, at: number = this.#now): number {
    // Times in a log never decrease.
    this.#now = Math.max(this.#now, at);
    this.rows.push({ seq: this.seq + 1, at: this.#now, event });
    return this.seq;
  }

  #begin(at: number): void {
    if (this.#run !== null) return;
    this.#run = asId<RunId>(`r${this.#fresh()}`);
    this.#step = 0;
    this.#add({ type: "agent_start", runId: this.#run }, at);
  }

  #message(role: Role, answer: ImportedAnswer, at: number): number {
    const messageId = asId<MessageId>(`m${this.#fresh()}`);
    const seq = this.#add({ type: "message_start", messageId, role }, at);
    this.#add({ type: "message_end", messageId, ...answer });
    for (const block of answer.stop === "done" ? answer.blocks : [])
      if (block.type === "call")
        this.#open.set(block.callId, { messageId, name: block.name, target: callTarget(block.input), at: this.#now });
    return seq;
  }

  #endCall(callId: CallId, outcome: CallOutcome, output: readonly Block[], at: number): void {
    const call = this.#open.get(callId);
    if (call === undefined) return;
    this.#open.delete(callId);
    const { messageId, name, target } = call;
    this.#add({
      type: "tool_call_start",
      callId,
      messageId,
      kind: kindByToolName[findBuiltinTool(name) ?? name] ?? "other",
      target,
      facts: {},
    });
    const tookMs = Math.max(0, at - call.at);
    this.#add({ type: "tool_call_end", callId, outcome, output, facts: {}, tookMs }, at);
  }

  #endTurn(): void {
    for (const callId of [...this.#open.keys()]) this.#endCall(callId, "unknown", [], this.#now);
    if (this.#turn !== null) this.#add({ type: "turn_end", turnId: this.#turn });
    this.#turn = null;
  }
}

/** Target that a card shows beside the tool's name. */
function callTarget(input: Extract<Block, { type: "call" }>["input"]): string {
  if (typeof input !== "object" || input === null) return "";
  const named = new Map(Object.entries(input));
  for (const name of ["path", "file_path", "command", "pattern"]) {
    const value = named.get(name);
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((word) => typeof word === "string")) return value.join(" ");
  }
  return "";
}
