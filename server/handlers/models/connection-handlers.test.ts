import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Settings } from "@/lib/settings/settings";
import { makeConfigFile } from "@/server/config/config-file";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { connectionHandlers } from "./connection-handlers";

const key = "sk-handler-0123456789abcdefghij";

test("connections are saved, listed with their models' notes, and removed with all references to them", async () => {
  const rig = await makeModelRig({ models: ["m1"], key });
  const { store, model, sandbox } = rig;
  const written: Settings[] = [];
  const home = await mkdtemp(join(tmpdir(), "gopi-connections-"));
  const config = makeConfigFile({
    home,
    store: store.settings,
    changed: (settings) => void written.push(settings),
    checked: () => {},
    log: () => {},
    sandbox: sandbox.state,
  });
  const { models } = rig.access;
  const table = connectionHandlers({ ...rig, config });
  const baseUrl = `${model.url}/v1/chat/completions`;
  const saved = await table["connections.save"]({
    name: "Cellar",
    preset: "custom",
    baseUrl,
    model: "m1",
    numCtx: 0,
    key,
  });
  const connection = {
    id: "cellar",
    name: "Cellar",
    preset: "custom",
    baseUrl: `${model.url}/v1`,
    model: "m1",
    numCtx: 0,
    key: { from: "file" },
    local: true,
  };
  expect(saved).toEqual({ ok: true, value: connection });
  const listed = await table["connections.list"]();
  expect(listed).toMatchObject({ value: { connections: [connection] } });
  const { presets } = listed.value;
  expect(presets.map(({ id }) => id)).toContain("openrouter");
  expect(presets.every((preset) => !("quirks" in preset))).toBe(true);

  models.known.saveToolMode({ provider: "cellar", name: "m1" }, "react");
  expect(await table["connections.models"]({ id: "cellar" })).toMatchObject({
    value: { models: [{ name: "m1", cloud: false, note: { toolMode: { mode: "react" } } }] },
  });
  expect(await table["connections.test"]({ id: "cellar" })).toMatchObject({
    value: {
      steps: [{ step: "reach", ok: true }, { step: "key" }, { step: "model" }, { step: "answer" }, { step: "tools" }],
    },
  });

  store.settings.write({ connection: "cellar" });
  expect(await table["connections.remove"]({ id: "cellar" })).toEqual({ ok: true, value: null });
  expect(store.settings.read().connection).toBe("");
  expect(written).toEqual([store.settings.read()]);
  await rm(home, { recursive: true });
  for (const name of ["connections.remove", "connections.models", "connections.test"] as const)
    expect(await table[name]({ id: "cellar" })).toEqual({ ok: false, error: { code: "not_found" } });
});
