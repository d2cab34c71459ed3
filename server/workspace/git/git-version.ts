/** Checks that the installed git is new enough. */
import { fail, ok, type Result } from "@/lib/events/error";
import { runProcess } from "@/server/base/run-process";

/** Older versions ignore settings in the environment, by which the programs of a repository are switched off. */
const oldest = [2, 31] as const;
const timeoutMs = 10_000;

/** Values of PATH in which git is new enough; another may be installed in the place of an old one. */
const checkedPaths = new Set<string>();
const maxPaths = 100;

/** Returns whether git is new enough. `path` = PATH of its environment. Fails with not_found without git, timeout, aborted. */
export async function isGitNewEnough(path: string, signal: AbortSignal): Promise<Result<boolean>> {
  if (checkedPaths.has(path)) return ok(true);
  const words = ["--version"];
  const environment = { PATH: path, LC_ALL: "C" };
  const chunks: Buffer[] = [];
  const result = await runProcess(
    {
      ...{ program: "git", arguments: words, environment, timeoutMs, maxBytes: 10_000 },
      onOutput(chunk) {
        chunks.push(chunk);
        return "more";
      },
    },
    signal,
  );
  if (!result.ok) return result;
  const { ended } = result.value;
  if (ended === "timeout" || ended === "aborted") return fail(ended);
  const isNew = isSupportedVersion(Buffer.concat(chunks).toString("latin1"));
  if (isNew && checkedPaths.size < maxPaths) checkedPaths.add(path);
  return ok(isNew);
}

/** Parses what `git --version` prints; what is no version of git counts as new. */
export function isSupportedVersion(printed: string): boolean {
  const match = /^git version (\d+)\.(\d+)/.exec(printed);
  if (match === null) return true;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}
