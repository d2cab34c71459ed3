// What `npm run bench` and `npm run soak` share: installs what is missing, builds what is stale, then runs a TypeScript program
// of e2e with the options that were given. Ends the process with its exit code. Node built-ins only.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installPackages } from "./install.mjs";
import { root } from "./root.mjs";
import { StepError } from "./step.mjs";

function runNode(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** `program` is relative to the root of the product. */
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
