// Installs missing packages, builds what is stale, then runs a TypeScript program of e2e with the given options. Exits
// the process with the program's exit code. Node built-ins only.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installPackages } from "./install.mjs";
import { root } from "./root.mjs";
import { StepError } from "./step.mjs";

function runNode(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a built program. `program` is relative to the root of the checkout. */
export async function runBuilt(program) {
  try {
    await installPackages("Installing packages");
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    process.stderr.write(`${error.log}\n${error.message}\n`);
    process.exit(1);
  }
  runNode([join(root, "scripts/build.mjs")]);
  runNode([join(root, "node_modules/tsx/dist/cli.mjs"), join(root, program), ...process.argv.slice(2)]);
}
