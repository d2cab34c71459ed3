/** Tests of config.yaml and the stored settings over a real store and a real folder. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ConfigProblem } from "@/lib/settings/config-keys";
import type { SandboxState } from "@/lib/permissions/guard";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { openStore, type Store } from "@/server/store/open-store";
import { type ConfigService, makeConfigFile } from "./config-file";

let home: string;
let store: Store;
let changes: Settings[];
let reports: (readonly ConfigProblem[])[];
let logged: string[];
let services: ConfigService[];
let sandboxState: SandboxState;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gopi-config-"));
  const opened = openStore({ home, now: () => 1 });
  if (!opened.ok) throw new Error(opened.error.code);
  store = opened.value;
  sandboxState = { program: null, works: false, why: "not_installed" };
  [changes, reports, logged, services] = [[], [], [], []];
});

afterEach(() => {
  for (const service of services) service.close();
  store.close();
  rmSync(home, { recursive: true, force: true });
});

const path = (): string => join(home, "config.yaml");
const text = (): string => readFileSync(path(), "utf8");
const edit = (content: string): void => writeFileSync(path(), content);
const settings = (): Settings => store.settings.read();

async function started(): Promise<ConfigService> {
  const service = makeConfigFile({
    home,
    store: store.settings,
    changed: (next) => void changes.push(next),
    checked: (problems) => void reports.push(problems),
    log: (line) => void logged.push(line),
    sandbox: () => Promise.resolve(sandboxState),
  });
  services.push(service);
  await service.start();
  return service;
}

/** Resolves when `look` is true. The service polls the file, so there is no event to wait for. */
const until = (check: () => boolean) => expect.poll(check, { interval: 20 }).toBe(true);

describe("the file at the start", () => {
  test("no file: the stored settings stay, and no file appears", async () => {
    store.settings.write({ model: "kept" });
    await started();
    expect(settings().model).toBe("kept");
    expect(existsSync(path())).toBe(false);
  });

  test("the first file is merged over the stored settings, and the other settings are written into it", async () => {
    store.settings.write({ model: "kept", theme: "dark" });
    edit("# mine\ntools:\n  read_max_lines: 100\n");
    await started();
    expect(settings()).toEqual({ ...settingsDefaults, model: "kept", theme: "dark", readLines: 100 });
    expect(text()).toContain("# mine");
    expect(text()).toMatch(/model: kept[\s\S]*theme: dark|theme: dark[\s\S]*model: kept/);
  });

  test("the first file keeps what cannot be used, as it is written", async () => {
    store.settings.write({ model: "kept" });
    edit("tools:\n  read_max_lines: many # soon\n");
    await started();
    expect(settings()).toEqual({ ...settingsDefaults, model: "kept" });
    expect(text()).toContain("read_max_lines: many # soon");
    expect(text()).toContain("model: kept");
  });

  test("afterwards the file wins: a setting removed from it returns to its default", async () => {
    edit("tools:\n  read_max_lines: 100\n  grep_max_matches: 10\n");
    (await started()).close();
    edit("tools:\n  grep_max_matches: 10\n");
    await started();
    expect(settings()).toEqual({ ...settingsDefaults, grepMatches: 10 });
    rmSync(path());
    await started();
    expect(settings()).toEqual(settingsDefaults);
  });

  test("a bad value keeps the previous value, bad syntax keeps all of them; both report file and line", async () => {
    edit("tools:\n  read_max_lines: 100\ntui:\n  theme: dark\n");
    (await started()).close();
    edit("tools:\n  read_max_lines: many\ntui:\n  theme: light\n");
    (await started()).close();
    expect(settings()).toMatchObject({ readLines: 100, theme: "light" });
    expect(logged.at(-1)).toContain(`${path()}:2: tools.read_max_lines must be`);
    expect(reports.at(-1)).toMatchObject([{ code: "bad_value", line: 2 }]);
    edit("tools:\n  read_max_lines: 50\n tui: [\n");
    await started();
    expect(settings()).toMatchObject({ readLines: 100, theme: "light" });
    expect(reports.at(-1)?.[0]).toMatchObject({ code: "bad_syntax" });
    expect(text()).toContain("tui: [");
  });

  test("a folder at the file's path is logged, and the start succeeds", async () => {
    rmSync(path(), { force: true });
    const { mkdirSync } = await import("node:fs");
    mkdirSync(path());
    await started();
    expect(logged.join("\n")).toContain("config.yaml could not be read");
    expect(settings()).toEqual(settingsDefaults);
  });
});

