/** The command of a terminal by which a sandbox that does not work on this Linux is likely to work. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findInPath } from "./find-in-path";

/** By the program that installs packages. */
const installCommands: Readonly<Record<string, string>> = {
  "apt-get": "sudo apt install bubblewrap",
  dnf: "sudo dnf install bubblewrap",
  pacman: "sudo pacman -S bubblewrap",
  zypper: "sudo zypper install bubblewrap",
  apk: "sudo apk add bubblewrap",
};

/** Switches of distributions that keep bubblewrap from creating namespaces, with the value that does. */
const namespaceSwitches = [
  { file: "kernel/apparmor_restrict_unprivileged_userns", off: "1", on: "0" },
  { file: "kernel/unprivileged_userns_clone", off: "0", on: "1" },
  { file: "user/max_user_namespaces", off: "0", on: "10000" },
] as const;

/** `path` = the folders of programs, as in PATH; `system` = the folder of the kernel's switches. Null = none is known. */
export function findSandboxRemedy(isInstalled: boolean, path: string, system = "/proc/sys"): string | null {
  if (!isInstalled) {
    const installer = Object.keys(installCommands).find((name) => findInPath(name, path) !== null);
    return installer === undefined ? null : (installCommands[installer] ?? null);
  }
  const found = namespaceSwitches.find(({ file, off }) => readValue(join(system, file)) === off);
  return found === undefined ? null : `sudo sysctl ${found.file.replace("/", ".")}=${found.on}`;
}

function readValue(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
