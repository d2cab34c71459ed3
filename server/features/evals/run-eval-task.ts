/** Runs one task with one model: a real session in a scratch copy of the task's files, then the task's check. */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import { asId, type ProjectId, type RuleId } from "@/lib/events/id";
import type { RunEnd } from "@/lib/events/event";
import type { Rule } from "@/lib/permissions/policy";
import { type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import type { EvalFailure, EvalResult, EvalSlips } from "@/lib/evals/evals";
import { timeLimit } from "@/server/base/abort";
import type { ModelChoice } from "@/server/models/access/session-models";
import type { SessionServices } from "@/server/session/core/services";
import { exportSession } from "@/server/session/export/export";
import { makeScratchSessions, type ScratchSessions } from "@/server/session/scratch/scratch-sessions";
import type { Sandbox } from "@/server/workspace/shell/sandbox";
import type { FeatureHost } from "../feature";
import { checkTask } from "./check-task";
import type { EvalTask } from "./eval-task";
import { copyTaskFiles } from "./task-files";

/** Most requests of one task: a model that needs more is looping. */
const maxTaskSteps = 40;
const maxTranscriptChars = 100_000;

interface EvalTaskOptions {
  readonly services: SessionServices;
  readonly environment: NodeJS.ProcessEnv;
  readonly leftovers: FeatureHost["leftovers"];
  /** Around the programs that the model starts and those of the check. */
  readonly sandbox: Pick<Sandbox, "fence" | "state">;
  now(): number;
}

export interface EvalTaskRun {
  readonly result: Omit<EvalResult, "model">;
  /** The session as Markdown. */
  readonly transcript: string;
  /** The server of the model failed: the result says nothing about the model. */
  readonly serverError: AgentError | null;
}

/** Errors of a server, after which the model's other tasks would fail too. */
const serverErrors: ReadonlySet<ErrorCode> = new Set([
  "server_unreachable",
  "connection_lost",
  "model_missing",
  "out_of_memory",
  "key_refused",
  "quota_used",
  "no_model",
]);

/** Rejects with the signal's reason, after the session and its programs have ended. */
export async function runEvalTask(
  task: EvalTask,
  choice: ModelChoice,
  { services, environment, leftovers, sandbox, now }: EvalTaskOptions,
  signal: AbortSignal,
): Promise<EvalTaskRun> {
  const isFenced = (await sandbox.state()).works;
  const scratch = await makeScratchSessions({
    services,
    environment,
    leftovers,
    name: "eval",
    maxSteps: maxTaskSteps,
    hasTextToolMode: true,
    sandbox,
    rules: isFenced ? [] : [nodeRule],
  });
  const startedAt = now();
  let readView = (): SessionView | null => null;
  try {
    if (task.folder !== null) await copyTaskFiles(task.folder, scratch.root, signal);
    const limit = timeLimit(task.limitMs);
    const end = await runWithin(limit, signal, async (within) => {
      const ran = await scratch.run(
        {
          choice,
          text: task.prompt,
          mode: isFenced ? "full" : "edits",
          approves: ({ kind }) => kind === "delete",
          started: (_id, view) => (readView = view),
        },
        within,
      );
      return ran.end;
    });
    const tookMs = now() - startedAt;
    const view = readView();
    const checked = { task, root: scratch.root, environment, leftovers, sandbox };
    const failure = await judgeRun(view, end, checked, signal);
    return {
      result: { task: task.id, at: now(), tookMs, ...measureView(view), ...(failure === null ? {} : { failure }) },
      transcript: view === null ? "" : writeTranscript(scratch, view),
      serverError: failure?.error !== undefined && serverErrors.has(failure.error.code) ? failure.error : null,
    };
  } finally {
    await scratch.close();
  }
}

/** Without a sandbox commands that may change something are limited to node; file tools work as ever. */
const nodeRule: Rule = {
  id: asId<RuleId>("eval"),
  projectId: asId<ProjectId>("eval"),
  effect: "allow",
  createdAt: 0,
  tool: "bash",
  words: ["node"],
  rest: true,
};

/** "time" = the limit fired; rejects with the reason of `signal`. */
async function runWithin(
  limit: AbortSignal,
  signal: AbortSignal,
  work: (within: AbortSignal) => Promise<RunEnd | null>,
): Promise<RunEnd | null | "time"> {
  try {
    return await work(AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return "time";
    throw error;
  }
}

interface CheckedRun {
  readonly task: EvalTask;
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly leftovers: FeatureHost["leftovers"];
  readonly sandbox: Pick<Sandbox, "fence">;
}

async function judgeRun(
  view: SessionView | null,
  end: RunEnd | null | "time",
  { task, ...folder }: CheckedRun,
  signal: AbortSignal,
): Promise<EvalFailure | null> {
  if (end === "time") return { why: "time" };
  const error = view === null ? undefined : pathEntries(view).findLast((entry) => entry.kind === "error")?.error;
  if (end !== "done") {
    if (error?.code === "step_limit") return { why: "steps" };
    return { why: "error", ...(error === undefined ? {} : { error }) };
  }
  const answer = view === null ? "" : lastText(view);
  return checkTask(task, { ...folder, answer }, signal);
}

const listMessages = (view: SessionView): readonly MessageEntry[] =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));

const lastText = (view: SessionView): string =>
  (listMessages(view).at(-1)?.blocks ?? []).map((block) => (block.type === "text" ? block.text : "")).join("\n");

type Measured = Pick<EvalResult, "steps" | "promptTokens" | "outputTokens" | "slips">;
const noSlips: EvalSlips = { textCalls: 0, repairedCalls: 0, looseEdits: 0, retries: 0 };

function measureView(view: SessionView | null): Measured {
  if (view === null) return { steps: 0, promptTokens: 0, outputTokens: 0, slips: noSlips };
  const messages = listMessages(view);
  const calls = messages.flatMap((message) => message.calls);
  const isNative = view.model?.toolMode === "native";
  const textCalls = messages.flatMap(({ blocks }) =>
    blocks.filter((block) => block.type === "call" && block.raw !== undefined),
  ).length;
  return {
    steps: messages.length,
    promptTokens: messages.reduce((sum, { usage }) => sum + (usage?.promptTokens ?? 0), 0),
    outputTokens: messages.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0),
    slips: {
      // In the text modes every call is text.
      textCalls: isNative ? textCalls : 0,
      repairedCalls: calls.filter(({ facts }) => facts.repaired === true).length,
      looseEdits: calls.filter(({ facts }) => facts.loose !== undefined).length,
      retries: pathEntries(view).filter(({ kind }) => kind === "retry").length,
    },
  };
}

function writeTranscript({ store }: ScratchSessions, view: SessionView): string {
  const text = exportSession(store, view, "md", null)?.text ?? "";
  return text.length > maxTranscriptChars ? `${text.slice(0, maxTranscriptChars)}…` : text;
}
