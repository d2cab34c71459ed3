import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findSandboxRemedy } from "./sandbox-remedy";

const base = mkdtempSync(join(tmpdir(), "gopi-remedy-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test.each([
  ["apt-get", "sudo apt install bubblewrap"],
  ["dnf", "sudo dnf install bubblewrap"],
  ["pacman", "sudo pacman -S bubblewrap"],
  ["zypper", "sudo zypper install bubblewrap"],
  ["apk", "sudo apk add bubblewrap"],
  ["brew", null],
])("with %s a missing program is installed by %s", (name, command) => {
  const folder = join(base, name);
  mkdirSync(folder);
  writeFileSync(join(folder, name), "", { mode: 0o755 });
  expect(findSandboxRemedy(false, `/nowhere:${folder}`)).toBe(command);
});

test.each([
  ["kernel/apparmor_restrict_unprivileged_userns", "1", "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"],
  ["kernel/unprivileged_userns_clone", "0", "sudo sysctl kernel.unprivileged_userns_clone=1"],
  ["user/max_user_namespaces", "0", "sudo sysctl user.max_user_namespaces=10000"],
  ["user/max_user_namespaces", "31000", null],
])("with %s at %s the program works after %s", (file, value, command) => {
  const system = mkdtempSync(join(base, "sys-"));
  for (const folder of ["kernel", "user"]) mkdirSync(join(system, folder));
  writeFileSync(join(system, file), `${value}\n`);
  expect(findSandboxRemedy(true, "", system)).toBe(command);
});
