// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type MessageId } from "@/lib/events/id";
import type { EngineState } from "@/lib/models/engine";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ConversationActionsContext, readOnlyActions } from "../actions";
import { noopRunControls } from "../noop-run-controls";
import { hasLateSentence } from "./find-remedies";
import { ErrorSentence } from "./error-sentence";
import { LateSentence } from "./late-sentence";
import { RetryLine } from "./notices";

const error = { code: "model_unsupported", facts: { architecture: "qwen9" } } as const;
const state: EngineState = {
  program: { path: "/p/llama-server", version: "b1", isInstalled: true },
  models: [],
  suggestions: [],
  downloads: [],
  hub: "hub.example",
  memory: { ram: 16e9, graphics: 0, isShared: false },
  threads: 8,
  downloadRate: 0,
  run: { status: "stopped" },
};
const unsupported = "This llama.cpp doesn't support models of the kind qwen9.";
const next = "Update gopi-web, which then offers an update of llama.cpp in the model settings.";

const reason = (
  <ConversationActionsContext value={{ ...readOnlyActions, runControls: noopRunControls }}>
    <p data-testid="reason">
      <LateSentence error={error} then="" />
    </p>
  </ConversationActionsContext>
);

test("the next step after an unknown architecture is named once the program is known", async () => {
  let answer: (value: unknown) => void = () => undefined;
  const answered = new Promise((resolve) => {
    answer = resolve;
  });
  const { client } = await connectClient((name) => (name === "engine.state" ? answered : undefined));
  await renderForUser(client, reason);
  expect(screen.getByTestId("reason").textContent).toBe(unsupported);
  await act(async () => answer({ ok: true, value: state }));
  await expect.poll(() => screen.getByTestId("reason").textContent).toBe(`${unsupported} ${next}`);
});

test("a program that is known already is not looked for again", async () => {
  const { client, inputsOf } = await connectClient(() => undefined);
  client.cache.setQueryData(["engine.state", {}], state);
  await renderForUser(client, reason);
  expect(screen.getByTestId("reason").textContent).toBe(`${unsupported} ${next}`);
  await client.connection.call("engine.ready", {});
  expect(inputsOf("engine.state")).toEqual([]);
});

test("a server that asks for a user name: the field is named, and the variable of the environment's connection", async () => {
  const { client } = await connectClient(() => undefined);
  const refused = { code: "key_refused", facts: { status: 401, wants: "user" } } as const;
  await renderForUser(
    client,
    <ConversationActionsContext value={readOnlyActions}>
      <p data-testid="reason">
        <LateSentence error={refused} then="" />
      </p>
    </ConversationActionsContext>,
  );
  expect(screen.getByTestId("reason").textContent).toMatch(
    /asks for a user name.*Advanced.*OPENAI_BASE_URL=https:\/\/NAME:PASSWORD@/,
  );
});

test("an Ollama that hangs is named with the version that cures it, and what to do", async () => {
  const { client } = await connectClient(() => undefined);
  const hung = { code: "stalled", facts: { stallMs: 120_000, cure: "0.32.15" } } as const;
  expect(hasLateSentence(hung)).toBe(true);
  await renderForUser(client, <LateSentence error={hung} then="" />);
  expect(document.body.textContent).toContain("hangs after parser errors; 0.32.15 cures it. Restart Ollama");
});

test("an answer that its server could not read twice: the sentence names that calls are read from its text", async () => {
  const { client } = await connectClient(() => undefined);
  const error = { code: "unparsed_answer", facts: { toolMode: "react" } } as const;
  await renderForUser(
    client,
    <ConversationActionsContext value={readOnlyActions}>
      <p data-testid="reason">
        <ErrorSentence error={error} then="Retried." />
      </p>
    </ConversationActionsContext>,
  );
  await expect
    .poll(() => screen.getByTestId("reason").textContent)
    .toMatch(/calls are read from its text\. Retried\.$/);
});

test("a wait that is too long names when to try again; a proxy without a host what to check", async () => {
  const { client } = await connectClient(() => undefined);
  const at = new Date();
  at.setHours(14, 20, 0, 0);
  const busy = { code: "server_busy", facts: { retryAt: at.getTime() } } as const;
  await renderForUser(client, <LateSentence error={busy} then="" />);
  expect(document.body.textContent).toContain("Try again at 14:20.");
  const gateway = { code: "server_unreachable", facts: { status: 502, router: true } } as const;
  await renderForUser(client, <LateSentence error={gateway} then="" />);
  expect(document.body.textContent).toContain("can't reach a model host (502). Check that");
});

test.each([
  ["unreadable", "The key file /run/secrets/key can't be read. Check"],
  ["too_large", "The key file /run/secrets/key is too large. Let it contain"],
] as const)("a key file that is %s: the sentence names it and the next step", async (keyFile, sentence) => {
  const { client } = await connectClient(() => undefined);
  const error = { code: "key_refused", facts: { keyFile, path: "/run/secrets/key" } } as const;
  await renderForUser(client, <LateSentence error={error} then="" />);
  expect(document.body.textContent).toContain(sentence);
});

test.each([
  [{ waitMs: 600_000 }, /is busy\. It asked to wait\. Trying again in (?:10 min|9 min 5\d s)/],
  [{ waitMs: 600_000, position: 3 }, /It asked to wait, at position 3 of its queue\. Trying again in/],
])("a wait that the server requested is counted down without a number of attempts: %j", async (facts, sentence) => {
  const { client } = await connectClient(() => undefined);
  const error = { code: "server_busy", facts } as const;
  const messageId = asId<MessageId>("m1");
  const entry = {
    kind: "retry",
    seq: 1,
    at: Date.now(),
    messageId,
    attempt: 1,
    of: 3,
    delayMs: 600_000,
    error,
  } as const;
  await renderForUser(client, <RetryLine kind="retry" entry={entry} live />);
  expect(document.body.textContent).toMatch(sentence);
});