describe("changes", () => {
  test("of the page are written into the file, which only the owner may read", async () => {
    const service = await started();
    expect(await service.write({ bashTimeoutSeconds: 45 })).toMatchObject({ ok: true });
    expect(text()).toContain("bash_timeout: 45s");
    expect(statSync(path()).mode & 0o077).toBe(0);
    expect(changes).toHaveLength(1);
    await service.write({ bashTimeoutSeconds: 30 });
    expect(text()).not.toContain("bash_timeout");
    expect(text()).toMatch(/^# /);
    (await started()).close();
    expect(settings()).toEqual(settingsDefaults);
  });

  test("of the page are refused while the file has bad syntax: the user's text is never overwritten", async () => {
    const service = await started();
    edit("tools: [\n");
    const answer = await service.write({ theme: "dark" });
    expect(answer).toMatchObject({ ok: false, error: { code: "config_invalid", facts: { path: path() } } });
    expect(text()).toBe("tools: [\n");
    expect(settings().theme).toBe("system");
  });

  test("of the file take effect at once, and clients receive the new settings", async () => {
    await started();
    edit("tools:\n  bash_timeout: 90s\n");
    await until(() => changes.length === 1);
    expect(changes[0]?.bashTimeoutSeconds).toBe(90);
    edit("tools:\n  bash_timeout: 80s\n");
    await until(() => changes.length === 2);
    expect(settings().bashTimeoutSeconds).toBe(80);
  });

  test("of both at once are merged: the page's change applies to the current file", async () => {
    const service = await started();
    edit("tools:\n  read_max_lines: 100\n");
    await Promise.all([service.write({ theme: "dark" }), service.write({ grepMatches: 9 })]);
    expect(settings()).toMatchObject({ readLines: 100, theme: "dark", grepMatches: 9 });
    for (const line of ["read_max_lines: 100", "theme: dark", "grep_max_matches: 9"]) expect(text()).toContain(line);
  });
});

describe("the whole text", () => {
  test("is saved when it is valid, and not when it is invalid or the file changed meanwhile", async () => {
    const service = await started();
    const good = "tools:\n  read_max_lines: 100\n";
    expect(await service.writeText(good, "")).toMatchObject({ ok: true, value: { saved: true } });
    expect(settings().readLines).toBe(100);
    const bad = await service.writeText("tools:\n  read_max_lines: x\n", good);
    expect(bad).toMatchObject({ ok: true, value: { saved: false, file: { problems: [{ line: 2 }] } } });
    expect(text()).toBe(good);
    edit(`${good}# by hand\n`);
    expect(await service.writeText("", good)).toMatchObject({ ok: false, error: { code: "changed_meanwhile" } });
    expect(await service.file()).toMatchObject({
      ok: true,
      value: { path: path(), text: `${good}# by hand\n`, problems: [] },
    });
  });
});

describe("the sandbox on a machine that has none", () => {
  const on = "security:\n  sandbox: true\n";
  const problem = { code: "no_sandbox", key: "security.sandbox", line: 2 };

  test("is refused from the page, from a saved text, and from the file", async () => {
    const service = await started();
    expect(await service.write({ sandbox: "always" })).toMatchObject({ ok: false, error: { code: "no_sandbox" } });
    expect(await service.writeText(on, "")).toMatchObject({
      ok: true,
      value: { saved: false, file: { problems: [problem] } },
    });
    expect(existsSync(path())).toBe(false);
    edit(`${on}tools:\n  read_max_lines: 100\n`);
    await until(() => reports.length === 1);
    expect(reports[0]).toMatchObject([problem]);
    expect(logged.at(-1)).toContain(":2: security.sandbox has no effect");
    expect(settings()).toMatchObject({ sandbox: settingsDefaults.sandbox, readLines: 100 });
    expect(text()).toContain("sandbox: true");
    expect(await service.file()).toMatchObject({ value: { problems: [problem] } });
  });

  test("is turned on at the next start once it works, whatever else changed before", async () => {
    const service = await started();
    edit(on);
    await service.write({ theme: "dark" });
    expect(text()).toContain("sandbox: true");
    service.close();
    await started();
    expect(settings().sandbox).toBe(settingsDefaults.sandbox);
    sandboxState = { program: "bubblewrap", works: true };
    await started();
    expect(settings()).toMatchObject({ sandbox: "always", theme: "dark" });
  });

  test("stays on when it stops working: each command then asks", async () => {
    sandboxState = { program: "bubblewrap", works: true };
    const service = await started();
    expect(await service.write({ sandbox: "always" })).toMatchObject({ ok: true });
    sandboxState = { program: "bubblewrap", works: false, why: "no user namespaces" };
    expect(await service.writeText(`${text()}tools:\n  read_max_lines: 100\n`, text())).toMatchObject({
      value: { saved: true },
    });
    expect(settings()).toMatchObject({ sandbox: "always", readLines: 100 });
  });
});
