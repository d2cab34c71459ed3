/** Removal of models and of the program: what all clients see, and what waits for it. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { engineConnectionId, type EngineState } from "@/lib/models/engine";
import type { ModelPart, ModelRequest } from "@/server/providers/provider";
import { makeEngineConnection } from "./engine-connection";
import { makeEngineHost } from "./host/engine-host";
import { makeEngineRig } from "./test-engine-rig";

/** An engine with the program that was fetched, and the states that were pushed. */
async function makeRig() {
  const made = await makeEngineRig("", { PATH: "/nowhere" });
  const { rig } = made;
  const program = join(rig.home, "engine", "program", "llama-server");
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, '#!/bin/sh\necho "version: 1 (abc)"\n', { mode: 0o755 });
  const states = (): readonly EngineState[] =>
    rig.pushes.flatMap((push) => (push.type === "engine" ? [push.state] : []));
  return { ...made, program, states };
}

test("a deletion of the program is reported to all clients", async () => {
  const { engine, program, states } = await makeRig();
  expect(await engine.state()).toMatchObject({ program: { path: program, isInstalled: true } });
  expect(await engine.uninstall()).toMatchObject({ ok: true, value: { program: null } });
  expect(states().at(-1)).toMatchObject({ program: null });
  expect(existsSync(program)).toBe(false);
});

test("a model whose files cannot be deleted is off the list, which all clients see", async () => {
  const { rig, engine, states } = await makeRig();
  const folder = join(rig.home, "engine", "models", "u--tiny-GGUF");
  mkdirSync(join(folder, "m-00002-of-00002.gguf"), { recursive: true });
  const file = join(folder, "m-00001-of-00002.gguf");
  writeTinyModel(file, { answers: [] });
  expect(await engine.add({ file, name: "m" })).toMatchObject({ ok: true, value: { models: [{ name: "m" }] } });
  expect(await engine.remove("m")).toMatchObject({ ok: false });
  expect(states().at(-1)?.models).toEqual([]);
});

test("a request that has waited for the program does not start a model that was removed meanwhile", async () => {
  const starts: string[] = [];
  const host = makeEngineHost({
    async start({ model }) {
      starts.push(model);
      return { ok: false, error: { code: "internal" } };
    },
    onChange() {},
  });
  let arrive = (_host: typeof host): void => {};
  const program = new Promise<typeof host>((resolve) => (arrive = resolve));
  let isListed = true;
  const { provider } = makeEngineConnection({
    host: () => program,
    models: () => [],
    reload: () => Promise.resolve(),
    loadFor: (model, window) => (isListed ? { model, file: "/m.gguf", window } : null),
    template: () => undefined,
    memoryBytes: 1,
  });
  const request: ModelRequest = {
    provider: engineConnectionId,
    model: "m",
    messages: [],
    tools: [],
    numCtx: 4_096,
    think: false,
    keepAliveMinutes: 5,
    maxOutputTokens: 100,
  };
  const parts: ModelPart[] = [];
  const answered = (async () => {
    for await (const part of provider.stream(request, new AbortController().signal)) parts.push(part);
  })();
  isListed = false;
  arrive(host);
  await answered;
  expect(parts).toMatchObject([{ type: "failed", error: { code: "model_missing", facts: { model: "m" } } }]);
  expect(starts).toEqual([]);
});
