// `npm run screenshots`: builds what is stale, then takes screenshots of the product into docs/screenshots
// (e2e/screenshots).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findChrome } from "./base/chrome.mjs";
import { installPackages } from "./base/install.mjs";
import { root } from "./base/root.mjs";

function runNode(args, env = process.env) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

await installPackages("Installing packages");
runNode([join(root, "scripts/build.mjs")]);
const browser = process.env.CHROMIUM_PATH ?? findChrome();
if (!browser) {
  process.stderr.write("No Chrome or Chromium was found. Run `npm test` once, or name one in CHROMIUM_PATH.\n");
  process.exit(1);
}
runNode([join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "e2e/screenshots/main.ts")], {
  ...process.env,
  CHROMIUM_PATH: browser,
});
