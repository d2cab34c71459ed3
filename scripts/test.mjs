// `npm test`: installs what is missing, runs the checks and tests of a plan, repeats failed end-to-end tests alone, and
// ends with one line that counts them all. `npm test -- --help` lists the parts. Node built-ins only.
import { nodeVersionProblem } from "../bin/node-version.mjs";
import { findChromeOrProblem } from "./base/chrome.mjs";
import { installScripts } from "./base/install.mjs";
import { addCounts, oneFailure, summary, zeroCount } from "./base/outcome.mjs";
import { repeatFailed } from "./base/repeat-failed.mjs";
import { lastLines, StepError } from "./base/step.mjs";
import { helpText, parseTestArguments, plans } from "./base/test-plan.mjs";
import { makeParts, printLine } from "./base/test-parts.mjs";

/** Lines about failed tests. They are repeated at the end, which is what remains of a long log that was cut. */
const failuresMax = 50;

async function runInOrder(names, parts) {
  const outcomes = [];
  for (const name of names) outcomes.push(await parts[name]());
  return outcomes;
}

async function runPlan({ plan, filters, shard, isFull }) {
  const addBinary = await installScripts("Installing packages");
  const lanes = plans[plan];
  const chrome = lanes.flat().includes("e2e") ? await findChromeOrProblem() : null;
  // The checks and the build run while better-sqlite3 is compiled, if it has no binary: that takes a minute.
  const installed = addBinary();
  const parts = makeParts({ filters, shard, isFull, chrome, installed });
  const running = Promise.all(lanes.map((names) => runInOrder(names, parts)));
  const [outcomeLists] = await Promise.all([running, installed]);
  const outcomes = outcomeLists.flat();
  const count = outcomes.map((outcome) => outcome.count).reduce(addCounts);
  const { unstable, problem } = await repeatFailed(outcomes.flatMap(({ repeatable }) => repeatable));
  const green = unstable.map(({ line }) => line);
  return {
    count: addCounts(count, { passed: green.length, failed: (problem ? 1 : 0) - green.length, skipped: 0 }),
    failures: [...outcomes.flatMap(({ failures }) => failures).filter((line) => !green.includes(line)), problem],
    unstable: green,
  };
}

async function countAll() {
  const failure = { count: oneFailure, failures: [], unstable: [] };
  const request = parseTestArguments(process.argv.slice(2));
  if (request.help) {
    process.stdout.write(helpText);
    return null;
  }
  const problem = nodeVersionProblem(process.versions) ?? request.problem;
  if (problem) {
    printLine(problem);
    return failure;
  }
  try {
    return await runPlan(request);
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    printLine(`${lastLines(error.log)}\n\n${error.message}`);
    return failure;
  }
}

const outcome = await countAll();
if (outcome) {
  const { count, failures, unstable } = outcome;
  process.exitCode = count.failed > 0 ? 1 : 0;
  for (const line of failures.filter(Boolean).slice(0, failuresMax)) printLine(`Failed: ${line}`);
  for (const line of unstable) printLine(`Unstable (failed once, passed alone): ${line}`);
  if (unstable.length > 0) process.stdout.write(`${unstable.length} unstable, listed in .ci/unstable.json\n`);
  process.stdout.write(`${summary(count)}\n`);
}
