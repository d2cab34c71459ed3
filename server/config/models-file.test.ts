/** Tests of models.yaml and the stored settings of models over a real store and a real folder. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ConfigProblem } from "@/lib/settings/config-keys";
import { modelSettingsFor } from "@/lib/settings/model-settings";
import { openStore, type Store } from "@/server/store/open-store";
import { makeModelsFile, type ModelsFile } from "./models-file";

let home: string;
let store: Store;
let services: ModelsFile[];
let logged: string[];
let reports: (readonly ConfigProblem[])[];
let waiting: (() => void)[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gopi-models-"));
  const opened = openStore({ home, now: () => 1 });
  if (!opened.ok) throw new Error(opened.error.code);
  store = opened.value;
  [services, logged, reports, waiting] = [[], [], [], []];
});

afterEach(() => {
  for (const service of services) service.close();
  store.close();
  rmSync(home, { recursive: true, force: true });
});

const path = (): string => join(home, "models.yaml");
const text = (): string => readFileSync(path(), "utf8");
const edit = (content: string): void => writeFileSync(path(), content);
const inForce = (model = "m:1b") => modelSettingsFor(store.modelSettings.read(), model);
/** Resolves with the next report about the file. */
const report = () => new Promise<void>((resolve) => waiting.push(resolve));

async function started(): Promise<ModelsFile> {
  const service = makeModelsFile({
    home,
    store: store.modelSettings,
    changed: () => {},
    checked: (problems) => {
      reports.push(problems);
      for (const notify of waiting.splice(0)) notify();
    },
    log: (line) => void logged.push(line),
  });
  services.push(service);
  await service.start();
  return service;
}

describe("the file", () => {
  test("is read at the start and not created without need", async () => {
    await started();
    expect(existsSync(path())).toBe(false);
    edit("m:1b:\n  temperature: 0.5\n");
    await started();
    expect(inForce()).toEqual({ temperature: 0.5 });
  });

  test("takes effect as soon as it changes, and its removal resets everything", async () => {
    edit("m:1b:\n  temperature: 0.5\n");
    await started();
    const changed = report();
    edit('"m*":\n  think: false\n');
    await changed;
    expect(inForce()).toEqual({ think: false });
    const removed = report();
    rmSync(path());
    await removed;
    expect(inForce()).toEqual({});
  });

  test("keeps a value whose line is invalid, and all values when the file cannot be parsed, also at the next start", async () => {
    edit("m:1b:\n  temperature: 0.5\n  think: true\n");
    (await started()).close();
    edit("m:1b:\n  temperature: 9\n  think: false\n");
    (await started()).close();
    expect(inForce()).toEqual({ temperature: 0.5, think: false });
    expect(logged).toEqual([
      `${path()}:2: temperature must be a number from 0 to 2, or auto. The value before stays in force.`,
    ]);
    const broken = "m:1b: {\n";
    edit(broken);
    (await started()).close();
    await started();
    expect(inForce()).toEqual({ temperature: 0.5, think: false });
    expect(reports.at(-1)?.[0]?.code).toBe("bad_syntax");
    expect(text()).toBe(broken);
  });

  test("is reported again when a broken text is undone, and when a folder in its place is removed", async () => {
    const good = "m:1b:\n  temperature: 0.5\n";
    edit(good);
    await started();
    const broken = report();
    edit("m:1b: {\n");
    await broken;
    expect(reports.at(-1)).toMatchObject([{ code: "bad_syntax" }]);
    const undone = report();
    edit(good);
    await undone;
    expect(reports.at(-1)).toEqual([]);
    rmSync(path());
    mkdirSync(path());
    await expect.poll(() => logged.at(-1)).toContain("could not be read");
    const restored = report();
    rmSync(path(), { recursive: true });
    edit(good);
    await restored;
    expect(reports.at(-1)).toEqual([]);
    expect(inForce()).toEqual({ temperature: 0.5 });
  });

  test("that is a folder is logged, and the start succeeds", async () => {
    mkdirSync(path());
    await started();
    expect(logged.join("\n")).toContain("models.yaml could not be read");
    expect(inForce()).toEqual({});
  });
});

describe("a change of a page", () => {
  test("is written into the file with its comments preserved, and only the owner may read it", async () => {
    edit("# mine\nm:1b:\n  temperature: 0.5 # calm\n");
    const service = await started();
    expect(await service.write("m:1b", { numCtx: 8_192 })).toEqual({ ok: true, value: null });
    expect(text()).toBe("# mine\nm:1b:\n  temperature: 0.5 # calm\n  context_window: 8192\n");
    expect(statSync(path()).mode & 0o077).toBe(0);
    expect(inForce()).toEqual({ temperature: 0.5, numCtx: 8_192 });
    await service.write("m:1b", { temperature: "auto" });
    expect(text()).toBe("# mine\nm:1b:\n  context_window: 8192\n");
  });

  test("creates the file, and reading it again changes nothing", async () => {
    const service = await started();
    await service.write("m:1b", { keepAliveMinutes: 60 });
    expect(text()).toMatch(/^# .*\n\n?m:1b:\n {2}keep_alive: 60m\n$/);
    service.close();
    await started();
    expect(inForce()).toEqual({ keepAliveMinutes: 60 });
  });

  test("is refused while the file is broken, with its position", async () => {
    const service = await started();
    edit("m:1b: {\n");
    const refused = { ok: false, error: { code: "models_invalid", facts: { path: path(), line: 2 } } };
    expect(await service.ready()).toMatchObject(refused);
    expect(await service.write("m:1b", { think: true })).toMatchObject(refused);
    expect(text()).toBe("m:1b: {\n");
    expect(inForce()).toEqual({});
  });

  test("applies to the current file: two changes at once are both kept", async () => {
    const service = await started();
    edit("m:1b:\n  temperature: 0.5\n");
    await Promise.all([service.write("m:1b", { think: true }), service.write("n", { numCtx: 4_096 })]);
    expect(inForce()).toEqual({ temperature: 0.5, think: true });
    expect(inForce("n")).toEqual({ numCtx: 4_096 });
  });

  test("of the whole text is saved only when it is valid and the file is still the edited one", async () => {
    const service = await started();
    const good = "m:1b:\n  think: true\n";
    expect(await service.writeText(good, "")).toMatchObject({ value: { saved: true } });
    const bad = await service.writeText("m:1b:\n  think: 5\n", good);
    expect(bad).toMatchObject({ value: { saved: false, file: { problems: [{ line: 2, key: "think" }] } } });
    expect(text()).toBe(good);
    edit(`${good}# by hand\n`);
    expect(await service.writeText("", good)).toMatchObject({ error: { code: "changed_meanwhile" } });
    expect(inForce()).toEqual({ think: true });
  });
});
