/**
 * Runs the calls of one message: started in order, in parallel where their locks allow, results stored in the
 * message, one for each (invariant I4).
 */
import type { DurableEvent } from "@/lib/events/event";
import type { CallView, MessageEntry } from "@/lib/view/view";
import { makeSlots } from "@/server/base/concurrency";
import { resultShareTokens } from "./fit-result";
import type { AgentHost } from "../host";
import { runTool } from "./run-tool";
import { contextBudget } from "../context/context-budget";

/** Maximum calls that run at once. */
const callsAtOnce = 16;
/** Maximum calls of one message. */
export const callsPerMessage = 64;

/**
 * Resolves when every call has ended, or when the signal fired and all running calls were stopped. An exception of
 * one call (a log that cannot be written, a bug) stops the others, so that none keeps waiting for an approval.
 */
export async function runCalls(host: AgentHost, message: MessageEntry, signal: AbortSignal): Promise<void> {
  const { openCalls } = host.view();
  const open = message.calls.filter((call) => Object.hasOwn(openCalls, call.callId));
  host.commit(open.slice(callsPerMessage).map(tooManyCallsEnd));
  const maxTokens = resultShareTokens(contextBudget(host.modelFacts()).tokens, message.calls.length);
  const slots = makeSlots(callsAtOnce);
  const failed = new AbortController();
  const ends = await Promise.allSettled(
    open.slice(0, callsPerMessage).map((call) =>
      slots(() => runTool(host, message, call.callId, maxTokens, AbortSignal.any([signal, failed.signal]))).catch(
        (error: unknown) => {
          failed.abort(error);
          throw error;
        },
      ),
    ),
  );
  if (signal.aborted || ends.every((end) => end.status === "fulfilled")) return;
  throw failed.signal.reason;
}

/** Only the first one states the reason; together they must fit the window. */
const tooManyCallsEnd = (call: CallView, index: number): DurableEvent => ({
  type: "tool_call_end",
  callId: call.callId,
  outcome: "error",
  output: [
    {
      type: "text",
      text: index > 0 ? "[Not run]" : `Not run: one message may have ${callsPerMessage} calls. Call the rest again.`,
    },
  ],
  facts: { code: "too_many" },
  tookMs: 0,
});
