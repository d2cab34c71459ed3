/**
 * A YAML file of the home folder that the settings page and other programs edit: watched, read again when it changes,
 * written as a whole. The text is interpreted by the given functions.
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { type ConfigFile, type ConfigProblem, isWarning } from "@/lib/settings/config-keys";
import { fail, ok, type Result, thrownText } from "@/lib/events/error";
import { makeMutex } from "@/server/base/concurrency";
import { neverAborted } from "@/server/base/abort";
import { writePrivateFile } from "@/server/store/core/private-file";
import { catchFileErrors } from "@/server/workspace/files/file-errors";

/** Interval at which the file's time and size are checked, ms. */
const filePollMs = 1_000;

interface HomeFileOptions {
  readonly path: string;
  /** Hash of the text whose values are stored; null = none was ever applied. */
  storedHash(): string | null;
  /** Stores the values of the text. Throws the store's errors. */
  apply(text: string): Promise<void>;
  /** Problems the text would have if it were applied now. */
  check(text: string): Promise<readonly ConfigProblem[]>;
  /** Called when a file that could not be read or applied has the applied text again. */
  checked(problems: readonly ConfigProblem[]): void;
  log(line: string): void;
}

export interface SaveTextResult {
  readonly file: ConfigFile;
  readonly saved: boolean;
}

export interface HomeFile {
  readonly path: string;
  /** Applies the file unless it is the last one applied, then watches it. A file that cannot be read is logged. */
  start(): Promise<void>;
  file(): Promise<Result<ConfigFile>>;
  /** Replaces the whole text if it is still `before`. Fails with changed_meanwhile, no_permission, disk_full. */
  writeText(text: string, before: string): Promise<Result<SaveTextResult>>;
  /**
   * Runs `work` on the current text, after changes on disk are applied; no other operation on the file runs meanwhile.
   */
  withCurrentText<T>(work: (text: string) => Promise<Result<T>>): Promise<Result<T>>;
  /**
   * Writes a text whose values are already stored. Returns false and logs when the write fails: the stored values
   * apply.
   */
  save(text: string): boolean;
  /** Records that the values of this text are stored. Returns its hash. */
  recordApplied(text: string): string;
  close(): void;
}

export const textHash = (text: string): string => createHash("sha256").update(text).digest("hex");
const missingSignature = "missing";

/** Changes with every write of the file; one `stat` per second is cheap. */
function fileSignature(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? missingSignature : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}

/** Text of the file; "" without a file. Throws system errors. */
const readTextIfExists = (path: string): string =>
  fileSignature(path) === missingSignature ? "" : readFileSync(path, "utf8");

function tryWrite(path: string, text: string, log: (line: string) => void): boolean {
  try {
    writePrivateFile(path, text);
    return true;
  } catch (error) {
    log(`${path} could not be written: ${thrownText(error)}`);
    return false;
  }
}

export function makeHomeFile({ path, storedHash, apply, check, checked, log }: HomeFileOptions): HomeFile {
  const mutex = makeMutex();
  let timer: NodeJS.Timeout | undefined;
  let seen = missingSignature;
  /** Hash of the text this process last applied or wrote. */
  let last: string | null = null;
  /** Whether the file could not be read or applied when it was last read. */
  let isRefused = false;
  const isApplied = (text: string): boolean => [storedHash() ?? textHash(""), last].includes(textHash(text));
  const problemsOf = async (text: string): Promise<readonly ConfigProblem[]> => (text === "" ? [] : check(text));

  async function refresh(): Promise<void> {
    // Taken before the file is read, so that a write in between is detected by the next check.
    seen = fileSignature(path);
    const wasRefused = isRefused;
    isRefused = true;
    const text = readTextIfExists(path);
    if (!isApplied(text)) await apply(text);
    else if (wasRefused) checked(await problemsOf(text));
    isRefused = !isApplied(text);
  }
  const exclusive = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
    mutex.hold(path, () => catchFileErrors(path, work), neverAborted);
  const refreshLogged = (): Promise<void> =>
    mutex
      .hold(path, refresh, neverAborted)
      .catch((error: unknown) => log(`${path} could not be read: ${thrownText(error)}`));

  return {
    path,
    async start() {
      await refreshLogged();
      timer = setInterval(() => fileSignature(path) !== seen && void refreshLogged(), filePollMs).unref();
    },
    file: () =>
      exclusive(async () => {
        const text = readTextIfExists(path);
        return ok({ path, text, problems: await problemsOf(text) });
      }),
    writeText: (text, before) =>
      exclusive(async () => {
        if (readTextIfExists(path) !== before) return fail("changed_meanwhile", undefined, { path });
        const problems = await check(text);
        const saved = problems.every(isWarning);
        if (saved) {
          writePrivateFile(path, text);
          await refresh();
        }
        return ok({ file: { path, text, problems }, saved });
      }),
    withCurrentText: (work) =>
      exclusive(async () => {
        await refresh();
        return work(readTextIfExists(path));
      }),
    save: (text) => tryWrite(path, text, log),
    recordApplied(text) {
      last = textHash(text);
      return last;
    },
    close: () => clearInterval(timer),
  };
}
