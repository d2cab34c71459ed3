// Installs missing packages, builds what is stale, then runs a TypeScript program of e2e with the given options. Exits
// the process with the program's exit code. Node built-ins only.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findChromeOrProblem } from "./chrome.mjs";
import { installPackages } from "./install.mjs";
import { root } from "./root.mjs";
import { StepError } from "./step.mjs";

function runNode(args, env = process.env) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

async function browserEnvironment() {
  const { path, problem } = await findChromeOrProblem();
  if (path) return { ...process.env, CHROMIUM_PATH: path };
  process.stderr.write(`What needs a browser cannot run: ${problem}\n`);
  return process.env;
}

/**
 * Runs a built program. `program` is relative to the root of the checkout; with `browser` it gets the path of a Chrome
 * or Chromium in CHROMIUM_PATH, which is installed where `npm test` installs one.
 */
export async function runBuilt(program, { browser = false } = {}) {
  try {
    await installPackages("Installing packages");
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    process.stderr.write(`${error.log}\n${error.message}\n`);
    process.exit(1);
  }
  runNode([join(root, "scripts/build.mjs")]);
  const args = [join(root, "node_modules/tsx/dist/cli.mjs"), join(root, program), ...process.argv.slice(2)];
  runNode(args, browser ? await browserEnvironment() : process.env);
}
