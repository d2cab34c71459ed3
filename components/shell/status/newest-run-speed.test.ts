import { expect, test } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type MessageId, type RunId, type SessionId } from "@/lib/events/id";
import { foldLog } from "@/lib/view/fold";
import { newestRunSpeed } from "./newest-run-speed";
import { emptyView } from "@/lib/view/view";

const sessionId = asId<SessionId>("s");
const viewOf = (events: readonly DurableEvent[]) =>
  foldLog(
    emptyView(sessionId),
    events.map((event, index) => ({ v: 1, sessionId, seq: index + 1, at: 1_000, event })),
  );

/** A run with answers of these tokens and milliseconds; null = the answer was stopped. */
function run(id: string, ...answers: readonly (readonly [tokens: number, ms: number] | null)[]): DurableEvent[] {
  const runId = asId<RunId>(id);
  const messages = answers.flatMap((figures, index): DurableEvent[] => {
    const messageId = asId<MessageId>(`${id}${index}`);
    const end = { type: "message_end", messageId, blocks: [] } as const;
    if (figures === null)
      return [
        { type: "message_start", messageId, role: "assistant" },
        { ...end, stop: "aborted" },
      ];
    const [outputTokens, outputMs] = figures;
    const usage = { promptTokens: 9, estimatedPromptTokens: 9, outputTokens, loadMs: 0, promptMs: 0, outputMs };
    return [
      { type: "message_start", messageId, role: "assistant" },
      { ...end, stop: "done", usage },
    ];
  });
  return [{ type: "agent_start", runId }, ...messages, { type: "agent_end", runId, reason: "done" }];
}

test.each([
  ["the newest run, over all its answers", [run("a", [10, 1_000]), run("b", [10, 1_000], [110, 2_000])], 40],
  ["the answers with figures", [run("a", [10, 1_000], [0, 0], null)], 10],
  ["the run before one that was stopped in its first answer", [run("a", [10, 1_000]), run("b", null)], 10],
  ["none", [run("a", null)], null],
] as const)("the speed is that of %s", (_name, runs, speed) => {
  expect(newestRunSpeed(viewOf(runs.flat()))).toBe(speed);
});
