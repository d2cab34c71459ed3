// Repeats failed tests alone, so that a race in one test blocks no other work and is still found: a test that
// passes alone is recorded as unstable. Node built-ins only.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { root } from "./root.mjs";

/** With more failures than this the product is broken, and nothing is repeated. */
const repeatedMax = 10;
/** More unstable tests than this in one run, or records of one test, fail the run. */
const unstableMax = 3;
const recordsMax = 2;
/** A race of these tests may be a race of the product: they must pass each of five repetitions. */
const strictTests = /(security|reliability|recover|receipt|kill|leftovers)/i;

/** Repeats one test: twice at most until it passes, a strict one five times until it fails. Returns whether it is green. */
export async function passesAlone({ file, title, repeat }) {
  if (strictTests.test(`${file} ${title}`)) {
    for (let count = 0; count < 5; count += 1) if (!(await repeat())) return false;
    return true;
  }
  return (await repeat()) || (await repeat());
}

/**
 * Decides about a run whose `unstable` tests passed alone, with the `records` of earlier runs. Returns null, or the reason
 * why the run fails all the same.
 */
export function unstableProblem(unstable, records) {
  if (unstable.length > unstableMax)
    return `${unstable.length} tests are unstable, more than ${unstableMax}: find what they share`;
  const again = unstable.find(({ file, title }) => {
    const earlier = records.filter((record) => record.file === file && record.title === title);
    return earlier.length >= recordsMax;
  });
  return again ? `${again.line}: unstable for the third time: mend its race` : null;
}

const recordFile = join(root, ".ci/unstable.json");
const readRecords = () => (existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, "utf8")) : []);

function commit() {
  const { stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" });
  return stdout?.trim() || "unknown";
}

/**
 * Repeats failed tests and records those that pass. Each has its `file`, its full `title`, its `line` in the list of
 * failures, and `repeat`, which runs it alone and resolves to whether it passed. Returns the unstable ones, and the
 * `problem` that fails the run although they passed, or null.
 */
export async function repeatFailed(failed) {
  if (failed.length > repeatedMax) return { unstable: [], problem: null };
  const unstable = [];
  for (const test of failed) if (await passesAlone(test)) unstable.push(test);
  if (unstable.length === 0) return { unstable, problem: null };
  const records = readRecords();
  const problem = unstableProblem(unstable, records);
  const load = Number(loadavg()[0].toFixed(1));
  const added = unstable.map(({ file, title }) => ({ file, title, commit: commit(), load }));
  writeFileSync(recordFile, `${JSON.stringify([...records, ...added], null, 2)}\n`);
  return { unstable, problem };
}
