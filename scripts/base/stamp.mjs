// Decides what is stale by content, never by time: keys are hashes of the sources, kept beside what was made of them.
// Called by start, test, build and dev; node built-ins only, and quick, because every `npm start` asks.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildStamp, installStamp, root } from "./root.mjs";

// What only tests read does not make a build stale.
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
  server: ["server", "lib", "scripts/build.mjs", "scripts/base/server-bundle.mjs", ...configs],
};

/** The parts that a build makes. */
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
  // Name and length before the bytes, so that no two different trees feed the hash the same bytes.
  hash.update(`${name}\0${content.length}\0`).update(content);
}

/** The hash of files and folders named relative to `folder`; what is missing counts as absent. */
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

// Native packages are made for one Node version and system: another one makes the installation stale as well.
function installKey() {
  return [hashOf(["package-lock.json"]), process.versions.modules, process.platform, process.arch].join(" ");
}

/** Whether the packages on disk are not the ones the lock file names for this Node. */
export function isInstallStale() {
  return readText(installStamp) !== installKey();
}

/** Remembers that the packages on disk are the ones the lock file names. */
export function markInstalled() {
  writeStamp(installStamp, installKey());
}

/** The parts whose sources are not the ones they were built from, each with the key to mark it with. */
export function staleParts() {
  const built = readBuilt();
  const current = parts.map((part) => ({ part, key: hashOf(partSources[part]) }));
  return current.filter(({ part, key }) => built[part] !== key);
}

/** Remembers that `part` was built from the sources of `key`; null forgets it, so that the next build makes it again. */
export function markBuilt(part, key) {
  writeStamp(buildStamp, JSON.stringify({ ...readBuilt(), [part]: key ?? undefined }));
}
