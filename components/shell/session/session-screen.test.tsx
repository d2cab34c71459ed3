// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type BlobId, type CallId, type MessageId, type ProjectId, type SessionId } from "@/lib/events/id";
import { foldLog } from "@/lib/view/fold";
import { emptyView, type SessionView } from "@/lib/view/view";
import { connectClient, renderForUser } from "../frame/test-dom";
import { testClient } from "../frame/test-render";
import type { AppClient } from "../../state/client";
import { SessionScreen } from "./session-screen";

const sessionId = asId<SessionId>("s");

/** An answer whose command was refused for a blocked word. */
function refusedCommand(id: string, target: string): readonly DurableEvent[] {
  const [callId, messageId] = [asId<CallId>(id), asId<MessageId>(`m${id}`)];
  const facts = { code: "blocked", rule: "blocked_word", refusedBy: "rm" } as const;
  return [
    { type: "message_start", messageId, role: "assistant" },
    {
      type: "message_end",
      messageId,
      blocks: [{ type: "call", callId, name: "bash", input: { command: target } }],
      stop: "done",
    },
    { type: "tool_call_start", callId, messageId, kind: "shell", target, facts: {} },
    { type: "tool_call_end", callId, outcome: "error", output: [], facts, tookMs: 1 },
  ];
}

const viewOf = (events: readonly DurableEvent[]): SessionView =>
  foldLog(
    emptyView(sessionId),
    events.map((event, index) => ({ v: 1 as const, sessionId, seq: index + 1, at: 1, event })),
  );

async function renderScreen(client: AppClient, view: SessionView): Promise<void> {
  const session = { view, error: null, echoes: [], older: "idle" } as const;
  await renderForUser(client, <SessionScreen store={client.session(sessionId)} session={session} view={view} />);
}

test("a workflow that begins with a question shows it in place of the first page", async () => {
  const view = viewOf([
    { type: "session_start", projectId: asId<ProjectId>("p"), cwd: "/p" },
    { type: "workflow_start", name: "ask", place: "home", hash: "h", inputs: {}, steps: [] },
    {
      type: "step_start",
      step: "q",
      kind: "ask",
      title: "Sure?",
      attempt: 1,
      question: { text: "Sure?", options: ["Yes"] },
    },
  ]);
  await renderScreen(testClient(), view);
  expect(await screen.findByRole("button", { name: "Yes" })).toBeTruthy();
  expect(screen.getByRole("log")).toBeTruthy();
});

test("a fork offers its own refused commands, not those of the session that it was forked from", async () => {
  // The virtual list draws what fits its size.
  Object.defineProperties(HTMLElement.prototype, {
    clientHeight: { configurable: true, get: () => 400 },
    clientWidth: { configurable: true, get: () => 400 },
  });
  const inherited: readonly DurableEvent[] = [
    { type: "session_start", projectId: asId<ProjectId>("p"), cwd: "/p" },
    ...refusedCommand("a", "rm inherited"),
  ];
  const fork: DurableEvent = { type: "session_fork", parentId: asId<SessionId>("o"), atSeq: inherited.length };
  const view = viewOf([...inherited, fork, ...refusedCommand("b", "rm own")]);
  await renderScreen(testClient(), view);
  const buttons = await screen.findAllByRole("button", { name: "Run it myself" });
  expect(screen.getByRole("log").textContent).toContain("rm inherited");
  expect(buttons.map((button) => button.closest("[data-seq]")?.textContent)).toEqual([
    expect.stringContaining("rm own"),
  ]);
});

test.each([
  ["ollama", 1],
  ["cellar", 0],
])("the model of %s is loaded %i times when its session is opened", async (provider, times) => {
  const view = viewOf([
    { type: "session_start", projectId: asId<ProjectId>("p"), cwd: "/p" },
    {
      ...{ type: "model_change", provider, model: "m:8b", toolMode: "native", numCtx: 8_192 },
      ...{ think: false, profile: "default", prompt: asId<BlobId>("b") },
    },
  ]);
  const { client, inputsOf } = await connectClient((name) =>
    name === "session.open" ? { ok: false, error: { code: "not_found" } } : undefined,
  );
  await renderScreen(client, view);
  // The server answers calls in their order.
  await client.call("app.log", {});
  expect(inputsOf("session.warm")).toEqual(Array.from({ length: times }, () => ({ sessionId })));
});
