// `npm test`: installs what is missing, then lint, types, unit tests, laws, build and end-to-end tests, and one line that
// counts them. `npm test -- fast` runs lint, types and unit tests; `npm test -- laws` (`*.laws.test.ts`: properties,
// bounds, kills, a real model server), `npm test -- unit [filter]` and `npm test -- e2e [filter]` run a part. Node built-ins
// only.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeVersionProblem } from "../bin/node-version.mjs";
import { provideChrome } from "./base/chrome.mjs";
import { installPackages } from "./base/install.mjs";
import {
  addCounts,
  countEndToEnd,
  countUnit,
  failedEndToEndTests,
  failedUnitTests,
  failureContexts,
  zeroCount,
  oneFailure,
  summary,
} from "./base/outcome.mjs";
import { root } from "./base/root.mjs";
import { staleParts } from "./base/stamp.mjs";
import { lastLines, runStep, StepError } from "./base/step.mjs";

/** Both caches compare contents, not times: a changed file, word list or setting is checked again. */
const caches = join(root, "node_modules/.cache/gopi-test");
const reports = mkdtempSync(join(tmpdir(), "gopi-test-"));
process.on("exit", () => rmSync(reports, { recursive: true, force: true }));

function printLine(line) {
  process.stderr.write(`${line}\n`);
}

/** Lines about failed tests. They are repeated at the end, which is what remains of a long log that was cut. */
const failures = [];
const failuresMax = 50;

/** Runs a program of node_modules; returns false, with its output and the reason on stderr, when it failed. */
async function run(title, { script, args = [], usual, env = {}, show = false }) {
  // The runners write into a pipe and would drop their colours although the output goes to a terminal.
  const colour = process.stderr.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
  const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...colour, ...env };
  const command = { command: process.execPath, args: [join(root, script), ...args], cwd: root, env: environment };
  try {
    await runStep({ title, usual, show, ...command });
    return true;
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    if (!show) printLine(lastLines(error.log, 60));
    printLine(error.message);
    return false;
  }
}

async function runCounted(title, step, reportName, count, failedTests) {
  const file = join(reports, `${reportName}.json`);
  const succeeded = await run(title, { ...step, show: true, env: { ...step.env, [step.reportVariable]: file } });
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    failures.push(...failedTests(report));
    return count(report, succeeded);
  } catch (error) {
    printLine(`${title} left no report: ${error.message}`);
    return oneFailure;
  }
}

async function runChecked(title, step) {
  return (await run(title, step)) ? zeroCount : oneFailure;
}

async function lint() {
  const rules = { script: "node_modules/eslint/bin/eslint.js", args: [".", "--max-warnings", "0"] };
  const format = { script: "node_modules/@biomejs/biome/bin/biome", args: ["format", "."] };
  const spellingCache = ["--cache", "--cache-strategy", "content", "--cache-location", join(caches, "spelling.json")];
  const spelling = {
    script: "node_modules/cspell/bin.mjs",
    args: ["--no-progress", "--quiet", ...spellingCache, "**"],
  };
  const found = await runChecked("Lint", { ...rules, usual: "about half a minute" });
  const formatted = await runChecked("Format", { ...format, usual: "a second" });
  return [found, formatted, await runChecked("Spelling", { ...spelling, usual: "about half a minute" })].reduce(
    addCounts,
  );
}

function types() {
  const args = ["--noEmit", "-p", ".", "--incremental", "--tsBuildInfoFile", join(caches, "types.json")];
  return runChecked("Types", { script: "node_modules/typescript/bin/tsc", args, usual: "about ten seconds" });
}

function vitest(title, args, usual) {
  const step = { script: "node_modules/vitest/vitest.mjs", args: ["run", ...args], reportVariable: "GOPI_UNIT_REPORT" };
  return runCounted(title, { ...step, usual }, title.toLowerCase().replace(" ", "-"), countUnit, failedUnitTests);
}

/** With a filter the laws that match it run too. */
const unit = (filters) =>
  vitest("Unit tests", filters.length === 0 ? ["--exclude=**/*.laws.test.*"] : filters, "about a minute and a half");
const laws = () => vitest("Laws", [".laws.test."], "about two minutes");

/** Builds what is stale. */
async function build() {
  if (staleParts().length === 0) return zeroCount;
  return runChecked("Build", { script: "scripts/build.mjs", usual: "about half a minute" });
}

/** Page descriptions of failed tests that are printed, and lines of each: the log of a CI run is all that is left of it. */
const contextsMax = 3;
const contextMaxLines = 200;
const firstLines = (text) => text.split("\n").slice(0, contextMaxLines).join("\n");

async function endToEnd(filters, chrome) {
  if (staleParts().length > 0) {
    printLine("End-to-end tests cannot run: the build failed.");
    return oneFailure;
  }
  if (!chrome.path) {
    printLine(`End-to-end tests cannot run: ${chrome.problem}`);
    return oneFailure;
  }
  const script = "node_modules/@playwright/test/cli.js";
  const env = { CHROMIUM_PATH: chrome.path };
  const step = { script, args: ["test", ...filters], env, reportVariable: "GOPI_E2E_REPORT" };
  const count = (report, succeeded) => {
    for (const path of failureContexts(report).slice(0, contextsMax)) printLine(firstLines(readFileSync(path, "utf8")));
    return countEndToEnd(report, succeeded);
  };
  return runCounted("End-to-end tests", { ...step, usual: "about ten minutes" }, "e2e", count, failedEndToEndTests);
}

async function findChrome() {
  try {
    return { path: await provideChrome() };
  } catch (error) {
    if (error instanceof StepError) printLine(lastLines(error.log));
    return { path: null, problem: error.message };
  }
}

const parts = {
  lint: () => lint(),
  types: () => types(),
  unit: ({ filters }) => unit(filters),
  laws: () => laws(),
  build: () => build(),
  e2e: ({ filters, chrome }) => endToEnd(filters, chrome),
};
/**
 * Steps in order; the lists of one step run at the same time, the parts of each list one after the other. Lint, types and
 * build use one core each and the unit tests wait often, so that together they keep two cores busy.
 */
const plans = {
  fast: [[["lint"], ["types"], ["unit"]]],
  e2e: [[["build", "e2e"]]],
  all: [[["lint"], ["types", "build"], ["unit", "laws"]], [["e2e"]]],
};

async function runInOrder(names, options) {
  let total = zeroCount;
  for (const name of names) total = addCounts(total, await parts[name](options));
  return total;
}

async function runParts([part, ...filters]) {
  const names = ["fast", ...Object.keys(parts)];
  if (part !== undefined && !names.includes(part)) {
    printLine(`npm test has these parts: ${names.join(", ")} (npm test -- unit server/security)`);
    return oneFailure;
  }
  const steps = plans[part ?? "all"] ?? [[[part]]];
  await installPackages("Installing packages");
  const chrome = part === undefined || part === "e2e" ? await findChrome() : null;
  let total = zeroCount;
  for (const lists of steps) {
    const counts = await Promise.all(lists.map((names) => runInOrder(names, { filters, chrome })));
    total = [total, ...counts].reduce(addCounts);
  }
  return total;
}

async function countAll() {
  const problem = nodeVersionProblem(process.versions);
  if (problem) {
    printLine(problem);
    return oneFailure;
  }
  try {
    return await runParts(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    printLine(`${lastLines(error.log)}\n\n${error.message}`);
    return oneFailure;
  }
}

const total = await countAll();
process.exitCode = total.failed > 0 ? 1 : 0;
for (const line of failures.slice(0, failuresMax)) printLine(`Failed: ${line}`);
process.stdout.write(`${summary(total)}\n`);
