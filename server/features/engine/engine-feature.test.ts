import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { engineConnectionId } from "@/lib/models/engine";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { engineFeature } from "./engine-feature";

/** The feature of a home that has one model. */
async function makeFeature() {
  const { access, home, leftovers, settings } = await makeModelRig();
  const file = join(home, "tiny.gguf");
  writeTinyModel(file, { answers: [] });
  mkdirSync(join(home, "engine"));
  writeFileSync(join(home, "engine", "models.json"), JSON.stringify({ models: [{ name: "tiny", file }] }));
  const environment: NodeJS.ProcessEnv = { NODE_ENV: "test", PATH: "/nowhere", HOME: home };
  const options = { access, environment, home, leftovers, push() {}, settings: () => settings.current };
  return { ...engineFeature(options), access, home };
}

test("a client that waits for the engine gets its connection, also right after the start", async () => {
  const { commands, start, access } = await makeFeature();
  const stop = new AbortController();
  const running = start(stop.signal);
  expect(access.connections.list()).toEqual([]);
  expect(await commands["engine.ready"]()).toEqual({ ok: true, value: {} });
  expect(access.connections.list().map(({ id }) => id)).toEqual([engineConnectionId]);
  stop.abort();
  await running;
});

test("what a process that was killed had unpacked is deleted", async () => {
  const { start, home } = await makeFeature();
  const unpacked = join(home, "engine", "program.new");
  const others = ["program/llama-server", "downloads/llama.tar.gz.part"].map((path) => join(home, "engine", path));
  for (const file of [...others, join(unpacked, "0", "llama-b1", "llama-server")]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
  }
  const stop = new AbortController();
  const running = start(stop.signal);
  stop.abort();
  await running;
  expect(existsSync(unpacked)).toBe(false);
  expect(others.map(existsSync)).toEqual([true, true]);
});
