// deploy/gopi-singleuser.py, as BatchSpawner runs it: by run_path in a Python program that has the hub's variables.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { productProgram } from "../../fixtures/server";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const starter = join(productProgram, "../../deploy/gopi-singleuser.py");
const program = `import runpy, sys
sys.argv = ["starter", "--json", "a folder"]
runpy.run_path(${JSON.stringify(starter)}, run_name="__main__")`;

test.skipIf(!hasPython)("becomes gopi-web with the same arguments, and passes the hub's token by a pipe", () => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-starter-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Its process has the variables of a process that was started with them.
  const fake = `#!/bin/sh
printf '%s\\n' "$$" "$@"
tr '\\0' '\\n' < /proc/$$/environ | grep -c the-token
eval "cat <&$GOPI_HUB_TOKEN_FD"
`;
  writeFileSync(join(folder, "gopi-web"), fake, { mode: 0o755 });
  const environment = { PATH: `${folder}${delimiter}${process.env.PATH}`, NODE_ENV: "test" as const };
  const tokens = { JUPYTERHUB_API_TOKEN: "the-token", JPY_API_TOKEN: "the-token" };
  const output = execFileSync("sh", ["-c", 'echo $$; exec python3 -c "$0"; :', program], {
    env: { ...environment, ...tokens },
    encoding: "utf8",
  });
  const [shell, pid, ...lines] = output.split("\n");
  expect(pid).toBe(shell);
  expect(lines).toEqual(["--json", "a folder", "0", "the-token"]);
});
