/**
 * The agent loop: model, tools, queue, until no work is left. Reads the view and writes events through the host, so
 * it can start at any point of the log: at a new prompt, after an answered approval, after Continue. The caller
 * closes what the loop leaves open.
 */
import type { DurableEvent, RunEnd } from "@/lib/events/event";
import { iterateBackward } from "@/lib/view/chunks";
import type { MessageEntry, SessionView } from "@/lib/view/view";
import { type AnswerOutcome, requestAnswer } from "./request-answer";
import { detectLoop, limitReached } from "../guards/run-guards";
import type { AgentHost } from "../host";
import { runCalls } from "../tools/run-calls";

/** Returns the events that move queued messages of one intent into the conversation. */
export type TakeQueued = (view: SessionView, intent: "steer" | "followUp") => readonly DurableEvent[];

/**
 * Returns the end reason of the run; throws only on a bug or a log that cannot be written. For "done", agent_end is
 * already committed: the empty queue and the end of the run are one commit, so that no message is lost in between.
 */
export async function runLoop(host: AgentHost, takeQueued: TakeQueued, signal: AbortSignal): Promise<RunEnd> {
  const startedAt = performance.now();
  while (!signal.aborted) {
    await readPinsForQueue(host, signal);
    if (host.view().turn === null) await host.applyReviews();
    if (signal.aborted) break;
    const opening = openTurn(host, takeQueued, performance.now() - startedAt);
    if (opening === null) return "limit";
    const end = await runTurn(host, opening, signal);
    if (signal.aborted) break;
    if (end !== "calls" && end !== "answered") return end;
    await readPinsForQueue(host, signal);
    if (signal.aborted) break;
    if (!closeTurn(host, takeQueued, end === "answered")) return "done";
  }
  return "aborted";
}

/** A queued message is sent with the pinned files as they are now. */
export async function readPinsForQueue(host: Pick<AgentHost, "view" | "readPins">, signal: AbortSignal): Promise<void> {
  if (host.view().queue.length > 0) await host.readPins(signal);
}

/**
 * Returns the events that open the next turn, [] if one is open, null if a limit of the run is reached. Steers are
 * taken first.
 */
function openTurn(host: AgentHost, takeQueued: TakeQueued, drivenMs: number): readonly DurableEvent[] | null {
  const { turn, run } = host.view();
  if (turn !== null) return [];
  const limit = limitReached(host.view(), host.settings(), drivenMs);
  // A new user message may break the loop.
  if (limit === null) host.commit(takeQueued(host.view(), "steer"));
  const error = limit ?? detectLoop(host.view());
  if (error !== null) {
    host.commit([{ type: "error", error }]);
    return null;
  }
  return [{ type: "turn_start", turnId: host.ids.turn(), step: (run?.steps ?? 0) + 1 }];
}

/** Returns false if the run is over: the model has answered and the queue is empty. */
function closeTurn(host: AgentHost, takeQueued: TakeQueued, answered: boolean): boolean {
  const view = host.view();
  const { turn, run } = view;
  const turnEnd: readonly DurableEvent[] = turn === null ? [] : [{ type: "turn_end", turnId: turn.turnId }];
  const continues = !answered || view.queue.some((message) => message.intent === "steer");
  const next = continues ? [] : takeQueued(view, "followUp");
  const over = !continues && next.length === 0;
  const runEnd: readonly DurableEvent[] =
    over && run !== null ? [{ type: "agent_end", runId: run.runId, reason: "done" }] : [];
  host.commit([...turnEnd, ...next, ...runEnd]);
  return !over;
}

type TurnEnd = "calls" | "answered" | Exclude<RunEnd, "done">;

/**
 * Runs one model call and its tools. If the turn already has its message (a response after a restart), runs only the
 * remaining calls.
 */
async function runTurn(host: AgentHost, opening: readonly DurableEvent[], signal: AbortSignal): Promise<TurnEnd> {
  const end: AnswerOutcome =
    answeredMessage(host.view()) === undefined
      ? await requestAnswer(host, opening, signal)
      : { kind: "done", empty: false };
  switch (end.kind) {
    case "aborted":
      return "aborted";
    case "lost":
      return "interrupted";
    case "stopped":
      host.commit([{ type: "error", error: end.error }]);
      return end.reason;
    case "length":
      host.commit([{ type: "error", error: { code: "output_limit" } }]);
      return "limit";
    case "done": {
      if (end.empty) {
        host.commit([{ type: "error", error: { code: "empty_answer" } }]);
        return "error";
      }
      const message = answeredMessage(host.view());
      if (message === undefined || message.calls.length === 0) return "answered";
      await runCalls(host, message, signal);
      if (signal.aborted) return "aborted";
      // The calls of a workflow's step are no question to the model.
      return message.origin === undefined ? "calls" : "answered";
    }
  }
}

/** The finished answer of the open turn, if it exists. */
function answeredMessage(view: SessionView): MessageEntry | undefined {
  if (view.turn === null) return undefined;
  for (const entry of iterateBackward(view.entries)) {
    if (entry.seq < view.turn.seq) return undefined;
    if (entry.kind === "message" && entry.role === "assistant" && entry.stop === "done") return entry;
  }
  return undefined;
}
