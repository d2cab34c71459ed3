/** Tests of importing configuration through the commands, over a real store and key file. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings/settings";
import { makeConfigFile } from "@/server/config/config-file";
import { makeModelRig } from "@/server/models/integration/test-model-rig";
import { makeTourConnection } from "@/server/tour/tour-connection";
import { configHandlers } from "./config-handlers";

const secret = "sk-import-0123456789abcdef";
const golem = JSON.stringify({
  agents: { defaults: { maxToolIterations: 20 } },
  providers: { deepseek: { apiKey: secret } },
});

test("a preview changes nothing, the import stores settings and keys, and no response contains a key", async () => {
  const rig = await makeModelRig({ models: ["m1"] });
  const { access, store, sandbox } = rig;
  const home = await mkdtemp(join(tmpdir(), "gopi-import-"));
  const config = makeConfigFile({
    home,
    store: store.settings,
    changed: () => {},
    checked: () => {},
    log: () => {},
    sandbox: sandbox.state,
  });
  const table = configHandlers({ ...rig, config, sandbox, environment: { NODE_ENV: "test", HOME: home } });

  const preview = await table["config.import_preview"]({ text: golem });
  expect(preview).toMatchObject({ ok: true, value: { formats: ["golem"], settings: { maxSteps: 20 } } });
  expect(JSON.stringify(preview)).not.toContain(secret);
  expect(store.settings.read().maxSteps).toBe(50);
  expect(access.connections.list()).toEqual([]);

  const imported = await table["config.import"]({ text: golem });
  expect(JSON.stringify(imported)).not.toContain(secret);
  expect(store.settings.read().maxSteps).toBe(20);
  expect(access.connections.list()).toMatchObject([{ name: "deepseek", preset: "deepseek", key: { from: "file" } }]);

  const exported = await table["config.export"]();
  expect(exported.value.text).not.toContain(secret);
  const renamed = exported.value.text.replace("name: deepseek", "name: other");
  expect(await table["config.import_preview"]({ text: renamed })).toMatchObject({
    value: { formats: ["gopi-web"], connections: [{ name: "other", hasKey: false }] },
  });
  const options = "connections: []\nmodels:\n  qwen3*:\n    context_window: 8192\n";
  const models = [{ name: "qwen3*", settings: { numCtx: 8_192 } }];
  expect(await table["config.import_preview"]({ text: options })).toMatchObject({ value: { models } });
  expect(store.modelSettings.read()).toEqual([]);
  expect(await table["config.import"]({ text: options })).toMatchObject({ value: { models } });
  expect(store.modelSettings.read()).toEqual(models);
  // Nothing is left to change.
  expect(await table["config.import_preview"]({ text: options })).toMatchObject({ value: { models: [] } });
  const whole = await table["config.export"]();
  expect(whole).toMatchObject({ ok: true, value: { text: expect.stringContaining("context_window: 8192") } });
  expect(whole).toMatchObject({ ok: true, value: { text: expect.stringContaining("max_steps: 20") } });
  for (const text of ["", "hello", "{}", "tools:\n"])
    expect(await table["config.import_preview"]({ text })).toMatchObject({ error: { code: "bad_import" } });
  const before = access.connections.list();
  const half = JSON.stringify({ providers: { openrouter: { apiKey: secret }, qwen: { apiKey: "two words" } } });
  expect(await table["config.import"]({ text: half })).toMatchObject({
    ok: false,
    error: { code: "bad_input" },
  });
  expect(await table["config.find_imports"]()).toEqual({ ok: true, value: { files: [] } });
  await mkdir(join(home, ".golem"));
  await writeFile(join(home, ".golem/config.json"), golem);
  expect(await table["config.find_imports"]()).toEqual({
    ok: true,
    value: { files: [{ file: "golem", path: "~/.golem/config.json" }] },
  });
  expect(await table["config.import_preview"]({ file: "golem" })).toEqual(preview);
  expect(await table["config.import_preview"]({ file: "kore" })).toMatchObject({
    error: { code: "not_found" },
  });
  await writeFile(join(home, "config.yaml"), "tools: [\n");
  expect(await table["config.import"]({ text: golem })).toMatchObject({ error: { code: "config_invalid" } });
  expect(access.connections.list()).toEqual(before);
  await rm(home, { recursive: true });
});

test("an export has the connections of the user only, and adds none where it comes from", async () => {
  const rig = await makeModelRig(
    { models: ["m1"] },
    { environment: () => ({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }) },
  );
  const { connections } = rig.access;
  connections.save({
    name: "Own",
    preset: "custom",
    baseUrl: "http://127.0.0.1:2/v1",
    model: "m",
    numCtx: 9_000,
    temperature: 0,
  });
  connections.attach(makeTourConnection());
  expect(connections.list()).toHaveLength(3);
  const { value } = await configHandlers(rig)["config.export"]();
  expect([...value.text.matchAll(/base_url: (.*)/g)].map(([, address]) => address)).toEqual(["http://127.0.0.1:2/v1"]);
  expect(await configHandlers(rig)["config.import_preview"](value)).toMatchObject({ value: { connections: [] } });
});

test("an import leaves the sandbox as it is where none works, reports that, and imports the rest", async () => {
  const rig = await makeModelRig({ models: ["m1"] });
  const { store } = rig;
  const home = await mkdtemp(join(tmpdir(), "gopi-import-"));
  const none = { program: null, works: false, why: "not_installed" } as const;
  const sandbox = { ...rig.sandbox, state: () => Promise.resolve(none) };
  const seams = { changed: () => {}, checked: () => {}, log: () => {} };
  const config = makeConfigFile({ home, store: store.settings, sandbox: sandbox.state, ...seams });
  const table = configHandlers({ ...rig, config, sandbox, environment: { NODE_ENV: "test", HOME: home } });
  const text = "security:\n  sandbox: true\nagent:\n  max_steps: 20\n";
  const found = { formats: ["gopi-web"], settings: { maxSteps: 20 }, noSandbox: true };
  expect(await table["config.import_preview"]({ text })).toMatchObject({ ok: true, value: found });
  expect(await table["config.import"]({ text })).toMatchObject({ ok: true, value: found });
  expect(store.settings.read()).toMatchObject({ sandbox: settingsDefaults.sandbox, maxSteps: 20 });
  await rm(home, { recursive: true });
});
