import { expect, onTestFinished, test } from "vitest";
import { startScriptedModel } from "@/e2e/fixtures/scripted-model.mjs";
import { makeOllama } from "./ollama";
import type { ModelPart, ModelRequest } from "../provider";
import { collect } from "../provider.contract";

const request: ModelRequest = {
  provider: "ollama",
  model: "scripted:latest",
  messages: [{ role: "user", text: "hi" }],
  tools: [],
  numCtx: 8192,
  think: false,
  keepAliveMinutes: 30,
  maxOutputTokens: 512,
};

/** A server whose first answer ends in an error of its parser, and whose later ones have no head until they are released. */
async function startHanging(version: string) {
  const silent = { text: "Late.", holdAfter: 0 };
  const broken = { text: "One moment.", errorAfter: 1, error: "error parsing tool call: raw='{', err=unexpected end" };
  const model = await startScriptedModel({ version, turns: [broken, silent, silent] });
  onTestFinished(model.close);
  const ollama = makeOllama({ host: () => model.url, stallMs: 40 });
  const ask = async (): Promise<ModelPart | undefined> =>
    (await collect(ollama.stream(request, new AbortController().signal))).at(-1);
  return { model, ask };
}

test("a server that hangs after an error of its parser is named the second time, with the version that cures it", async () => {
  const { ask } = await startHanging("0.32.10");
  expect(await ask()).toMatchObject({ type: "failed", error: { code: "unparsed_answer" } });
  const first = await ask();
  expect(first).toMatchObject({ type: "failed", error: { code: "stalled" }, retryable: true });
  expect(first).not.toHaveProperty("error.facts.cure");
  expect(await ask()).toMatchObject({
    type: "failed",
    error: { code: "stalled", facts: { cure: "0.32.15" } },
    retryable: false,
  });
  // Restarted, it answers.
  expect(await ask()).toMatchObject({ type: "finish" });
});

test.each(["0.32.15", "0.32.1", "0.0.0"])(
  "version %s is waited for: it may be reading a long prompt",
  async (version) => {
    const { model, ask } = await startHanging(version);
    expect(await ask()).toMatchObject({ type: "failed", error: { code: "unparsed_answer" } });
    const answer = ask();
    await model.waitFor((requests) => requests.some(({ path }) => path === "/api/version"));
    model.release();
    expect(await answer).toMatchObject({ type: "finish" });
  },
);
