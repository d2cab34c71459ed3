/**
 * Synchronizes the settings with `config.yaml` in the home folder. The file wins: it is read at the start and whenever
 * it changes on disk, and changes from the settings page are written into it with its comments preserved. Without a
 * file the stored settings apply; the first change writes one.
 */
import { join } from "node:path";
import {
  type ConfigFile,
  type ConfigProblem,
  formatConfigProblem,
  isSettingName,
  settingOfKey,
} from "@/lib/settings/config-keys";
import { fail, ok, type Result } from "@/lib/events/error";
import type { SandboxState } from "@/lib/permissions/guard";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import type { SettingsStore } from "@/server/store/settings";
import { type HomeFile, makeHomeFile, type SaveTextResult } from "./home-file";

export interface ConfigService {
  /** Applies the file unless it is the last one applied, then watches it. A file that cannot be read is logged. */
  start(): Promise<void>;
  /** Absolute. */
  readonly path: string;
  file(): Promise<Result<ConfigFile>>;
  /**
   * Stores the settings and writes them into the file. Fails with bad_input, config_invalid, no_sandbox. Throws the
   * store's errors.
   */
  write(patch: Partial<Settings>): Promise<Result<Settings>>;
  /** Replaces the whole text if it is still `before`. Fails with changed_meanwhile, no_permission, disk_full. */
  writeText(text: string, before: string): Promise<Result<SaveTextResult>>;
  close(): void;
}

interface ConfigOptions {
  readonly home: string;
  readonly store: SettingsStore;
  /** Called when the effective settings have changed. */
  changed(settings: Settings, before: Settings): void;
  /** Called after the file was read or written. */
  checked(problems: readonly ConfigProblem[]): void;
  log(line: string): void;
  /** Tests the sandbox of this machine. */
  sandbox(): Promise<SandboxState>;
}

const newConfigText = `# Settings of gopi-web. Every key is described on the settings page; what is not named here has its default.
`;

const loadYaml = () => import("./config-yaml");

export function makeConfigFile(options: ConfigOptions): ConfigService {
  const { home, store, changed, checked, log, sandbox } = options;
  const path = join(home, "config.yaml");

  const note = (text: string, isWhole: boolean): void => {
    const hash = file.recordApplied(text);
    store.setFileHash(isWhole ? hash : `${hash} ${sandboxPendingSuffix}`);
  };

  async function check(text: string): Promise<readonly ConfigProblem[]> {
    const { parseConfig, sandboxProblem } = await loadYaml();
    const { settings, problems } = parseConfig(text);
    const sandboxError = await whySandboxUnavailable(settings, store.read(), sandbox);
    const problem = sandboxError === null ? null : sandboxProblem(text, sandboxError);
    return problem === null ? problems : [...problems, problem];
  }

  /**
   * Applies the file's values over the defaults, or, the first time, over the settings stored before the file existed.
   */
  async function apply(text: string): Promise<void> {
    const { parseConfig, editConfig } = await loadYaml();
    const storedHash = store.fileHash();
    const { settings } = parseConfig(text);
    const problems = await check(text);
    for (const problem of problems) log(`${path}:${problem.line}: ${formatConfigProblem(problem)}`);
    checked(problems);
    const before = store.read();
    if (problems.some(isUnusable)) return;
    const unread = currentValuesOfBadKeys(problems, before);
    const next = { ...(storedHash === null ? before : settingsDefaults), ...settings, ...unread };
    if (!isEqual(next, before)) changed(store.replace(next), before);
    // A setting that cannot be used stays as it is written.
    const written = Object.fromEntries(Object.entries(next).filter(([name]) => !Object.hasOwn(unread, name)));
    const complete = (storedHash === null ? editConfig(text, { ...written, ...settings }) : null) ?? text;
    const isWritten = complete === text || file.save(complete);
    // The sandbox may be installed later, so the file is applied again at the next start.
    note(isWritten ? complete : text, !problems.some(({ code }) => code === "no_sandbox"));
  }

  const file: HomeFile = makeHomeFile({ path, storedHash: store.fileHash, apply, check, checked, log });
  return {
    ...file,
    write: (patch) =>
      file.withCurrentText(async (text) => {
        const { editConfig, parseConfig } = await loadYaml();
        const before = store.read();
        const problem = await whySandboxUnavailable(patch, before, sandbox);
        if (problem !== null) return fail("no_sandbox", problem);
        const edited = text === "" ? editConfig(newConfigText, { ...before, ...patch }) : editConfig(text, patch);
        if (edited === null)
          return fail("config_invalid", undefined, { path, line: parseConfig(text).problems[0]?.line ?? 0 });
        const settings = store.write(patch);
        if (file.save(edited)) note(edited, store.fileHash()?.endsWith(sandboxPendingSuffix) !== true);
        if (!isEqual(settings, before)) changed(settings, before);
        return ok(settings);
      }),
  };
}

/** True when no value of the text can be used. */
export const isUnusable = ({ code }: ConfigProblem): boolean => code === "bad_syntax" || code === "too_large";

const isEqual = (one: Settings, other: Settings): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Suffix of the stored hash of a file that was applied except for its sandbox setting. */
const sandboxPendingSuffix = "without its sandbox";

/**
 * Why these settings cannot turn the sandbox on; null = they do not turn it on, it works, or it is on already (each
 * command then asks).
 */
async function whySandboxUnavailable(
  settings: Partial<Settings>,
  before: Settings,
  tried: ConfigOptions["sandbox"],
): Promise<string | null> {
  if (settings.sandbox !== "always" || before.sandbox === "always") return null;
  const { works, why } = await tried();
  return works ? null : (why ?? "");
}

/** Current values of the settings whose value in the file is invalid. */
function currentValuesOfBadKeys(problems: readonly ConfigProblem[], before: Settings): Partial<Settings> {
  const bad = new Set(
    problems.flatMap(({ code, key }) =>
      (code === "bad_value" || code === "no_sandbox") && key !== undefined ? [settingOfKey(key)] : [],
    ),
  );
  return Object.fromEntries(Object.entries(before).filter(([name]) => isSettingName(name) && bad.has(name)));
}
