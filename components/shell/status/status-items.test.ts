import { expect, test } from "vitest";
import type { ModelServerState } from "@/lib/models/models";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import { zhCN } from "../../messages/zh-CN";
import type { DurableEvent } from "@/lib/events/event";
import { foldLog } from "@/lib/view/fold";
import { asId, type MessageId, type RunId, type SessionId, type TurnId } from "@/lib/events/id";
import { emptyView } from "@/lib/view/view";
import { formatRetryChip } from "../../chat/run/phase-chip";
import { statusPhase, runStepProgress, waitingRetry } from "./status-items";

const server = (...names: readonly string[]): ModelServerState => ({
  status: "ready",
  host: "h",
  models: names.map((name) => ({ name, capabilities: [], cloud: false })),
  loaded: [],
  canStart: false,
});

test("a model that was deleted from its server is not ready", () => {
  expect(statusPhase(null, server("qwen3:8b"), "qwen3:8b")).toBe("ready");
  expect(statusPhase(null, server("qwen3:8b"), "qwen3:4b")).toBe("notInstalled");
  expect(statusPhase(null, server(), "qwen3:4b")).toBe("noModel");
});

test("a run whose user is asked outside the view waits", () => {
  expect(statusPhase(viewOf(running), server("qwen3:8b"), "qwen3:8b", true)).toBe("waiting");
  expect(statusPhase(viewOf(running), server("qwen3:8b"), "qwen3:8b", false)).toBe("running");
  expect(statusPhase(viewOf([]), server("qwen3:8b"), "qwen3:8b", true)).toBe("ready");
});

test("a model name without a tag means the tag latest", () => {
  expect(statusPhase(null, server("mistral:latest"), "mistral")).toBe("ready");
  expect(statusPhase(null, server("mistral:7b"), "mistral")).toBe("notInstalled");
});

const messageId = asId<MessageId>("m");
const sessionId = asId<SessionId>("s");
const viewOf = (events: readonly DurableEvent[]) =>
  foldLog(
    emptyView(sessionId),
    events.map((event, index) => ({ v: 1, sessionId, seq: index + 1, at: 1_000, event })),
  );
const running: readonly DurableEvent[] = [
  { type: "agent_start", runId: asId<RunId>("r") },
  { type: "turn_start", turnId: asId<TurnId>("t"), step: 7 },
];
const opened: DurableEvent = { type: "message_start", messageId, role: "assistant" };
const failed: readonly DurableEvent[] = [
  opened,
  { type: "message_end", messageId, blocks: [], stop: "error" },
  { type: "retry", messageId, attempt: 2, of: 3, delayMs: 4_000, error: { code: "server_error" } },
];

const words = { ...en, ...enConversation };

test("the steps of an open run are shown with their limit, in both languages", () => {
  const steps = runStepProgress(viewOf(running), 50);
  expect(steps).toEqual({ taken: 7, most: 50 });
  expect(en.shell.steps(7, 50)).toBe("step 7/50");
  expect(zhCN.shell.steps(7, 50)).toBe("第 7/50 步");
});

test("without a run, a step or a limit no steps are shown", () => {
  expect(runStepProgress(null, 50)).toBeNull();
  expect(runStepProgress(viewOf(running.slice(0, 1)), 50)).toBeNull();
  expect(runStepProgress(viewOf(running), undefined)).toBeNull();
  const ended: DurableEvent = { type: "agent_end", runId: asId<RunId>("r"), reason: "done" };
  expect(runStepProgress(viewOf([...running, ended]), 50)).toBeNull();
});

test("a model that is loading before its answer has the phase loading", () => {
  const view = { ...viewOf(running), phase: { phase: "loading", sinceMs: 1 } } as const;
  expect(statusPhase(view, undefined, "m")).toBe("loading");
});

test("a delayed retry has the phase retrying", () => {
  const waiting = viewOf([...running, ...failed]);
  expect(statusPhase(waiting, undefined, "m")).toBe("retrying");
  const retry = waitingRetry(waiting);
  expect(retry === null ? null : formatRetryChip(retry, 2_500, words)).toBe("retrying in 3 s (2 of 3)");
  expect(retry === null ? null : formatRetryChip(retry, 9_000, words)).toBe("retrying (2 of 3)");
});

test.each([
  [{ waitMs: 90_000, position: 3 }, "queued, position 3 · 1 min 20 s"],
  [{ waitMs: 90_000 }, "queued · 1 min 20 s"],
])("a wait that the server requested, with the facts %j, is shown as %s", (facts, text) => {
  const error = { code: "server_busy", facts } as const;
  const entry = { kind: "retry", seq: 1, at: 0, messageId, attempt: 1, of: 3, delayMs: 90_000, error } as const;
  expect(formatRetryChip(entry, 10_000, words)).toBe(text);
  expect(formatRetryChip(entry, 90_000, words)).toBe("retrying (1 of 3)");
});

test("the phase retrying ends when the next answer opens, without a delay and when the run ends", () => {
  const again: DurableEvent = { type: "message_start", messageId: asId<MessageId>("m2"), role: "assistant" };
  expect(statusPhase(viewOf([...running, ...failed, again]), undefined, "m")).toBe("running");
  const atOnce = failed.map((event) => (event.type === "retry" ? { ...event, delayMs: 0 } : event));
  expect(statusPhase(viewOf([...running, ...atOnce]), undefined, "m")).toBe("running");
  const ended: DurableEvent = { type: "agent_end", runId: asId<RunId>("r"), reason: "aborted" };
  expect(waitingRetry(viewOf([...running, ...failed, ended]))).toBeNull();
});
