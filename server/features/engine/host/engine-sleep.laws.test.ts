/** The engine releases its memory when it is idle, and loads the model again with the next request. */
import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { findLlamaServer } from "@/e2e/fixtures/find-llama-server";
import type { EngineProcess } from "./engine-process";
import { makeLongRequest, makeTinyEngine, readEngineAnswer } from "./test-tiny-engine";

const found = await findLlamaServer();
const title = found.program === null ? `the idle engine (skipped: ${found.why})` : "the idle engine";
const timeout = 120_000;

const isSleeping = async ({ baseUrl, key }: EngineProcess): Promise<boolean> => {
  const response = await fetch(baseUrl.replace(/v1$/, "props"), { headers: { authorization: `Bearer ${key}` } });
  const props: { readonly is_sleeping?: boolean } = JSON.parse(await response.text());
  return props.is_sleeping === true;
};

async function makeSleepingEngine() {
  const engine = makeTinyEngine({
    program: found.program ?? "",
    leftovers: { record: () => () => {} },
    idleMinutes: 0,
  });
  onTestFinished(() => engine.close());
  const started = await engine.host.ensure(engine.load(), new AbortController().signal);
  if (!started.ok) throw new Error(started.error.code);
  await expect.poll(() => isSleeping(started.value)).toBe(true);
  return engine;
}

describe.skipIf(found.program === null)(title, () => {
  test("answers the next request", { timeout }, async () => {
    const { provider, host } = await makeSleepingEngine();
    expect(await readEngineAnswer(provider, makeLongRequest(1))).toMatchObject({ type: "finish" });
    expect(host.run().status).toBe("ready");
  });

  test.each([
    ["damaged", (file: string) => writeFileSync(file, "no model"), "model_file_broken"],
    ["deleted", (file: string) => rmSync(file), "model_missing"],
  ] as const)("reports a file that was %s meanwhile", { timeout }, async (_name, change, code) => {
    const { provider, host, load } = await makeSleepingEngine();
    change(load().file);
    // The process ends by itself then; the agent requests once more.
    expect(await readEngineAnswer(provider, makeLongRequest(1))).toMatchObject({ type: "failed", retryable: true });
    expect(await readEngineAnswer(provider, makeLongRequest(1))).toMatchObject({
      type: "failed",
      error: { code },
      retryable: false,
    });
    expect(host.run()).toMatchObject({ status: "failed", error: { code } });
  });
});
