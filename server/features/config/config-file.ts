/**
 * Keeps the settings and `config.yaml` in the home folder equal. The file wins: it is read at the start and whenever it changes on
 * disk, and what the settings page changes is written into it, comments kept. Without a file the stored settings are in force; the
 * first change writes one.
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ConfigFile, type ConfigProblem, configKeyText, isWarning } from "@/lib/config-keys";
import { fail, ok, type Result } from "@/lib/error";
import type { SandboxState } from "@/lib/guard";
import { type Settings, settingsDefaults } from "@/lib/settings";
import { makeMutex } from "@/server/base/mutex";
import { writePrivateFile } from "@/server/store/private-file";
import type { SettingsStore } from "@/server/store/settings";
import { asResult } from "@/server/workspace/file-errors";

/** How often the file's time and size are looked at, ms. */
const watchMs = 1_000;

export interface ConfigService {
  /** Applies the file if it is not the one applied last, and watches it from now on. A file that cannot be read is logged. */
  start(): Promise<void>;
  file(): Promise<Result<ConfigFile>>;
  /** Stores the settings and writes them into the file. Fails with bad_input, config_invalid, no_sandbox. Throws what the store throws. */
  write(patch: Partial<Settings>): Promise<Result<Settings>>;
  /** Saves a whole text. Fails with changed_meanwhile, no_permission, disk_full. */
  writeText(text: string, before: string): Promise<Result<{ readonly file: ConfigFile; readonly saved: boolean }>>;
  close(): void;
}

export interface ConfigOptions {
  readonly home: string;
  readonly store: SettingsStore;
  /** The settings in force are others now. */
  changed(settings: Settings, before: Settings): void;
  /** The file was read or written. */
  checked(problems: readonly ConfigProblem[]): void;
  log(line: string): void;
  /** Tries the sandbox of this machine. */
  sandbox(): Promise<SandboxState>;
}

const newFile = `# Settings of gopi-web. Every key is described on the settings page; what is not named here has its default.
`;

/** The file and the stored copy of its values. Calls must not overlap. */
interface Copy {
  readonly path: string;
  /** "" without a file. Throws system errors. */
  read(): string;
  /** Writes a text whose values are stored already. Throws system errors. */
  save(text: string): void;
  /** Stores what the file says if it is not the text applied last. */
  apply(): Promise<void>;
  /** What is wrong with a text that would be applied now. */
  check(text: string): Promise<readonly ConfigProblem[]>;
  /** The file was written since `apply` last looked. */
  isStale(): boolean;
}

/** Each step is short; none is given up in the middle. */
const unending = new AbortController().signal;

const loadYaml = () => import("./config-yaml");

function makeCopy({ home, store, changed, checked, log, sandbox }: ConfigOptions): Copy {
  const path = join(home, "config.yaml");
  const read = (): string => (signatureOf(path) === missing ? "" : readFileSync(path, "utf8"));
  let seen = missing;
  /** The hash of the text this process applied or wrote last. */
  let applied: string | null = null;

  function note(text: string, isWhole: boolean): void {
    applied = hashOf(text);
    store.setFileHash(isWhole ? applied : `${applied} ${againLater}`);
  }

  function save(text: string): void {
    writePrivateFile(path, text);
    note(text, store.fileHash()?.endsWith(againLater) !== true);
  }

  async function check(text: string): Promise<readonly ConfigProblem[]> {
    const { readConfig, sandboxProblem } = await loadYaml();
    const { settings, problems } = readConfig(text);
    const why = await noSandbox(settings, store.read(), sandbox);
    const problem = why === null ? null : sandboxProblem(text, why);
    return problem === null ? problems : [...problems, problem];
  }

  /** The file's values over the defaults, or, the first time, over what was stored before there was a file. */
  async function apply(): Promise<void> {
    // Taken before the file is read: a write in between is seen at the next look.
    seen = signatureOf(path);
    const text = read();
    const kept = store.fileHash();
    if ([kept ?? hashOf(""), applied].includes(hashOf(text))) return;
    const { readConfig, editConfig } = await loadYaml();
    const { settings } = readConfig(text);
    const problems = await check(text);
    for (const problem of problems) log(`${path}:${problem.line}: ${problemText(problem)}`);
    checked(problems);
    const before = store.read();
    if (problems.some(({ code }) => code === "bad_syntax" || code === "too_large")) return;
    const next = { ...(kept === null ? before : settingsDefaults), ...settings, ...stillInForce(problems, before) };
    if (!isEqual(next, before)) changed(store.replace(next), before);
    const complete = kept === null ? editConfig(text, { ...next, ...settings }) : text;
    if (complete !== null && complete !== text) writePrivateFile(path, complete);
    // A sandbox may be installed later: the file is then applied at the next start.
    note(complete ?? text, !problems.some(({ code }) => code === "no_sandbox"));
  }
  return { path, read, save, apply, check, isStale: () => signatureOf(path) !== seen };
}

