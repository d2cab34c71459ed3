// `npm run dev [-- folder options]`: runs our server on one port with `next dev` behind it for the UI (the server
// finds it by GOPI_DEV_UI), and rebuilds and restarts the server whenever its sources change.
import { watch } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { nodeVersionProblem } from "../bin/node-version.mjs";
import { installPackages } from "./base/install.mjs";
import { root } from "./base/root.mjs";
import { markBuilt } from "./base/stamp.mjs";
import { endGroup, isEnding, lastLines, spawnGroup, StepError } from "./base/step.mjs";

const markdownSettleMs = 100;

function printLine(line) {
  process.stderr.write(`${line}\n`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function startUi(port) {
  const next = join(root, "node_modules/next/dist/bin/next");
  // The pid must be Next's own, hence no npx.
  const args = [next, "dev", "-p", String(port), "-H", "127.0.0.1"];
  const env = { ...process.env, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" };
  const child = spawnGroup(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.pipe(process.stderr);
  child.once("exit", (code) => {
    if (isEnding()) return;
    printLine(`next dev ended (${code ?? "by a signal"})`);
    process.exit(1);
  });
}

/** Returns a function that replaces the running server with a new one; calls during a restart are merged into one. */
function serverRestarter(uiAddress, args) {
  const cwd = process.env.INIT_CWD || process.cwd();
  const env = { ...process.env, GOPI_DEV_UI: uiAddress };
  let server = null;
  let running = false;
  let again = false;
  const restart = async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      if (server) await endGroup(server);
      // A restart prints a new sign-in link; the open page signs in by its cookie and does not need it.
      const options = server && !args.includes("--no-open") ? [...args, "--no-open"] : args;
      server = spawnGroup(process.execPath, [join(root, "bin/gopi-web.mjs"), ...options], {
        cwd,
        env,
        stdio: "inherit",
      });
    }
    running = false;
  };
  return restart;
}

async function watchServer(restart) {
  const { watch: watchBundle } = await import("rolldown");
  const { copyServerFiles, serverBundle } = await import("./base/server-bundle.mjs");
  const start = () =>
    copyServerFiles()
      .then(restart)
      .catch((error) => printLine(String(error)));
  // The bundle lies in the folder that `npm start` uses, so `npm start` must build it again.
  markBuilt("server", null);
  watchBundle({ ...serverBundle, output: { ...serverBundle.output, sourcemap: true } }).on("event", async (event) => {
    if (event.code === "BUNDLE_END") await Promise.all([event.result.close(), start()]);
    if (event.code === "ERROR")
      printLine(`${event.error.message}\nThe server keeps its last good version until this is fixed.`);
  });
  // Prompts are read at run time, so Rolldown does not watch them.
  let settle;
  watch(join(root, "server/prompts"), { recursive: true }, () => {
    clearTimeout(settle);
    settle = setTimeout(() => void start(), markdownSettleMs);
  });
}

const problem = nodeVersionProblem(process.versions);
if (problem) {
  printLine(problem);
  process.exit(1);
}
try {
  await installPackages("Installing packages");
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  printLine(`${lastLines(error.log)}\n\n${error.message}`);
  process.exit(1);
}
const uiPort = await freePort();
startUi(uiPort);
await watchServer(serverRestarter(`http://127.0.0.1:${uiPort}`, process.argv.slice(2)));
