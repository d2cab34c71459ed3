// Installs the packages of package-lock.json when the installed ones differ, and explains a failure. Node built-ins
// only.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { isInstallStale, markInstalled } from "./stamp.mjs";
import { runStep, StepError } from "./step.mjs";

const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
// The lock file pins better-sqlite3 12, which Node 20 must compile or download; version 13 ships its binary for newer
// Node versions.
const sqliteForNewNode = ["install", "--no-save", "--ignore-scripts", "better-sqlite3@^13.2.0"];
const compileTrouble =
  /better-sqlite3[\s\S]*(?:gyp|prebuild-install|make: )|(?:gyp|prebuild-install)[\s\S]*better-sqlite3/;
const networkTrouble = /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

function npm(args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith(".js")) return { command: process.execPath, args: [script, ...args, ...quiet] };
  return { command: "npm", args: [...args, ...quiet] };
}

/**
 * Explains the log of a failed installation: one line with the cause and one command. The only function that parses
 * npm's output.
 */
export function explainInstallFailure(log, nodeMajor) {
  if (compileTrouble.test(log)) {
    const advice =
      nodeMajor === 20
        ? "use Node 22.14+ (it needs neither), or install a compiler: sudo apt-get install -y build-essential python3"
        : "install a compiler: sudo apt-get install -y build-essential python3";
    return `better-sqlite3's binary could be neither downloaded nor compiled: ${advice}`;
  }
  const network = networkTrouble.exec(log);
  if (network) return `the package registry could not be reached (${network[1]}). When the network is back: npm start`;
  if (/\bENOSPC\b/.test(log)) return "the disk is full. See what is left with: df -h .";
  if (/\b(EACCES|EPERM|EROFS)\b/.test(log))
    return "this folder may not be written. See its owner with: ls -ld . node_modules";
  return "npm could not install the packages. See its error with: npm ci";
}

/**
 * Returns whether npm's record of installed packages (the hidden lock file) has every package that the lock file
 * requires on all systems. better-sqlite3 is not compared: its version depends on Node.
 */
export function hasEveryPackage(lock, installed) {
  return Object.entries(lock.packages).every(([path, { version, optional }]) => {
    if (path === "" || optional || path === "node_modules/better-sqlite3") return true;
    return installed.packages[path]?.version === version;
  });
}

// Avoids a second installation after a manual `npm ci`.
function isInstalledByHand() {
  try {
    const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));
    if (!hasEveryPackage(read("package-lock.json"), read("node_modules/.package-lock.json"))) return false;
    // In a separate process: a binary made for another Node version would stay loaded in this one.
    const probe = 'new (require("better-sqlite3"))(":memory:")';
    return spawnSync(process.execPath, ["-e", probe], { cwd: root, stdio: "ignore" }).status === 0;
  } catch {
    return false;
  }
}

/** Installs the packages if they are stale. `title` numbers the step ("1/3 Installing packages"). */
export async function installPackages(title) {
  if (!isInstallStale()) return;
  if (isInstalledByHand()) return markInstalled();
  const major = Number(process.versions.node.split(".")[0]);
  const binaryIsInPackage = major > 20;
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  try {
    const ci = npm(binaryIsInPackage ? ["ci", "--ignore-scripts"] : ["ci"]);
    await runStep({ title, usual: "about a minute", ...ci, cwd: root, env });
    if (binaryIsInPackage) {
      const sqlite = npm(sqliteForNewNode);
      await runStep({ title: `${title} for Node ${major}`, usual: "a few seconds", ...sqlite, cwd: root, env });
    }
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    throw new StepError(explainInstallFailure(error.log, major), { code: error.code, log: error.log, cause: error });
  }
  markInstalled();
}
