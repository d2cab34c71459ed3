import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fail, ok } from "@/lib/events/error";
import { makeMutex } from "@/server/base/concurrency";
import { openModelTransfer } from "./model-transfer";
import { downloadTargets, type StoredDownload } from "./stored-downloads";

test("a start during a pause begins once what was running has ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-transfer-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stored: StoredDownload = {
    reference: "hf:u/m",
    name: "m",
    repository: "u/m",
    commit: "c".repeat(40),
    model: [{ path: "m.gguf", bytes: 4, sha256: "0".repeat(64) }],
  };
  for (const { target } of downloadTargets(folder, stored)) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, "GGUF");
  }
  let steps = 0;
  let end = (): void => {};
  const held = new Promise<void>((resolve) => (end = resolve));
  const transfer = await openModelTransfer(stored, {
    folder,
    hub: () => ok("http://127.0.0.1:1"),
    files: makeMutex(),
    onChange() {},
    async received() {
      steps += 1;
      if (steps > 1) return ok(null);
      await held;
      return fail("aborted");
    },
  });
  await transfer.start();
  await expect.poll(() => steps).toBe(1);
  const ended = Promise.all([transfer.pause(), transfer.start()]);
  end();
  await ended;
  await expect.poll(() => steps).toBe(2);
  await transfer.pause();
});
