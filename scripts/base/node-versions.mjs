// Runs unit tests on other versions of Node, from npm's packages of its binaries. Node built-ins only.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "./root.mjs";

const runProgram = promisify(execFile);

/** The majors that package.json supports. */
export const nodeMajors = [20, 22, 24, 26];

/** The version that most users have; `npm test` runs the tests of `versionFolders` on it. */
export const testedMajor = 24;

/** The tests that use Node most: files, processes, network, SQLite, the command line. */
export const versionFolders = [
  "bin",
  "scripts/base",
  "server/base",
  "server/cli",
  "server/security/rules",
  "server/store",
  "server/transport",
  "server/workspace",
];

/** After this the registry counts as unreachable. */
const installMs = 600_000;
const probeMs = 60_000;

/** Returns the version of better-sqlite3 for a major: 12 must be downloaded or compiled, 13 contains its binary. */
export const sqliteRange = (major) => (major === 20 ? "^12.11.1" : "^13.2.0");

/** Returns the environment in which `node`, and therefore npm, is this binary. */
export const withNode = (path, environment) => ({
  ...environment,
  PATH: `${dirname(path)}${delimiter}${environment.PATH ?? ""}`,
});

const isOwn = (major) => process.versions.node.startsWith(`${major}.`);
const missing = (major, error) => ({
  missing: `Node ${major} cannot be had here: ${String(error).split("\n", 1)[0]}`,
});

/**
 * Installs one package into a folder that is kept for the next run. It is not in the temporary folder, which the sandbox
 * of commands replaces.
 */
async function installOnce(name, wanted, file, env = process.env) {
  const folder = join(homedir(), ".cache/gopi-web", name);
  const path = join(folder, "node_modules", file);
  if (existsSync(path)) return path;
  // Parts of the tests run at the same time, and may need the same package.
  const made = `${folder}.${process.pid}`;
  await mkdir(made, { recursive: true });
  try {
    const args = ["install", "--prefix", made, "--no-audit", "--no-fund", "--loglevel=error", wanted];
    await runProgram("npm", args, { timeout: installMs, env });
    if (!existsSync(path)) await rm(folder, { recursive: true, force: true }).then(() => rename(made, folder));
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return path;
}

/**
 * Returns `{ path }` of a Node binary of a major version: of this process when it has that version, otherwise one from
 * npm. Returns `{ missing }`, a sentence with the reason, where it cannot be had.
 */
export async function provideNode(major) {
  if (isOwn(major)) return { path: process.execPath };
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const file = join(name, "bin", process.platform === "win32" ? "node.exe" : "node");
  try {
    const path = await installOnce(`node-${major}`, `${name}@${major}`, file);
    await runProgram(path, ["--version"], { timeout: probeMs });
    return { path };
  } catch (error) {
    return missing(major, error);
  }
}

/** Returns a module, as a URL, that makes `better-sqlite3` mean the one at `path` in this process and its children. */
function sqliteRedirect(path) {
  const hook = `(name, context, next) =>
    name === "better-sqlite3" || name.includes("/node_modules/better-sqlite3/lib/index.js")
      ? { url: ${JSON.stringify(pathToFileURL(path).href)}, format: "commonjs", shortCircuit: true }
      : next(name, context)`;
  const data = (code) => `data:text/javascript,${encodeURIComponent(code)}`;
  return data(`import * as module from "node:module";
    if (module.registerHooks) module.registerHooks({ resolve: ${hook} });
    else module.register(${JSON.stringify(data(`export const resolve = ${hook}`))});`);
}

/**
 * Returns `{ path, env }`: a Node binary of a major version, and the variables with which it runs the tests of the installed
 * tree, where only better-sqlite3 is replaced. Returns `{ missing }` with the reason where it cannot be had.
 */
export async function provideNodeForTests(major) {
  const node = await provideNode(major);
  if ("missing" in node) return node;
  if (isOwn(major)) return { ...node, env: {} };
  const ownNode = withNode(node.path, process.env);
  try {
    const range = sqliteRange(major);
    const name = `sqlite-${range.slice(1)}`;
    const sqlite = await installOnce(name, `better-sqlite3@${range}`, "better-sqlite3/lib/index.js", ownNode);
    const redirect = `--import=${sqliteRedirect(sqlite)}`;
    const env = { PATH: ownNode.PATH, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${redirect}`.trim() };
    const probe = 'import Sqlite from "better-sqlite3"; new Sqlite(":memory:").close();';
    const probed = { cwd: root, env: { ...process.env, ...env }, timeout: probeMs };
    await runProgram(node.path, ["--input-type=module", "-e", probe], probed);
    return { path: node.path, env };
  } catch (error) {
    return missing(major, error);
  }
}
