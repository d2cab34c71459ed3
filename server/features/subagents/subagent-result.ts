/** Makes the result of the call that started a subagent's session. Pure over the view of the ended session. */
import { joinTextBlocks } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { RunEnd } from "@/lib/events/event";
import type { CallFacts, CallFileChange } from "@/lib/events/tool-kind";
import { serverLimits } from "@/lib/settings/server-limits";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { formatFileName } from "@/lib/text/format-file-name";
import { type Entry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { iterate } from "@/lib/view/chunks";
import { fitText } from "@/server/agent/tools/fit-result";
import type { ToolResult } from "@/server/tools/core/tool";

/** Changed files listed by name; the others are counted. */
const namedFiles = 20;

/** The files that the session left different, each with the sum of its changes. */
function mergedChanges(view: SessionView): readonly CallFileChange[] {
  const merged = new Map<string, CallFileChange>();
  for (const entry of iterate(view.entries)) {
    if (entry.kind !== "message") continue;
    for (const change of entry.calls.flatMap(({ changes = [] }) => changes)) {
      const earlier = merged.get(change.path);
      merged.set(change.path, earlier === undefined ? change : mergeChange(earlier, change));
    }
  }
  // Blobs are named by the hash of their content: a file that is as before is not a changed one.
  return [...merged.values()].filter(({ before, after }) => String(before) !== String(after));
}

function mergeChange(earlier: CallFileChange, { hunks: _hunks, ...later }: CallFileChange): CallFileChange {
  const { before } = earlier;
  return { ...later, before, added: earlier.added + later.added, removed: earlier.removed + later.removed };
}

/** The entries of the newest run on the path, newest first. */
function newestRun(view: SessionView): readonly Entry[] {
  const entries: Entry[] = [];
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_start") break;
    entries.push(entry);
  }
  return entries;
}

/** Steps of the newest run, and the tokens that the conversation had with its last answer. */
function measureRun(view: SessionView): { readonly steps: number; readonly tokens: number } {
  const answers = newestRun(view).flatMap((entry) =>
    entry.kind === "message" && entry.role === "assistant" ? [entry] : [],
  );
  const usage = answers.find((answer) => answer.usage !== undefined)?.usage;
  const end = newestRun(view).find((entry) => entry.kind === "run_end");
  return {
    steps: end?.kind === "run_end" ? end.steps : answers.length,
    tokens: usage === undefined ? 0 : usage.promptTokens + usage.outputTokens,
  };
}

/** The newest text that the subagent wrote. */
function lastText(view: SessionView): string {
  for (const entry of newestRun(view)) {
    if (entry.kind !== "message" || entry.role !== "assistant") continue;
    const text = joinTextBlocks(entry.blocks.flatMap((block) => (block.type === "text" ? [block] : []))).trim();
    if (text !== "") return text;
  }
  return "";
}

function lastError(view: SessionView): AgentError | undefined {
  const found = newestRun(view).find((entry) => entry.kind === "error");
  return found?.kind === "error" ? found.error : undefined;
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function formatLimit(error: AgentError | undefined, steps: number): string {
  if (error?.code === "time_limit") return `Stopped after ${serverLimits.subagentMinutes} minutes, before it finished.`;
  if (error === undefined || error.code === "step_limit")
    return `Stopped after ${countOf(steps, "step")}, before it finished.`;
  return `Stopped after ${countOf(steps, "step")}, before it finished (${error.code}).`;
}

function unfinishedFact(end: RunEnd, error: AgentError | undefined): Pick<CallFacts, "unfinished"> {
  if (end === "aborted") return { unfinished: "stopped" };
  if (end !== "limit") return {};
  if (error?.code === "time_limit") return { unfinished: "time" };
  return { unfinished: error?.code === "loop_detected" || error?.code === "repeated_text" ? "loop" : "limit" };
}

/** The sentence of the program about how the subagent ended; "" = it finished. */
function formatEnd(end: RunEnd, view: SessionView, steps: number): string {
  switch (end) {
    case "done":
      return "";
    case "limit":
      return `[${formatLimit(lastError(view), steps)}]`;
    case "aborted":
      return `[The user stopped it after ${countOf(steps, "step")}.]`;
    case "error":
    case "interrupted": {
      const { code = "internal", detail = "" } = lastError(view) ?? {};
      return `[The subagent failed: ${code}${detail === "" ? "" : `, ${detail.slice(0, 300)}`}. Do this step yourself, or tell the user.]`;
    }
  }
}

function formatFiles(changes: readonly CallFileChange[]): string {
  if (changes.length === 0) return "";
  const named = changes
    .slice(0, namedFiles)
    .map(({ path, after }) => `${formatFileName(path)}${after === null ? " (deleted)" : ""}`);
  const more = changes.length > namedFiles ? `, and ${changes.length - namedFiles} more` : "";
  return `[Files changed: ${named.join(", ")}${more}]`;
}

/**
 * The result of the call: the last answer, how it ended unless it finished, and the changed files, together in at most
 * `maxTokens` estimated tokens. A limit and a stop by the user are results; only a failure is one.
 */
export function subagentResult(view: SessionView, end: RunEnd, maxTokens: number): ToolResult {
  const { steps, tokens } = measureRun(view);
  const changes = mergedChanges(view);
  const notes = [formatEnd(end, view, steps), formatFiles(changes)].filter((note) => note !== "");
  const room = Math.max(0, maxTokens - notes.reduce((sum, note) => sum + estimateTokens(note) + 2, 0));
  const { text } = fitText(lastText(view), { bytes: serverLimits.readBytes, keep: "both" }, room);
  const answer = text === "" && end === "done" ? "[The subagent gave no answer.]" : text;
  const failed = end === "error" || end === "interrupted";
  return {
    output: [{ type: "text", text: [answer, ...notes].filter((part) => part !== "").join("\n\n") }],
    facts: {
      steps,
      tokens,
      ...unfinishedFact(end, lastError(view)),
      ...(failed ? { code: "tool_failed" as const } : {}),
    },
    changes,
    failed,
  };
}
