/**
 * Checks every law on a stored log, event by event, without the fold. Returns a sentence per violation; empty = none.
 */
import type { DurableEvent } from "@/lib/events/event";

interface Row {
  readonly seq: number;
  readonly event: DurableEvent;
}

interface Call {
  state: "queued" | "started" | "ended" | "unknown";
  readonly requests: Map<string, boolean>;
}

/** `mayWait`: the log of a run that waits for the user; otherwise everything must be closed at its end. */
export function auditLog(rows: readonly Row[], mayWait = false): readonly string[] {
  const audit = new Audit();
  for (const [index, { seq, event }] of rows.entries()) {
    if (seq !== index + 1) audit.wrong.push(`seq ${seq} at position ${index + 1}`);
    audit.take(event);
  }
  if (!mayWait) audit.closed("the end of the log");
  return audit.wrong;
}

class Audit {
  readonly wrong: string[] = [];
  readonly #messages = new Map<string, { role: string; stop: string | null }>();
  readonly #calls = new Map<string, Call>();
  readonly #runs = new Set<string>();
  #run: string | null = null;
  #turn: string | null = null;
  #step = 0;
  #compaction = false;

  take(event: DurableEvent): void {
    switch (event.type) {
      case "agent_start":
        this.#check(this.#run === null, "a run starts in a run");
        this.#check(!this.#runs.has(event.runId), "a duplicate run id");
        this.#runs.add(event.runId);
        this.#run = event.runId;
        this.#step = 0;
        return;
      case "turn_start":
        this.#check(this.#run !== null && this.#turn === null, "a turn starts outside a run or in a turn");
        this.#check(event.step === this.#step + 1, `step ${event.step} after ${this.#step}`);
        this.#step = event.step;
        this.#turn = event.turnId;
        this.#compaction = false;
        return;
      case "turn_end":
        this.#check(this.#turn === event.turnId, "a turn ends that is not open");
        this.#check(this.#open().length === 0, `a turn ends with open ${this.#open().join(", ")}`);
        this.#turn = null;
        return;
      case "agent_end":
        this.#check(this.#run === event.runId, "a run ends that is not open");
        this.#compaction = false;
        this.#run = null;
        return this.closed("agent_end");
      case "compaction_start":
        this.#compaction = true;
        return;
      case "compaction_end":
      case "error":
        this.#compaction = false;
        return;
      case "retry":
        // Thinking without end, cut off by us, ends as `length` and is retried; an answer with nothing but thinking ends as `done`.
        return this.#check(
          ["error", "length", ...(event.error.code === "empty_answer" ? ["done"] : [])].includes(
            this.#messages.get(event.messageId)?.stop ?? "",
          ),
          "a retry of a message that did not fail",
        );
      case "message_start":
      case "message_end":
        return this.#message(event);
      case "tool_call_start":
      case "tool_call_end":
      case "file_change":
      case "approval_request":
        return this.#call(event);
      case "approval_response":
        return this.#answer(event.approvalId);
      case "rewind":
        return this.closed("rewind");
      default:
        return;
    }
  }

  closed(place: string): void {
    this.#check(this.#run === null && this.#turn === null, `${place} with an open run or turn`);
    this.#check(this.#open().length === 0, `${place} with open ${this.#open().join(", ")}`);
    this.#check(!this.#compaction || this.#run !== null, `${place} with an open compaction`);
  }

  #message(event: Extract<DurableEvent, { type: "message_start" | "message_end" }>): void {
    const open = this.#messages.get(event.messageId);
    if (event.type === "message_start") {
      this.#check(open === undefined, "a duplicate message id");
      this.#check(this.#run !== null, "a message outside a run");
      this.#check(
        (event.role === "assistant") === (this.#turn !== null),
        `a message of ${event.role} at the wrong position`,
      );
      this.#messages.set(event.messageId, { role: event.role, stop: null });
      return;
    }
    this.#check(open !== undefined && open.stop === null, "a message ends that is not open");
    if (open !== undefined) open.stop = event.stop;
    const calls = event.blocks.filter((block) => block.type === "call");
    this.#check(event.stop === "done" || calls.length === 0, `a message that ended ${event.stop} has calls`);
    for (const call of calls) {
      this.#check(!this.#calls.has(call.callId), "a duplicate call id");
      this.#calls.set(call.callId, { state: "queued", requests: new Map() });
    }
  }

  #call(
    event: Extract<DurableEvent, { type: "tool_call_start" | "tool_call_end" | "file_change" | "approval_request" }>,
  ): void {
    const call = this.#calls.get(event.callId);
    if (call === undefined) return this.#check(false, `${event.type} of an unknown call`);
    // File changes of a command before a kill are detected after the restart that ended it.
    const isFoundLate = event.type === "file_change" && call.state === "unknown";
    this.#check(
      call.state !== "ended" && (call.state !== "unknown" || isFoundLate),
      `${event.type} after the call's end`,
    );
    if (event.type === "tool_call_start") {
      this.#check(call.state === "queued", "a call starts twice");
      call.state = "started";
    } else if (event.type === "tool_call_end") call.state = event.outcome === "unknown" ? "unknown" : "ended";
    else this.#check(call.state === "started" || isFoundLate, `${event.type} before the call's start`);
    if (event.type === "approval_request") call.requests.set(event.approvalId, false);
  }

  #answer(approvalId: string): void {
    const call = [...this.#calls.values()].find((one) => one.requests.has(approvalId));
    this.#check(call?.requests.get(approvalId) === false, "an answer to an unknown or answered approval");
    this.#check(call?.state === "started", "an answer to a call that is not running");
    call?.requests.set(approvalId, true);
  }

  #open(): readonly string[] {
    return [
      ...[...this.#messages].flatMap(([id, message]) => (message.stop === null ? [id] : [])),
      ...[...this.#calls].flatMap(([id, call]) => (call.state === "ended" || call.state === "unknown" ? [] : [id])),
    ];
  }

  #check(holds: boolean, problem: string): void {
    if (!holds) this.wrong.push(problem);
  }
}
