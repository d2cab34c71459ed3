// `npm run bench`: builds what is stale, then measures the product beside its yardsticks (e2e/bench). Options go through:
// --quick (fewer repetitions), --json FILE, --only suite,suite. Called by package.json.
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
runNode([join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "e2e/bench/main.ts"), ...process.argv.slice(2)]);
