/** Shared parts of connection tests: steps reported once with durations, and one short prompt. */
import type { AgentError } from "@/lib/events/error";
import type { ConnectionStep } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { connectionCheckText } from "@/server/prompts/connection-check";
import type { ModelPart, ModelRequest } from "../../provider";
import type { ToolSchema } from "@/lib/models/stored-prompt";

export type CheckStep = ConnectionStep;

/** Enough for a model that thinks first. */
const maxAnswerTokens = 1_024;
const shownChars = 80;

type StepName = CheckStep["step"];
const stepNames = ["reach", "key", "model", "answer", "tools"] as const;

/** Reports each step once, with the ms since the previous step. */
export function makeCheckStepReporter(now: () => number) {
  const reported = new Set<StepName>();
  let since = now();
  function* report(step: Omit<CheckStep, "ms">): Generator<CheckStep> {
    const ms = Math.max(Math.round(now() - since), 0);
    since = now();
    reported.add(step.step);
    yield { ...step, ms };
  }
  return {
    has: (step: StepName): boolean => reported.has(step),
    next: (): StepName => stepNames.find((step) => !reported.has(step)) ?? "tools",
    *ok(step: StepName, detail?: string): Generator<CheckStep> {
      if (!reported.has(step)) yield* report({ step, ok: true, detail });
    },
    *failed(step: StepName, error: AgentError, choices?: readonly string[]): Generator<CheckStep> {
      yield* report({ step, ok: false, error, detail: error.detail, choices });
    },
  };
}
export type CheckStepReporter = ReturnType<typeof makeCheckStepReporter>;

/** Streams the answer to a request, as the provider does. */
type Ask = (request: ModelRequest) => AsyncIterable<ModelPart>;

/**
 * Sends one short prompt and reads the answer to its end: its start (`text`), the name of a call, and the error, if
 * any. Throws the signal's reason.
 */
export async function probeAnswer(
  ask: Ask,
  model: string,
  prompt: "answer" | "tools",
  tools: readonly ToolSchema[],
  signal: AbortSignal,
) {
  let text = "";
  let called: string | undefined;
  let error: AgentError | undefined;
  const request: ModelRequest = {
    provider: "",
    model,
    messages: [{ role: "user", text: connectionCheckText(prompt) }],
    tools,
    numCtx: serverLimits.windowMinTokens,
    think: false,
    keepAliveMinutes: 0,
    maxOutputTokens: maxAnswerTokens,
  };
  for await (const part of ask(request)) {
    if (part.type === "text" || part.type === "thinking") text += part.text;
    if (part.type === "call") called ??= part.name;
    if (part.type === "failed") error = part.error;
  }
  signal.throwIfAborted();
  return { text: text.trim().slice(0, shownChars), called, error };
}

/** Last step: checks whether the model calls a tool natively. */
export async function* checkTools(
  ask: Ask,
  steps: CheckStepReporter,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<CheckStep> {
  const parameters = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  const tool: ToolSchema = { name: "echo", description: connectionCheckText("echo"), parameters };
  const { text, called, error } = await probeAnswer(ask, model, "tools", [tool], signal);
  if (error !== undefined) yield* steps.failed("tools", error);
  else if (called === tool.name) yield* steps.ok("tools");
  else yield* steps.failed("tools", { code: "no_tools", detail: called ?? text, facts: { model } });
}
