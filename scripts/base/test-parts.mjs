// The parts of `npm test`: each runs one check or one test runner and returns its outcome: the count, a line for each
// failure, and the failed tests that can be repeated alone. Node built-ins only.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changedSince, cleanCommit, existingPaths, markChecked } from "./checked.mjs";
import { nodeMajors, provideNodeForTests, testedMajor, versionFolders } from "./node-versions.mjs";
import {
  addCounts,
  countEndToEnd,
  countUnit,
  failedEndToEndTests,
  failedUnitTests,
  failureContexts,
  oneFailure,
  zeroCount,
} from "./outcome.mjs";
import { root } from "./root.mjs";
import { staleParts } from "./stamp.mjs";
import { lastLines, runStep, StepError } from "./step.mjs";

const ownMajor = Number(process.versions.node.split(".")[0]);
const program = (path) => join(root, "node_modules", path);
const vitestProgram = program("vitest/vitest.mjs");
const playwrightProgram = program("@playwright/test/cli.js");

export function printLine(line) {
  process.stderr.write(`${line}\n`);
}

const outcome = (count, failures = [], repeatable = []) => ({ count, failures, repeatable });

const joinOutcomes = (one, other) =>
  outcome(
    addCounts(one.count, other.count),
    [...one.failures, ...other.failures],
    [...one.repeatable, ...other.repeatable],
  );

/** Runs a script of Node; returns null, or the reason when it failed, with its output and the reason on stderr. */
async function run(title, { script, args = [], node = process.execPath, usualMs, env = {}, show = false }) {
  // The runners write into a pipe and would drop their colours although the output goes to a terminal.
  const colour = process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
  const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...colour, ...env };
  const command = { command: node, args: [script, ...args], cwd: root, env: environment };
  try {
    await runStep({ title, usualMs, show, ...command });
    return null;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    if (!show) printLine(lastLines(error.log, 60));
    printLine(error.message);
    return error.message;
  }
}

/** Adds to a failed test the function that repeats it with the step that `alone` makes. */
const repeated = (test, alone) => ({
  ...test,
  repeat: async () => (await run(`Again, alone: ${test.line}`, { ...alone(test), show: true })) === null,
});

/** Runs the checks one after the other, all of them, and counts those that failed. */
async function check(steps) {
  const failed = [];
  for (const [title, step] of steps) if ((await run(title, step)) !== null) failed.push(title);
  return outcome({ ...zeroCount, failed: failed.length }, failed);
}

/** Returns a pattern that matches a path whose name has characters of patterns, as Next's folders have. */
const toGlob = (path) => path.replaceAll(/[[\](){}*!]/g, "?");

/** A change of one of these concerns every file. */
const lintRules = /^(eslint\.config\.mjs|biome\.json|cspell\.json|tsconfig\.json|package-lock\.json|scripts\/lint\/)/;

/**
 * Checks the files that changed since the whole tree passed; with `isFull` the whole tree. What a rule finds in a file that
 * did not change, because another one did, is found by `npm run test:full`.
 */
async function lint(isFull) {
  const commit = cleanCommit();
  const changed = isFull ? null : changedSince("lint");
  const files = changed === null || changed.some((path) => lintRules.test(path)) ? null : existingPaths(changed);
  const sources = files?.filter((path) => /\.(m?[jt]s|tsx)$/.test(path)) ?? ["."];
  const eslint = ["--max-warnings", "0", "--no-warn-ignored", "--no-error-on-unmatched-pattern", ...sources];
  const cspell = ["--no-progress", "--quiet", "--no-must-find-files", ...(files?.map(toGlob) ?? ["**"])];
  const usualMs = files === null ? 60_000 : 20_000;
  const steps = [
    ["Format", { script: program("@biomejs/biome/bin/biome"), args: ["format", "."], usualMs: 1_000 }],
    ["Spelling", { script: program("cspell/bin.mjs"), args: cspell, usualMs }],
  ];
  if (sources.length > 0) steps.unshift(["Lint", { script: program("eslint/bin/eslint.js"), args: eslint, usualMs }]);
  const result = await check(steps);
  if (files === null && result.count.failed === 0) markChecked("lint", commit);
  return result;
}

function types() {
  const script = program("typescript-native/bin/tsc");
  return check([["Types", { script, args: ["--noEmit", "-p", "."], usualMs: 10_000 }]]);
}

