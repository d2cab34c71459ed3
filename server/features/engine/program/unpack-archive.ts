/** Unpacks archives with the system's `tar`, which on Windows also reads zip files. */
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { readProgramOutput } from "./read-program-output";

const tarMs = 600_000;
const listMaxBytes = 4_194_304;
const isWindows = process.platform === "win32";

/**
 * Unpacks a `.tar.gz` or `.zip` file into a folder that exists and is empty. Nothing is unpacked of an archive with a path
 * or a link that leads out of the folder: fails with bad_archive. Also fails with bad_archive for a damaged one and with
 * tool_missing without `tar`; what was unpacked until then stays in the folder.
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<null>> {
  const names = await runTar(["-tf", archive], environment, signal);
  if (!names.ok) return names;
  const details = await runTar(["-tvf", archive], environment, signal);
  if (!details.ok) return details;
  const lines = linesOf(details.value);
  const special = lines.find((line) => !/^[-dlh]/.test(line));
  if (special !== undefined) return fail("bad_archive", special);
  const outside = [...linesOf(names.value), ...lines.flatMap(linkTargetsOf)].find(leadsOutside);
  if (outside !== undefined) return fail("bad_archive", outside);
  // o = the files belong to this user, also for root.
  const unpacked = await runTar(["-xof", archive, "-C", folder], environment, signal);
  return unpacked.ok ? ok(null) : unpacked;
}

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== "");

/**
 * GNU tar and bsdtar print a link as `lrwxrwxrwx … name -> target` and `hrw-r--r-- … name link to target`. A name may contain
 * the same words: everything behind each of them is returned.
 */
function linkTargetsOf(line: string): readonly string[] {
  if (!/^[lh]/.test(line)) return [];
  const [, ...targets] = line.split(/ (?:->|link to) /);
  // Without a target it cannot be judged.
  return targets.length === 0 ? [".."] : targets;
}

const leadsOutside = (path: string): boolean =>
  /^[/\\]|^[a-z]:/i.test(path) || path.split(/[/\\]/).some((part) => part === "..");

/** Succeeds with the standard output. */
async function runTar(
  arguments_: readonly string[],
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<string>> {
  const { PATH, SystemRoot = "C:\\Windows" } = environment;
  const run = await readProgramOutput(
    {
      // Another `tar` in the PATH may not read zip files.
      program: isWindows ? join(SystemRoot, "System32", "tar.exe") : "tar",
      arguments: arguments_,
      environment: { PATH, SystemRoot, LC_ALL: "C" },
      timeoutMs: tarMs,
      maxBytes: listMaxBytes,
    },
    signal,
  );
  if (!run.ok) return run.error.code === "not_found" ? fail("tool_missing", "tar") : run;
  const { exit, ended, output, errorOutput } = run.value;
  if (ended === "aborted" || signal.aborted) return fail("aborted");
  if (ended === "timeout") return fail("timeout");
  return exit === 0 ? ok(output) : fail("bad_archive", errorOutput);
}
