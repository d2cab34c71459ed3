/** Determines the end of a step from the log of its session alone. Pure over the view. */
import { joinTextBlocks } from "@/lib/events/content";
import { type AgentError, makeError } from "@/lib/events/error";
import type { RunEnd } from "@/lib/events/event";
import { asId, type CommandId } from "@/lib/events/id";
import { isCommandKind } from "@/lib/events/tool-presentations";
import { iterateBackward } from "@/lib/view/chunks";
import type { CallView, Entry, MessageEntry, SessionView } from "@/lib/view/view";
import { workflowLimits } from "@/lib/workflows/workflow";
import type { StepRecord } from "@/lib/workflows/workflow-run";

export interface SettledStep {
  readonly outcome: "ok" | "failed" | "stopped";
  readonly output: string;
  readonly exit?: number;
  readonly tokens?: number;
  readonly error?: AgentError;
}

/** The id by which the message of a step is found. `seq` = that of its start. */
export const stepCommandId = ({ seq }: Pick<StepRecord, "seq">): CommandId => asId<CommandId>(`step-${seq}`);

/** open = its run continues; unknown = whether it had its effect is not in the log. */
export function settleStep(view: SessionView, record: Pick<StepRecord, "seq">): SettledStep | "open" | "unknown" {
  const wanted = stepCommandId(record);
  const after: Entry[] = [];
  for (const entry of iterateBackward(view.entries)) {
    if (entry.seq < record.seq) break;
    if (entry.kind === "message" && entry.commandId === wanted) return settleMessage(view, entry, after.toReversed());
    after.push(entry);
  }
  return view.queue.some(({ commandId }) => commandId === wanted) ? "open" : "unknown";
}

function settleMessage(
  view: SessionView,
  message: MessageEntry,
  after: readonly Entry[],
): SettledStep | "open" | "unknown" {
  const end = after.find((entry) => entry.kind === "run_end");
  const [call] = message.calls;
  if (message.role === "assistant") {
    if (call === undefined) return "unknown";
    return end === undefined && view.run !== null ? "open" : settleCall(call);
  }
  if (end?.kind !== "run_end") return view.run === null ? "unknown" : "open";
  const answer = upToAnswer(after.slice(0, after.indexOf(end)));
  if (answer !== null) return settlePrompt(answer, "done");
  const resumed = end.reason === "interrupted" ? afterResume(after.slice(after.indexOf(end) + 1)) : null;
  if (resumed !== null) return settlePrompt(resumed.entries, resumed.reason);
  return settlePrompt(after.slice(0, after.indexOf(end)), end.reason);
}

/** The messages up to the answer, if another message followed it in the same run; null = none did. */
function upToAnswer(entries: readonly Entry[]): readonly MessageEntry[] | null {
  const messages = entries.flatMap((entry) => (entry.kind === "message" && entry.replaced !== true ? [entry] : []));
  const at = messages.findIndex(({ role }, index) => {
    const before = messages[index - 1];
    return role === "user" && before?.role === "assistant" && before.stop === "done" && before.calls.length === 0;
  });
  return at === -1 ? null : messages.slice(0, at);
}

/** The run that answered the same message after an interruption; null = there is none, or another message came first. */
function afterResume(after: readonly Entry[]): { readonly entries: readonly Entry[]; readonly reason: RunEnd } | null {
  const at = after.findIndex((entry) => entry.kind === "run_end" && entry.reason !== "interrupted");
  const end = after[at];
  const entries = after.slice(0, Math.max(0, at));
  const isOther = entries.some((entry) => entry.kind === "message" && entry.role === "user");
  return end?.kind !== "run_end" || isOther ? null : { entries, reason: end.reason };
}

function settleCall(call: CallView): SettledStep | "unknown" {
  const { state, facts } = call;
  const output = callOutput(call);
  const exit = facts.exit === undefined ? {} : { exit: facts.exit };
  switch (state) {
    case "ok":
      return facts.exit === undefined || facts.exit === 0
        ? { outcome: "ok", output, ...exit }
        : { outcome: "failed", output, ...exit };
    case "error":
    case "denied": {
      const isExit = facts.exit !== undefined && facts.exit !== 0 && facts.code === undefined;
      const error = isExit ? {} : { error: makeError(facts.code ?? (state === "denied" ? "denied" : "tool_failed")) };
      return { outcome: "failed", output, ...exit, ...error };
    }
    case "aborted":
      return { outcome: "stopped", output };
    default:
      return "unknown";
  }
}

/** The line with the exit code is for the model. */
function callOutput({ kind, output = [] }: CallView): string {
  const text = joinTextBlocks(output.flatMap((block) => (block.type === "text" ? [block] : [])));
  if (!isCommandKind(kind)) return fitOutput(text);
  const trimmed = text.trimEnd();
  const start = trimmed.lastIndexOf("\n") + 1;
  const hasExitLine = trimmed.startsWith("[", start) && trimmed.endsWith("]");
  const printed = hasExitLine ? text.slice(0, Math.max(0, start - 1)) : text;
  return printed === "(no output)" ? "" : fitOutput(printed);
}

function settlePrompt(entries: readonly Entry[], reason: RunEnd): SettledStep | "unknown" {
  const answers = entries.flatMap((entry) =>
    entry.kind === "message" && entry.role === "assistant" && entry.replaced !== true ? [entry] : [],
  );
  const texts = answers.map(({ blocks }) =>
    joinTextBlocks(blocks.flatMap((one) => (one.type === "text" ? [one] : []))).trim(),
  );
  const result = {
    output: fitOutput(texts.findLast((text) => text !== "") ?? ""),
    tokens: answers.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0),
  };
  if (reason === "interrupted") return "unknown";
  if (reason === "done") return { outcome: "ok", ...result };
  if (reason === "aborted") return { outcome: "stopped", ...result };
  const error = entries.findLast((entry) => entry.kind === "error");
  return { outcome: "failed", ...result, error: error?.kind === "error" ? error.error : { code: "internal" } };
}

/** Keeps the start and the end. */
function fitOutput(text: string): string {
  const { outputChars: max } = workflowLimits;
  return text.length <= max ? text : `${text.slice(0, max / 2)}\n…\n${text.slice(-(max / 2 - 3))}`;
}
