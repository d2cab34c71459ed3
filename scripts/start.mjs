// `npm start`: installs what is missing, builds what is stale, then becomes `gopi-web` with the same arguments.
// Node built-ins only, because nothing may be installed yet.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { nodeVersionProblem } from "../bin/node-version.mjs";
import { installPackages } from "./base/install.mjs";
import { root } from "./base/root.mjs";
import { staleParts } from "./base/stamp.mjs";
import { lastLines, runStep, StepError } from "./base/step.mjs";

function fail(error) {
  if (!(error instanceof StepError)) throw error;
  if (error.log.trim()) process.stderr.write(`${lastLines(error.log)}\n\n`);
  process.stderr.write(`npm start: ${error.message}\n`);
  process.exit(1);
}

async function build() {
  if (staleParts().length === 0) return;
  const step = { command: process.execPath, args: [join(root, "scripts/build.mjs")], cwd: root };
  try {
    await runStep({ title: "2/3 Building", usual: "about half a minute", ...step });
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw new StepError("the build failed. Try it alone with: npm run build", { log: error.log, cause: error });
  }
  process.stderr.write("3/3 Starting\n");
}

const problem = nodeVersionProblem(process.versions);
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
await installPackages("1/3 Installing packages").catch(fail);
await build().catch(fail);
// npm changes to the package's folder, so folders on the command line must be resolved from where npm was called.
process.chdir(process.env.INIT_CWD || process.cwd());
await import(pathToFileURL(join(root, "bin/gopi-web.mjs")).href);
