import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { launchdAgent, systemdUnit } from "./service-text";

const home = String.raw`/home/a b/50%/"q"/back\slash/$HOME/项目`;
const launch = {
  command: ["/usr/bin/node", `${home}/bin/gopi-web.mjs`, "serve"],
  path: "/usr/bin:/50%/$PATH",
} as const;

test("a unit starts the program by quoted paths, restarts it after a failure, and starts with the login", () => {
  const text = systemdUnit({ ...launch, command: [...launch.command, "line\nend"] });
  const program = String.raw`"/home/a b/50%%/\"q\"/back\\slash/$HOME/项目/bin/gopi-web.mjs"`;
  expect(text).toContain(String.raw`ExecStart=:/usr/bin/env "/usr/bin/node" ${program} "serve" "line\x0aend"`);
  expect(text).toContain(`\nEnvironment="PATH=/usr/bin:/50%%/$PATH"\n`);
  expect(text).toContain("\nRestart=on-failure\n");
  expect(text).toContain("\nWantedBy=default.target\n");
});

test("an agent of launchd has each argument as text", () => {
  const text = launchdAgent({ ...launch, command: [...launch.command, "<a & b>"] });
  expect(text).toContain(`<string>${home}/bin/gopi-web.mjs</string>\n    <string>serve</string>`);
  expect(text).toContain("<string>&lt;a &amp; b&gt;</string>");
  expect(text).toContain("<key>RunAtLoad</key>\n  <true/>");
});

const hasVerifier = (() => {
  try {
    execFileSync("systemd-analyze", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

test.runIf(hasVerifier)("systemd accepts the unit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-unit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const unit = join(folder, "gopi-web.service");
  writeFileSync(unit, systemdUnit({ ...launch, command: [`${home}/node`, ...launch.command] }));
  const options = { env: { ...process.env, XDG_RUNTIME_DIR: folder } };
  const verified = promisify(execFile)("systemd-analyze", ["--user", "verify", unit], options);
  const message = await verified.then(
    ({ stderr }) => stderr,
    (error: unknown) => String(error),
  );
  expect(message).not.toContain("gopi-web.service");
});
