// Installs the packages of package-lock.json when the installed ones differ, and explains a failure. Node built-ins
// only.
import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { sqliteRange } from "./node-versions.mjs";
import { root } from "./root.mjs";
import { isInstallStale, markInstalled } from "./stamp.mjs";
import { runStep, StepError } from "./step.mjs";

const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
const compileTrouble =
  /better-sqlite3[\s\S]*(?:gyp|prebuild-install|make: )|(?:gyp|prebuild-install)[\s\S]*better-sqlite3/;
const networkCode =
  /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/;
// node-gyp downloads Node's headers before it compiles anything.
const headersTrouble = new RegExp(
  `gyp ERR![^\\n]*(?:network connectivity|response downloading|CERT|headers|${networkCode.source})`,
);
const noCompiler =
  /not found: (?:make|g\+\+|c\+\+)|(?:make|g\+\+|c\+\+|cc|clang)(?:: (?:command )?not found|: No such file)|find Python|Python installation|Visual Studio|developer tools/;

function npm(args) {
  const script = process.env.npm_execpath;
  if (script?.endsWith(".js")) return { command: process.execPath, args: [script, ...args, ...quiet] };
  return { command: "npm", args: [...args, ...quiet] };
}

// Its binary for newer Node versions, and those versions themselves, are packages of the registry.
const newerNode = "use Node 22.14+, which needs neither, for example: npx --yes node@24 scripts/start.mjs";

/** Returns the cause of a better-sqlite3 that is neither downloaded nor compiled, which happens on Node 20 only. */
function explainCompileTrouble(log) {
  if (headersTrouble.test(log))
    return `the binary of better-sqlite3 (from github.com) and the headers to compile it (from nodejs.org) could not be downloaded: ${newerNode}`;
  const missing = "the binary of better-sqlite3 could not be downloaded";
  if (noCompiler.test(log))
    return `${missing}, and there is no compiler: ${newerNode}. Or install a compiler: sudo apt-get install -y build-essential python3`;
  return `${missing} and could not be compiled: ${newerNode}. See the compiler's error with: npm ci`;
}

/**
 * Explains the log of a failed installation: one line with the cause and one command. The only function that parses
 * npm's output.
 */
export function explainInstallFailure(log) {
  if (compileTrouble.test(log)) return explainCompileTrouble(log);
  const network = networkCode.exec(log);
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

/** Returns whether packages are missing or differ from those of the lock file. */
export function isInstallNeeded() {
  if (!isInstallStale()) return false;
  if (!isInstalledByHand()) return true;
  markInstalled();
  return false;
}

/**
 * Returns the folder of Node's own installation if it has this version's headers, so that compiling downloads none;
 * otherwise undefined.
 */
export function findHeaders(node, version) {
  const prefix = dirname(dirname(realpathSync(node)));
  try {
    const header = readFileSync(join(prefix, "include/node/node_version.h"), "utf8");
    const part = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(header)?.[1];
    return [part("MAJOR"), part("MINOR"), part("PATCH")].join(".") === version ? prefix : undefined;
  } catch {
    return undefined;
  }
}

/** The lock file pins better-sqlite3 12, which Node 20 must download or compile; newer Nodes get version 13, binary included. */
const sqliteStep = (major) =>
  major === 20
    ? { args: ["rebuild", "better-sqlite3"], usualMs: 60_000, whySlow: "it is compiled where it can't be downloaded" }
    : { args: ["install", "--no-save", "--ignore-scripts", `better-sqlite3@${sqliteRange(major)}`], usualMs: 5_000 };

/**
 * Installs the packages if they are stale, all but the binary of better-sqlite3. `title` names the step, with its number. Resolves
 * with a function that adds the binary.
 */
export async function installScripts(title) {
  if (!isInstallNeeded()) return async () => {};
  const major = Number(process.versions.node.split(".")[0]);
  const nodedir = process.env.npm_config_nodedir ?? findHeaders(process.execPath, process.versions.node);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...(nodedir && { npm_config_nodedir: nodedir }) };
  const run = async (step) => {
    try {
      await runStep({ cwd: root, env, ...step });
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      throw new StepError(explainInstallFailure(error.log), { code: error.code, log: error.log, cause: error });
    }
  };
  await run({ title, usualMs: 60_000, ...npm(["ci", "--ignore-scripts"]) });
  const addBinary = async () => {
    const { args, ...times } = sqliteStep(major);
    await run({ title: `Adding better-sqlite3 for Node ${major}`, ...times, ...npm(args) });
    markInstalled();
  };
  // Compiling changes its folder only; the installation of another version may move other packages.
  if (major === 20) return addBinary;
  await addBinary();
  return async () => {};
}

/** Installs the packages if they are stale. */
export async function installPackages(title) {
  const addBinary = await installScripts(title);
  await addBinary();
}
