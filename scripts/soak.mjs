// `npm run soak [-- kills [seed]]`: builds what is stale, then kills the product so many times (1,000 by default), audits after each
// kill, cuts connections, and prints counts. Exit 1 when anything was lost or done twice. Called by package.json.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installPackages } from "./base/install.mjs";
import { root } from "./base/root.mjs";
import { StepError } from "./base/step.mjs";

function runNode(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

try {
  await installPackages("Installing packages");
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  process.stderr.write(`${error.log}\n${error.message}\n`);
  process.exit(1);
}
runNode([join(root, "scripts/build.mjs")]);
runNode([join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "e2e/soak/main.ts"), ...process.argv.slice(2)]);
