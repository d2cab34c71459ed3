// `npm run eval -- [model …] [--task NAME,NAME] [--json]`: builds what is stale, then runs `gopi-web eval`. Exits with its
// exit code. Node built-ins only.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./base/root.mjs";

const programs = [
  [join(root, "scripts/build.mjs")],
  [join(root, "bin/gopi-web.mjs"), "eval", ...process.argv.slice(2)],
];
for (const words of programs) {
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit" });
  process.exitCode = status ?? 1;
  if (status !== 0) break;
}
