// `npm test`: installs what is missing, then lint, types, unit tests, build and end-to-end tests, and one line that
// counts them. `npm test -- unit [filter]` and `npm test -- e2e [filter]` run a part. Node built-ins only.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeVersionProblem } from "../bin/node-version.mjs";
import { provideChrome } from "./base/chrome.mjs";
import { installPackages } from "./base/install.mjs";
import { addCounts, countEndToEnd, countUnit, zeroCount, oneFailure, summary } from "./base/outcome.mjs";
import { root } from "./base/root.mjs";
import { staleParts } from "./base/stamp.mjs";
import { lastLines, runStep, StepError } from "./base/step.mjs";

const reports = mkdtempSync(join(tmpdir(), "gopi-test-"));
process.on("exit", () => rmSync(reports, { recursive: true, force: true }));

function printLine(line) {
  process.stderr.write(`${line}\n`);
}

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

async function runCounted(title, step, reportName, count) {
  const report = join(reports, `${reportName}.json`);
  const succeeded = await run(title, { ...step, show: true, env: { ...step.env, [step.reportVariable]: report } });
  try {
    return count(JSON.parse(readFileSync(report, "utf8")), succeeded);
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
  const spelling = { script: "node_modules/cspell/bin.mjs", args: ["--no-progress", "--quiet", "**"] };
  const found = await runChecked("Lint", { ...rules, usual: "about half a minute" });
  const formatted = await runChecked("Format", { ...format, usual: "a second" });
  return [found, formatted, await runChecked("Spelling", { ...spelling, usual: "about half a minute" })].reduce(
    addCounts,
  );
}

function types() {
  const step = { script: "node_modules/typescript/bin/tsc", args: ["--noEmit", "-p", "."], usual: "about ten seconds" };
  return runChecked("Types", step);
}

function unit(filters) {
  const step = {
    script: "node_modules/vitest/vitest.mjs",
    args: ["run", ...filters],
    reportVariable: "GOPI_UNIT_REPORT",
  };
  return runCounted("Unit tests", { ...step, usual: "about six minutes" }, "unit", countUnit);
}

async function endToEnd(filters, chrome) {
  if (staleParts().length > 0) {
    const built = await run("Build", { script: "scripts/build.mjs", usual: "about half a minute" });
    if (!built) return oneFailure;
  }
  if (!chrome.path) {
    printLine(`End-to-end tests cannot run: ${chrome.problem}`);
    return oneFailure;
  }
  const script = "node_modules/@playwright/test/cli.js";
  const env = { CHROMIUM_PATH: chrome.path };
  const step = { script, args: ["test", ...filters], env, reportVariable: "GOPI_E2E_REPORT" };
  return runCounted("End-to-end tests", { ...step, usual: "about ten minutes" }, "e2e", countEndToEnd);
}

async function findChrome() {
  try {
    return { path: await provideChrome() };
  } catch (error) {
    if (error instanceof StepError) printLine(lastLines(error.log));
    return { path: null, problem: error.message };
  }
}

const phases = {
  lint: async () => lint(),
  types: async () => types(),
  unit: async ({ filters }) => unit(filters),
  e2e: async ({ filters, chrome }) => endToEnd(filters, chrome),
};

async function runPhases([part, ...filters]) {
  if (part !== undefined && !(part in phases)) {
    printLine(`npm test has these parts: ${Object.keys(phases).join(", ")} (npm test -- unit server/security)`);
    return oneFailure;
  }
  const chosen = part === undefined ? Object.keys(phases) : [part];
  await installPackages("Installing packages");
  const chrome = chosen.includes("e2e") ? await findChrome() : null;
  let total = zeroCount;
  for (const phase of chosen) total = addCounts(total, await phases[phase]({ filters, chrome }));
  return total;
}

async function countAll() {
  const problem = nodeVersionProblem(process.versions);
  if (problem) {
    printLine(problem);
    return oneFailure;
  }
  try {
    return await runPhases(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    printLine(`${lastLines(error.log)}\n\n${error.message}`);
    return oneFailure;
  }
}

const total = await countAll();
process.exitCode = total.failed > 0 ? 1 : 0;
process.stdout.write(`${summary(total)}\n`);