export function makeConfigFile(options: ConfigOptions): ConfigService {
  const { store, log } = options;
  const copy = makeCopy(options);
  const { path } = copy;
  const mutex = makeMutex();
  let timer: NodeJS.Timeout | undefined;
  const exclusive = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
    mutex.hold(path, () => asResult(path, work), unending);
  const applyLogged = (): Promise<void> =>
    mutex
      .hold(path, copy.apply, unending)
      .catch((error: unknown) => log(`${path} could not be read: ${messageOf(error)}`));

  return {
    async start() {
      await applyLogged();
      timer = setInterval(() => copy.isStale() && void applyLogged(), watchMs).unref();
    },
    file: () =>
      exclusive(async () => {
        const text = copy.read();
        return ok({ path, text, problems: text === "" ? [] : await copy.check(text) });
      }),
    write: (patch) =>
      exclusive(async () => {
        await copy.apply();
        const text = copy.read();
        const { editConfig, readConfig } = await loadYaml();
        const before = store.read();
        const why = await noSandbox(patch, before, options.sandbox);
        if (why !== null) return fail("no_sandbox", why);
        const edited = text === "" ? editConfig(newFile, { ...before, ...patch }) : editConfig(text, patch);
        if (edited === null)
          return fail("config_invalid", undefined, { path, line: readConfig(text).problems[0]?.line ?? 0 });
        const settings = store.write(patch);
        saveLogged(copy, edited, log);
        if (!isEqual(settings, before)) options.changed(settings, before);
        return ok(settings);
      }),
    writeText: (text, before) =>
      exclusive(async () => {
        if (copy.read() !== before) return fail("changed_meanwhile", undefined, { path });
        const problems = await copy.check(text);
        const saved = problems.every(isWarning);
        if (saved) {
          writePrivateFile(path, text);
          await copy.apply();
        }
        return ok({ file: { path, text, problems }, saved });
      }),
    close: () => clearInterval(timer),
  };
}

/** The settings are stored already; without the file they stay in force all the same. */
function saveLogged(copy: Copy, text: string, log: (line: string) => void): void {
  try {
    copy.save(text);
  } catch (error) {
    log(`${copy.path} could not be written: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const missing = "missing";

/** Changes with every write of the file; one `stat` is cheap enough to do each second. */
function signatureOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? missing : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const isEqual = (one: Settings, other: Settings): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Marks the hash of a file that was applied but for its sandbox. */
const againLater = "without its sandbox";

/** Why settings cannot turn the sandbox on; null = they do not, or it works, or it is on already: then each command asks. */
async function noSandbox(
  settings: Partial<Settings>,
  before: Settings,
  tried: ConfigOptions["sandbox"],
): Promise<string | null> {
  if (settings.sandbox !== true || before.sandbox) return null;
  const { works, why } = await tried();
  return works ? null : (why ?? "");
}

/** Settings whose line cannot be used keep the value they had. */
function stillInForce(problems: readonly ConfigProblem[], before: Settings): Partial<Settings> {
  const bad = new Set(
    problems.flatMap(({ code, key }) =>
      (code === "bad_value" || code === "no_sandbox") && key !== undefined ? [key] : [],
    ),
  );
  return Object.fromEntries(Object.entries(before).filter(([name]) => isSetting(name) && bad.has(configKeyText(name))));
}

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(settingsDefaults, name);

function problemText({ code, key, detail }: ConfigProblem): string {
  if (code === "unknown_key") return `${key ?? ""} is not a setting and has no effect.`;
  if (code === "bad_value")
    return `${key ?? ""} must be ${detail ?? "another value"}. The value before stays in force.`;
  if (code === "no_sandbox") return `${key ?? ""} has no effect: commands cannot be sandboxed here (${detail ?? ""}).`;
  return `the file is not used: ${detail ?? code}.`;
}
