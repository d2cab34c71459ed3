import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { engineConnectionId } from "@/lib/models/engine";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { engineFeature } from "./engine-feature";

test("a client that waits for the engine gets its connection, also right after the start", async () => {
  const { access, home, leftovers, settings } = await makeModelRig();
  const file = join(home, "tiny.gguf");
  writeTinyModel(file, { answers: [] });
  mkdirSync(join(home, "engine"));
  writeFileSync(join(home, "engine", "models.json"), JSON.stringify({ models: [{ name: "tiny", file }] }));
  const environment: NodeJS.ProcessEnv = { NODE_ENV: "test", PATH: "/nowhere", HOME: home };
  const options = { access, environment, home, leftovers, push() {}, settings: () => settings.current };
  const { commands, start } = engineFeature(options);
  const stop = new AbortController();
  const running = start(stop.signal);
  expect(access.connections.list()).toEqual([]);
  expect(await commands["engine.ready"]()).toEqual({ ok: true, value: {} });
  expect(access.connections.list().map(({ id }) => id)).toEqual([engineConnectionId]);
  stop.abort();
  await running;
});
