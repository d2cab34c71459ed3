// Determines what is stale by content, never by time: keys are hashes of the sources, stored beside the output. Node
// built-ins only, and fast, because every `npm start` runs it.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildStamp, installStamp, root } from "./root.mjs";

// Files that only tests read do not make a build stale.
const testOnly = /\.test\.[a-z]+$|^test-|^__fixtures__$|\.contract\.ts$/;
const configs = ["package.json", "package-lock.json", "tsconfig.json"];
const partSources = {
  ui: [
    "app",
    "components",
    "lib",
    "public",
    "next.config.mjs",
    "postcss.config.mjs",
    "scripts/build.mjs",
    "scripts/base/late-scripts.mjs",
    ...configs,
  ],
  server: ["server", "lib", "evals", "scripts/build.mjs", "scripts/base/server-bundle.mjs", ...configs],
};

/** The parts of a build. */
export const parts = Object.keys(partSources);

function addPath(hash, path, name) {
  let content;
  try {
    content = readFileSync(path);
  } catch (error) {
    if (error.code === "ENOENT") return;
    if (error.code !== "EISDIR") throw error;
    for (const child of readdirSync(path).sort()) {
      if (!testOnly.test(child)) addPath(hash, join(path, child), `${name}/${child}`);
    }
    return;
  }
  // Name and length precede the bytes, so that two different trees never feed the hash the same bytes.
  hash.update(`${name}\0${content.length}\0`).update(content);
}

/** Returns the hash of files and folders, named relative to `folder`; missing ones contribute nothing. */
export function hashOf(names, folder = root) {
  const hash = createHash("sha256");
  for (const name of names) addPath(hash, join(folder, name), name);
  return hash.digest("hex");
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function writeStamp(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function readBuilt() {
  try {
    return JSON.parse(readFileSync(buildStamp, "utf8"));
  } catch {
    return {};
  }
}

// Native packages are compiled for one Node version and system: a change of either makes the installation stale as
// well.
function installKey() {
  return [hashOf(["package-lock.json"]), process.versions.modules, process.platform, process.arch].join(" ");
}

/** Returns whether the installed packages differ from those the lock file names for this Node. */
export function isInstallStale() {
  return readText(installStamp) !== installKey();
}

/** Records that the installed packages match the lock file. */
export function markInstalled() {
  writeStamp(installStamp, installKey());
}

/** Returns the parts whose sources changed since they were built, each with the key to mark it with. */
export function staleParts() {
  const built = readBuilt();
  const current = parts.map((part) => ({ part, key: hashOf(partSources[part]) }));
  return current.filter(({ part, key }) => built[part] !== key);
}

/**
 * Records that `part` was built from the sources of `key`; null deletes the record, so that the next build makes it
 * again.
 */
export function markBuilt(part, key) {
  writeStamp(buildStamp, JSON.stringify({ ...readBuilt(), [part]: key ?? undefined }));
}
