/** Sessions over a server that holds answers: kills and starts of this program, and of the server. */
import { expect, onTestFinished, test } from "vitest";
import { type HoldingServer, startHoldingServer } from "@/lib/testing/test-holding-server";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { neverAborted } from "@/server/base/abort";
import type { Session } from "@/server/session/core/session-types";
import { makeModelRig, type ModelRig } from "./test-model-rig";
import { answersOf, openTinySession, sendPrompt } from "./test-tiny-session";

interface Bench {
  readonly rig: ModelRig;
  readonly server: HoldingServer;
  readonly session: Session;
}

async function startBench(options: Parameters<typeof startHoldingServer>[0] = {}): Promise<Bench> {
  const server = await startHoldingServer(options);
  onTestFinished(server.close);
  const rig = await makeModelRig();
  const connection = { name: "Llama", preset: "llamacpp", baseUrl: server.baseUrl, model: "held-model", numCtx: 0 };
  const saved = rig.access.connections.save(connection);
  if (!saved.ok) throw new Error(saved.error.code);
  await rig.access.connections.models({ id: saved.value.id });
  const session = await openTinySession(rig, { name: "held-model", connection: saved.value.id });
  return { rig, server, session };
}

const displayed = ({ view }: Session): string =>
  (answersOf(view).at(-1)?.blocks ?? []).map((block) => ("text" in block ? block.text : "")).join("|");

const waitFor = (session: Session, check: (view: SessionView) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const ask = (): void => {
      if (!check(session.view)) return;
      stop();
      resolve();
    };
    const stop = session.subscribe(ask);
    ask();
  });

const hasEnded = ({ run }: SessionView): boolean => run === null;

const lastEnd = ({ view }: Session): string | undefined =>
  pathEntries(view)
    .flatMap((entry) => (entry.kind === "run_end" ? [entry.reason] : []))
    .at(-1);

/** A session whose model has thought and begun to answer. */
async function beginAnswer(bench: Bench): Promise<void> {
  const { server, session } = bench;
  void sendPrompt(session, "Go.");
  await server.waitFor(() => server.reads === 1);
  server.write("I think.", "reasoning_content");
  server.write("Half an");
  await waitFor(session, () => displayed(session) === "I think.|Half an");
}

/** Simulates a kill with what a checkpoint had of the answer, and a start. */
function killAndStart({ rig, session }: Bench): Session {
  session.suspend();
  const { registry, sessions } = rig.restart();
  sessions.recoverAll();
  const next = registry.get(session.id);
  if (next === undefined) throw new Error("the session is gone");
  return next;
}

test("an answer during which this program was killed is received whole and stored once, with one prompt read", async () => {
  const bench = await startBench();
  const { server } = bench;
  await beginAnswer(bench);
  const next = killAndStart(bench);
  expect(displayed(next)).toBe("I think.|Half an");
  server.write(" answer.");
  server.finish();
  await waitFor(next, hasEnded);
  expect(lastEnd(next)).toBe("done");
  const answers = answersOf(next.view);
  expect(answers).toHaveLength(1);
  expect(answers[0]).toMatchObject({
    stop: "done",
    blocks: [
      { type: "thinking", text: "I think." },
      { type: "text", text: "Half an answer." },
    ],
    usage: { promptTokens: 4_000, outputTokens: 40 },
  });
  expect(answers[0]?.blocks[0]).not.toHaveProperty("tookMs");
  expect(next.view.stale).toBe(false);
  expect(server.reads).toBe(1);
  void sendPrompt(next, "More.");
  await server.waitFor(() => server.reads === 2);
  expect(JSON.parse(server.bodies[1] ?? "").messages.slice(-2)).toMatchObject([
    { role: "assistant", content: "Half an answer.", reasoning_content: "I think." },
    { role: "user" },
  ]);
  await next.abort();
});

test("an answer that its server has lost meanwhile ends as interrupted, with the text so far", async () => {
  const bench = await startBench();
  const { server } = bench;
  await beginAnswer(bench);
  server.lose("answers");
  const next = killAndStart(bench);
  await waitFor(next, hasEnded);
  expect(lastEnd(next)).toBe("interrupted");
  expect(answersOf(next.view)).toMatchObject([
    { stop: "interrupted", blocks: [{ text: "I think." }, { text: "Half an" }] },
  ]);
  expect(server.reads).toBe(1);
});

