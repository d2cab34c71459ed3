/**
 * A YAML file of the home folder that the settings page and other programs edit: watched, read again when it changes, written whole.
 * What its text means is its owner's (config-file, models-file).
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { type ConfigFile, type ConfigProblem, isWarning } from "@/lib/config-keys";
import { fail, ok, type Result } from "@/lib/error";
import { makeMutex } from "@/server/base/mutex";
import { writePrivateFile } from "@/server/store/private-file";
import { asResult } from "@/server/workspace/file-errors";

/** How often the file's time and size are looked at, ms. */
const watchMs = 1_000;

export interface HomeFileOptions {
  readonly path: string;
  /** Hash of the text whose values are stored; null = none was ever applied. */
  storedHash(): string | null;
  /** Stores what the text says. Throws what the store throws. */
  apply(text: string): Promise<void>;
  /** What is wrong with a text that would be applied now. */
  check(text: string): Promise<readonly ConfigProblem[]>;
  log(line: string): void;
}

export interface SavedText {
  readonly file: ConfigFile;
  readonly saved: boolean;
}

export interface HomeFile {
  readonly path: string;
  /** Applies the file if it is not the one applied last, and watches it from now on. A file that cannot be read is logged. */
  start(): Promise<void>;
  file(): Promise<Result<ConfigFile>>;
  /** Saves a whole text. Fails with changed_meanwhile, no_permission, disk_full. */
  writeText(text: string, before: string): Promise<Result<SavedText>>;
  /** Works on the text as it is by now, after what was changed on disk is applied; nothing else happens to the file meanwhile. */
  change<T>(work: (text: string) => Promise<Result<T>>): Promise<Result<T>>;
  /** Writes a text whose values are stored already: without the file they stay in force, so a failure is logged; false then. */
  save(text: string): boolean;
  /** The values of this text are stored. Returns its hash. */
  applied(text: string): string;
  close(): void;
}

/** Each step is short; none is given up in the middle. */
const unending = new AbortController().signal;

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const missing = "missing";

/** Changes with every write of the file; one `stat` is cheap enough to do each second. */
function signatureOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? missing : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}

/** "" without a file. Throws system errors. */
const textAt = (path: string): string => (signatureOf(path) === missing ? "" : readFileSync(path, "utf8"));

function isWritten(path: string, text: string, log: (line: string) => void): boolean {
  try {
    writePrivateFile(path, text);
    return true;
  } catch (error) {
    log(`${path} could not be written: ${messageOf(error)}`);
    return false;
  }
}

export function makeHomeFile({ path, storedHash, apply, check, log }: HomeFileOptions): HomeFile {
  const mutex = makeMutex();
  let timer: NodeJS.Timeout | undefined;
  let seen = missing;
  /** The hash of the text this process applied or wrote last. */
  let last: string | null = null;

  async function refresh(): Promise<void> {
    // Taken before the file is read: a write in between is seen at the next look.
    seen = signatureOf(path);
    const text = textAt(path);
    if (![storedHash() ?? hashOf(""), last].includes(hashOf(text))) await apply(text);
  }
  const exclusive = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
    mutex.hold(path, () => asResult(path, work), unending);
  const refreshLogged = (): Promise<void> =>
    mutex
      .hold(path, refresh, unending)
      .catch((error: unknown) => log(`${path} could not be read: ${messageOf(error)}`));

  return {
    path,
    async start() {
      await refreshLogged();
      timer = setInterval(() => signatureOf(path) !== seen && void refreshLogged(), watchMs).unref();
    },
    file: () =>
      exclusive(async () => {
        const text = textAt(path);
        return ok({ path, text, problems: text === "" ? [] : await check(text) });
      }),
    writeText: (text, before) =>
      exclusive(async () => {
        if (textAt(path) !== before) return fail("changed_meanwhile", undefined, { path });
        const problems = await check(text);
        const saved = problems.every(isWarning);
        if (saved) {
          writePrivateFile(path, text);
          await refresh();
        }
        return ok({ file: { path, text, problems }, saved });
      }),
    change: (work) =>
      exclusive(async () => {
        await refresh();
        return work(textAt(path));
      }),
    save: (text) => isWritten(path, text, log),
    applied(text) {
      last = hashOf(text);
      return last;
    },
    close: () => clearInterval(timer),
  };
}
