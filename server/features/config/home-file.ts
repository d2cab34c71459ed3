/**
 * A YAML file of the home folder that the settings page and other programs edit: watched, read again when it changes,
 * written as a whole. The text is interpreted by the given functions.
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { type ConfigFile, type ConfigProblem, isWarning } from "@/lib/config-keys";
import { fail, ok, type Result } from "@/lib/error";
import { makeMutex } from "@/server/base/mutex";
import { writePrivateFile } from "@/server/store/private-file";
import { asResult } from "@/server/workspace/file-errors";

/** Interval at which the file's time and size are checked, ms. */
const watchMs = 1_000;

export interface HomeFileOptions {
  readonly path: string;
  /** Hash of the text whose values are stored; null = none was ever applied. */
  storedHash(): string | null;
  /** Stores the values of the text. Throws the store's errors. */
  apply(text: string): Promise<void>;
  /** Problems the text would have if it were applied now. */
  check(text: string): Promise<readonly ConfigProblem[]>;
  log(line: string): void;
}

export interface SavedText {
  readonly file: ConfigFile;
  readonly saved: boolean;
}

export interface HomeFile {
  readonly path: string;
  /** Applies the file unless it is the last one applied, then watches it. A file that cannot be read is logged. */
  start(): Promise<void>;
  file(): Promise<Result<ConfigFile>>;
  /** Replaces the whole text if it is still `before`. Fails with changed_meanwhile, no_permission, disk_full. */
  writeText(text: string, before: string): Promise<Result<SavedText>>;
  /**
   * Runs `work` on the current text, after changes on disk are applied; no other operation on the file runs meanwhile.
   */
  change<T>(work: (text: string) => Promise<Result<T>>): Promise<Result<T>>;
  /**
   * Writes a text whose values are already stored. Returns false and logs when the write fails: the stored values
   * apply.
   */
  save(text: string): boolean;
  /** Records that the values of this text are stored. Returns its hash. */
  applied(text: string): string;
  close(): void;
}

/** Each step is short, so none is cancelled. */
const unending = new AbortController().signal;

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const missing = "missing";

/** Changes with every write of the file; one `stat` per second is cheap. */
function signatureOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? missing : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}

/** Text of the file; "" without a file. Throws system errors. */
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
  /** Hash of the text this process last applied or wrote. */
  let last: string | null = null;

  async function refresh(): Promise<void> {
    // Taken before the file is read, so that a write in between is detected by the next check.
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
