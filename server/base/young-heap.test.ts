import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";

/** Fills the young heap to 8 MB, then lets much more survive; prints what its largest size was, MB. */
const program = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { holdYoungHeap } from "./server/base/young-heap";
  const size = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size / 1_048_576;
  let kept = [];
  for (let n = 0; size() < 8; n += 1) {
    if (kept.length > 20_000) kept = [];
    kept.push({ n });
  }
  if (process.argv[2] === "held") holdYoungHeap();
  let largest = 0;
  for (let round = 0; round < 10; round += 1) {
    kept = [];
    for (let n = 0; n < 100_000; n += 1) kept.push({ n, list: [n] });
    largest = Math.max(largest, size());
  }
  console.log(largest);
`;

it("the heap for new objects grows no further once it is held, and would have", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gopi-heap-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "program.mjs");
  const stdin = { contents: program, resolveDir: resolve("."), loader: "ts" as const };
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  const largest = (how: string): number => Number(execFileSync(process.execPath, [outfile, how], { encoding: "utf8" }));
  // The page that is being filled counts in newer versions.
  expect(largest("held")).toBeLessThan(12);
  expect(largest("free")).toBeGreaterThanOrEqual(16);
});
