// Finds the Chrome or Chromium that the end-to-end tests drive, and installs it where that is one safe command: on
// Debian as root. Node built-ins only.
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { lastLines, runStep, StepError } from "./step.mjs";

const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
const applications = [
  "Google Chrome.app/Contents/MacOS/Google Chrome",
  "Chromium.app/Contents/MacOS/Chromium",
  "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
];
const fixedFolders = ["/usr/bin", "/usr/local/bin", "/opt/google/chrome", "/snap/bin", "/usr/lib/chromium"];
const playwrightPrograms = [
  "chrome-linux/chrome",
  "chrome-linux64/chrome",
  ...["chrome-mac", "chrome-mac-arm64", "chrome-mac-x64"].flatMap((folder) =>
    applications.map((application) => `${folder}/${application}`),
  ),
];

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Playwright stores each downloaded browser in chromium-<revision>; newer revisions come first.
function playwrightCandidates(env, home) {
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH,
    join(home, ".cache/ms-playwright"),
    join(home, "Library/Caches/ms-playwright"),
  ];
  return caches.flatMap((cache) => {
    if (!cache || !existsSync(cache)) return [];
    const revisions = readdirSync(cache).filter((name) => /^chromium-\d+$/.test(name));
    revisions.sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)));
    return revisions.flatMap((revision) => playwrightPrograms.map((program) => join(cache, revision, program)));
  });
}

/**
 * Returns the path of a Chrome or Chromium, or null. `CHROMIUM_PATH` takes precedence; throws when it names no
 * program.
 */
export function findChrome(env = process.env, home = homedir()) {
  if (env.CHROMIUM_PATH) {
    if (isProgram(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH names no program: ${env.CHROMIUM_PATH}`);
  }
  const folders = [...(env.PATH ?? "").split(delimiter).filter(Boolean), ...fixedFolders];
  const candidates = [
    ...folders.flatMap((folder) => [...names, "chrome"].map((name) => join(folder, name))),
    ...["/Applications", join(home, "Applications")].flatMap((folder) =>
      applications.map((application) => join(folder, application)),
    ),
    ...playwrightCandidates(env, home),
  ];
  return candidates.find(isProgram) ?? null;
}

/** Returns the ids in an os-release text: its ID first, then ID_LIKE; empty when there are none. */
export function systemIds(osRelease) {
  const value = (key) => new RegExp(`^${key}="?([^"\\n]*)"?$`, "m").exec(osRelease)?.[1] ?? "";
  return [value("ID"), ...value("ID_LIKE").split(" ")].filter(Boolean);
}

/**
 * Returns the command that installs a browser on this system; Ubuntu's own package is a snap stub, so Playwright's
 * browser is used.
 */
export function chromeInstallCommand(ids) {
  if (ids[0] === "debian") return "sudo apt-get install -y chromium fonts-noto-cjk";
  if (ids.includes("fedora")) return "sudo dnf install -y chromium";
  if (ids.includes("arch")) return "sudo pacman -S --noconfirm chromium";
  if (ids.length > 0) return "npx playwright install --with-deps chromium";
  return "npx playwright install chromium";
}

function readSystemIds() {
  try {
    return systemIds(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return [];
  }
}

/**
 * Finds a browser, on Debian as root after installing one if needed; otherwise throws an Error that names the install
 * command.
 */
async function provideChrome() {
  const found = findChrome();
  if (found) return found;
  const ids = readSystemIds();
  if (ids[0] === "debian" && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const title = "Installing Chromium";
    await runStep({
      title: "Updating the package list",
      usualMs: 5_000,
      command: "apt-get",
      args: ["update"],
      env,
    });
    const args = ["install", "-y", "--no-install-recommends", "chromium", "fonts-noto-cjk"];
    await runStep({ title, usualMs: 60_000, command: "apt-get", args, env });
    const installed = findChrome();
    if (installed) return installed;
  }
  throw new Error(`no Chrome or Chromium found. Install one with: ${chromeInstallCommand(ids)}`);
}

/** Returns the `path` of a browser as `provideChrome` does, or the `problem` in one sentence; the log goes to stderr. */
export async function findChromeOrProblem() {
  try {
    return { path: await provideChrome() };
  } catch (error) {
    if (error instanceof StepError) process.stderr.write(`${lastLines(error.log)}\n`);
    return { problem: error.message };
  }
}