function build() {
  if (staleParts().length === 0) return outcome(zeroCount);
  return check([["Build", { script: join(root, "scripts/build.mjs"), usualMs: 30_000 }]]);
}

/** Runs a test runner that writes a JSON report to the path in `variable`; `read` makes an outcome of the report. */
async function runReported(title, step, variable, read) {
  const folder = mkdtempSync(join(tmpdir(), "gopi-test-"));
  const file = join(folder, "report.json");
  const problem = await run(title, { ...step, show: true, env: { ...step.env, [variable]: file } });
  try {
    return read(JSON.parse(readFileSync(file, "utf8")), problem === null);
  } catch (error) {
    const reason = `${title} left no report: ${problem ?? error.message}`;
    printLine(reason);
    return outcome(oneFailure, [reason]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without a filter the laws are a part of their own. */
const withoutLaws = "--exclude=**/*.laws.test.*";

const escapePattern = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The message of a failed property. Its repetition would have other random values. */
const failedProperty = "Property failed after";

/** Runs one vitest project, on this Node or on `node`. Failed tests can be repeated, but not properties. */
function vitest({ title, project, filters = [], usualMs, shard, env, node }) {
  const args = ["run", "--project", project, ...filters, ...(shard ? [`--shard=${shard}`] : [])];
  const step = { script: vitestProgram, args, node, usualMs, env };
  return runReported(title, step, "GOPI_UNIT_REPORT", (report, succeeded) => {
    const failed = failedUnitTests(report);
    const repeatable = failed.filter(({ title: test, line }) => test !== null && !line.includes(failedProperty));
    const alone = ({ file, title: test }) => ({
      script: vitestProgram,
      node,
      args: ["run", "--project", project, file, "-t", `^${escapePattern(test)}$`],
      env,
    });
    return outcome(
      countUnit(report, succeeded),
      failed.map(({ line }) => line),
      repeatable.map((test) => repeated(test, alone)),
    );
  });
}

/** Laws that run other programs for long, and the folders whose changes concern them. */
const slowLaws = [
  {
    subject: "real model servers",
    files: ["server/features/engine/**/*.laws.test.ts", "server/models/integration/**"],
    folders: /^(deploy\/haproxy-models|server\/(features\/engine|models|providers)\/|package-lock\.json)/,
  },
  {
    subject: "the conformance of MCP",
    files: ["server/features/mcp/conformance.laws.test.ts"],
    folders: /^(server\/features\/mcp\/|package-lock\.json)/,
  },
];

/** Runs the laws that match the filters. Without one, the slow ones run if their folders changed since all laws passed. */
async function laws({ filters, isFull, ...options }) {
  const isWhole = filters.length === 0;
  const commit = cleanCommit();
  const changed = isFull || !isWhole ? null : changedSince("laws");
  const left = slowLaws.filter(({ folders }) => changed !== null && !changed.some((path) => folders.test(path)));
  for (const { subject } of left) printLine(`Laws of ${subject}: nothing of theirs changed since all of them passed.`);
  const excluded = left.flatMap(({ files }) => files.map((path) => `--exclude=${path}`));
  const result = await vitest({
    ...options,
    title: "Laws",
    project: "unit",
    filters: isWhole ? [".laws.test.", ...excluded] : filters,
    usualMs: 60_000,
  });
  if (left.length === 0 && isWhole && options.shard === null && result.count.failed === 0) markChecked("laws", commit);
  return result;
}

/** Page descriptions of failed tests that are printed, and lines of each: the log of a CI run is all that is left of it. */
const contextsMax = 3;
const contextMaxLines = 200;
const firstLines = (text) => text.split("\n").slice(0, contextMaxLines).join("\n");

/** Runs the unit tests of some folders on Node 24, which most users have; with `isFull` all of them on every major. */
async function versions({ isFull, env }) {
  const outcomes = [];
  for (const major of isFull ? nodeMajors.filter((one) => one !== ownMajor) : [testedMajor]) {
    const title = `Unit tests on Node ${major}`;
    const provided = await provideNodeForTests(major);
    if ("missing" in provided) {
      printLine(`${title} are skipped: ${provided.missing}`);
      outcomes.push(outcome({ ...zeroCount, skipped: 1 }));
      continue;
    }
    const filters = isFull ? [withoutLaws] : [withoutLaws, ...versionFolders];
    const node = { node: provided.path, env: { ...env, ...provided.env } };
    outcomes.push(
      await vitest({ title, project: "unit", filters, usualMs: isFull ? 120_000 : 60_000, shard: null, ...node }),
    );
  }
  return outcomes.reduce(joinOutcomes);
}

async function endToEnd({ filters, chrome, shard, env }) {
  if (!chrome.path) {
    printLine(`End-to-end tests cannot run: ${chrome.problem}`);
    return outcome(oneFailure, ["End-to-end tests without a browser"]);
  }
  // A developer who names a file works on it, and wants its variants too.
  const environment = { ...env, ...(filters.length > 0 ? { GOPI_FULL: "1" } : {}), CHROMIUM_PATH: chrome.path };
  const args = ["test", ...filters, ...(shard ? [`--shard=${shard}`] : [])];
  const step = { script: playwrightProgram, args, env: environment, usualMs: 360_000 };
  return runReported("End-to-end tests", step, "GOPI_E2E_REPORT", (report, succeeded) => {
    for (const path of failureContexts(report).filter(existsSync).slice(0, contextsMax))
      printLine(firstLines(readFileSync(path, "utf8")));
    const failed = failedEndToEndTests(report);
    const alone = ({ file, title }) => ({
      script: playwrightProgram,
      args: ["test", file, "--workers=1", "--grep", `${escapePattern(title)}( @full)?$`],
      env: { ...environment, GOPI_E2E_TRACE: "1" },
    });
    return outcome(
      countEndToEnd(report, succeeded),
      failed.map(({ line }) => line),
      failed.map((test) => repeated(test, alone)),
    );
  });
}

/** Time that the product takes to print its version on a quiet machine with two cores, ms. */
const quietStartMs = 60;
const slownessMax = 8;

/**
 * Measures how much slower than a quiet machine this one starts the product now, 1 to 8, and returns it as the variable
 * by which the tests multiply their limits.
 */
function slowness() {
  const times = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    spawnSync(process.execPath, [join(root, "bin/gopi-web.mjs"), "--version"], { stdio: "ignore" });
    return performance.now() - startedAt;
  });
  const factor = Math.min(slownessMax, Math.max(1, Math.max(...times) / quietStartMs));
  return { GOPI_SLOWNESS: factor.toFixed(1) };
}

/**
 * Returns the parts by name. Each is a function that runs it, once. `filters` are for the part that was named, `shard` is
 * "I/N" or null, `chrome` the path of the browser or the problem; `installed` resolves when every package can be used.
 */
export function makeParts({ filters, shard, isFull, chrome, installed }) {
  const env = { ...(isFull ? { GOPI_FULL: "1" } : {}), ...slowness() };
  const isFirstShard = shard === null || shard.startsWith("1/");
  const onFirstShard = (part) => () => (isFirstShard ? part() : outcome(zeroCount));
  let building = null;
  const built = () => {
    building ??= Promise.resolve(build());
    return building;
  };
  const afterInstall = (part) => () => installed.then(part);
  const afterBuild = (title, part) => async () => {
    await Promise.all([built(), installed]);
    if (staleParts().length === 0) return part();
    printLine(`${title} cannot run: the build failed.`);
    return outcome(oneFailure, [`${title} without a build`]);
  };
  // With a filter the laws that match it run too.
  const unitFiles = filters.length > 0 ? filters : [withoutLaws];
  return {
    lint: onFirstShard(() => lint(isFull)),
    types: onFirstShard(types),
    build: built,
    unit: afterInstall(() =>
      vitest({ title: "Unit tests", project: "unit", filters: unitFiles, usualMs: 120_000, shard, env }),
    ),
    laws: afterInstall(() => laws({ filters, isFull, shard, env })),
    versions: onFirstShard(afterInstall(() => versions({ isFull, env }))),
    product: afterBuild("Product tests", () =>
      vitest({
        title: "Product tests",
        project: "product",
        filters,
        usualMs: 90_000,
        shard,
        env: { ...env, ...slowness() },
      }),
    ),
    e2e: afterBuild("End-to-end tests", () => endToEnd({ filters, chrome, shard, env })),
  };
}
