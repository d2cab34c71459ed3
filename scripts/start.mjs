// `npm start`: installs what is missing, builds what is stale, then becomes `gopi-web` with the same arguments.
// Node built-ins only, because nothing may be installed yet.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { nodeVersionProblem } from "../bin/node-version.mjs";
import { installPackages, isInstallNeeded } from "./base/install.mjs";
import { root } from "./base/root.mjs";
import { staleParts } from "./base/stamp.mjs";
import { lastLines, runStep, StepError } from "./base/step.mjs";

function fail(error) {
  if (!(error instanceof StepError)) throw error;
  if (error.log.trim()) process.stderr.write(`${lastLines(error.log)}\n\n`);
  process.stderr.write(`npm start: ${error.message}\n`);
  process.exit(1);
}

async function build(title) {
  const step = { command: process.execPath, args: [join(root, "scripts/build.mjs")], cwd: root };
  try {
    await runStep({ title, usualMs: 40_000, ...step });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw new StepError("the build failed. Try it alone with: npm run build", { log: error.log, cause: error });
  }
}

const problem = nodeVersionProblem(process.versions);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
const steps = [
  ...(isInstallNeeded() ? [["Installing packages", installPackages]] : []),
  ...(staleParts().length > 0 ? [["Building", build]] : []),
];
for (const [index, [title, run]] of steps.entries()) await run(`${index + 1}/${steps.length + 1} ${title}`).catch(fail);
if (steps.length > 0) process.stderr.write(`${steps.length + 1}/${steps.length + 1} Starting\n`);
// npm changes to the package's folder, so folders on the command line must be resolved from where npm was called.
process.chdir(process.env.INIT_CWD || process.cwd());
await import(pathToFileURL(join(root, "bin/gopi-web.mjs")).href);