test.each([
  [["ls"], "Failed to parse input at pos 0: <tool_call>\n<function=ls>\n</function>\n</tool_call>"],
  [[], "The model produced output that does not match the expected peg-native format"],
])("an answer that its server could not parse before the start is not lost: the calls %j run", async (calls, words) => {
  const bench = await startBench();
  const { server, session } = bench;
  void sendPrompt(session, "Go.");
  await server.waitFor(() => server.reads === 1);
  await session.shutdown();
  server.fail(words);
  const next = killAndStart(bench);
  await server.waitFor(() => server.reads === 2);
  server.write("Done.");
  server.finish();
  await waitFor(next, hasEnded);
  expect(lastEnd(next)).toBe("done");
  expect(answersOf(next.view).flatMap((answer) => answer.calls.map(({ name }) => name))).toEqual(calls);
});

test("Stop ends the answer on its server, also after a restart", async () => {
  const bench = await startBench();
  const { server, session } = bench;
  await beginAnswer(bench);
  await session.abort();
  expect(server.requests.at(-1)).toBe("DELETE /v1/stream");
  void sendPrompt(session, "Again.");
  await server.waitFor(() => server.reads === 2);
  server.write("Begun");
  await waitFor(session, () => displayed(session) === "Begun");
  const next = killAndStart(bench);
  await server.waitFor(() => server.requests.at(-1) === "GET /v1/stream");
  await next.abort();
  expect(server.requests.at(-1)).toBe("DELETE /v1/stream");
  expect(answersOf(next.view).at(-1)).toMatchObject({ stop: "aborted", blocks: [{ type: "text", text: "Begun" }] });
});

test("Stop before this program reads on after a restart ends the answer on its server", async () => {
  const bench = await startBench();
  const { rig, server, session } = bench;
  await beginAnswer(bench);
  session.suspend();
  const { registry } = rig.restart();
  registry.recoverAll();
  const next = registry.get(session.id);
  expect(next?.view.run).not.toBe(null);
  await next?.abort();
  expect(server.requests.at(-1)).toBe("DELETE /v1/stream");
  expect(next?.view.run).toBe(null);
});

test.each(["by the user", "at its limit"])(
  "thinking that is ended %s goes on as the answer, without a new request",
  async (by) => {
    const { rig, server, session } = await startBench();
    rig.settings.current = { ...rig.settings.current, thinkMaxTokens: by === "at its limit" ? 4 : 0 };
    const ended = sendPrompt(session, "Go.");
    await server.waitFor(() => server.reads === 1);
    server.write("I think about very many things.", "reasoning_content");
    await waitFor(session, () => displayed(session) === "I think about very many things.");
    if (by === "by the user") expect(session.controls.answerNow()).toBe(true);
    await server.waitFor(() => server.requests.at(-1) === "POST /v1/chat/completions/control");
    server.write("Done.");
    server.finish();
    expect(await ended).toBe("done");
    expect(pathEntries(session.view).map(({ kind }) => kind)).toEqual(["run_start", "message", "message", "run_end"]);
    expect(displayed(session)).toBe("I think about very many things.|Done.");
    expect(server.reads).toBe(1);
    expect(JSON.parse(server.bodies[0] ?? "")).toMatchObject({ reasoning_control: true });
  },
);

test("a server that cannot end thinking is asked once more, without it", async () => {
  const { server, session } = await startBench({ holds: false });
  const ended = sendPrompt(session, "Go.");
  await server.waitFor(() => server.reads === 1);
  server.write("I think.", "reasoning_content");
  await waitFor(session, () => displayed(session) === "I think.");
  session.controls.answerNow();
  await server.waitFor(() => server.reads === 2);
  server.write("Done.");
  server.finish();
  expect(await ended).toBe("done");
  expect(JSON.parse(server.bodies[1] ?? "")).toMatchObject({ chat_template_kwargs: { enable_thinking: false } });
});

test.each([false, true])(
  "the report about the context has the server's count unless its model sleeps (%s)",
  async (isSleeping) => {
    const { server, session } = await startBench({ isSleeping });
    const report = await session.context(neverAborted);
    const counts = server.requests.filter((one) => one.endsWith("/input_tokens"));
    expect(counts).toHaveLength(isSleeping ? 0 : 1);
    expect(report.ok && report.value.isCounted).toBe(isSleeping ? undefined : true);
    if (!isSleeping) expect(report.ok && report.value.total).toBe(4_000);
  },
);

test("a server without such answers is not asked for one", async () => {
  const bench = await startBench({ holds: false });
  const { server, session } = bench;
  await beginAnswer(bench);
  await session.abort();
  await server.waitFor(() => server.requests.at(-1) === "POST /v1/chat/completions");
  const next = killAndStart(bench);
  expect(next.view.run).toBeNull();
  expect(server.requests.filter((one) => one.includes("/v1/stream")).sort()).toEqual(["POST /v1/streams/lookup"]);
});
