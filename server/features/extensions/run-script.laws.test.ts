/** No process of a script is left after a kill of the program. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { bashScript, isAlive, writeExtensionFile } from "./test-extensions";

// Processes of a program that was killed are found by their environment, which only Linux shows.
test.skipIf(process.platform !== "linux")("what a killed program left is ended at the next start", async () => {
  const home = mkdtempSync(join(tmpdir(), "gopi-extensions-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeExtensionFile(
    join(home, "run.sh"),
    bashScript("trap '' TERM HUP; setsid sleep 100 & echo $! $$; wait; sleep 100"),
  );
  const file = join(dirname(fileURLToPath(import.meta.url)), "__fixtures__/script-child.ts");
  const host = spawn(process.execPath, ["--import", "tsx", file, home, home, "run.sh"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line]: unknown[] = await once(createInterface({ input: host.stdout }), "line");
  const pids = String(line).split(" ").map(Number);
  host.kill("SIGKILL");
  await once(host, "exit");
  expect(pids.length).toBe(2);
  await makeCleanupJournal(home, () => false).cleanUp();
  expect(pids.filter(isAlive)).toEqual([]);
});
