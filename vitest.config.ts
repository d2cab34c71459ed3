// Two projects. `unit`: unit, contract and property tests, beside the code under test. `product`: tests that run the built
// product as a process, without a browser. `npm test` sets the path of the JSON report.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const report = process.env.GOPI_UNIT_REPORT;
// Factor by which this machine is slower now than a quiet one, 1 to 8: only a test that hangs reaches the limits below.
const slowness = Number(process.env.GOPI_SLOWNESS ?? 4);

/** A worker runs files of one environment only: sorted by it, no worker is replaced, with all its modules, for a single file. */
class EnvironmentSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const needsPage = new Set(
      sorted.filter(({ moduleId }) => readFileSync(moduleId, "utf8").startsWith("// @vitest-environment happy-dom")),
    );
    return [...sorted.filter((file) => !needsPage.has(file)), ...needsPage];
  }
}

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    environment: "node",
    pool: "forks",
    // One process per worker, so that every module is loaded once per worker and not once per file: no test may replace
    // a module or leave a changed global behind.
    isolate: false,
    // From 25 on Node has a localStorage of its own, which hides that of the page.
    execArgv: Number.parseInt(process.versions.node) > 24 ? ["--no-experimental-webstorage"] : [],
    sequence: { sequencer: EnvironmentSequencer },
    // Many tests wait for processes and sockets, so that two workers use two cores well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000 * slowness,
    hookTimeout: 60_000 * slowness,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 30_000 * slowness } },
    restoreMocks: true,
    unstubEnvs: true,
    reporters: report ? ["dot", "json"] : ["default"],
    outputFile: report ? { json: report } : {},
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          setupFiles: "lib/testing/test-page.ts",
          include: ["{lib,server,components,docs}/**/*.test.{ts,tsx}", "{scripts,bin}/**/*.test.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "product",
          include: ["e2e/product/**/*.test.ts"],
          // They start programs that few machines have.
          exclude: process.env.GOPI_FULL === "1" ? [] : ["e2e/product/**/*.full.test.ts"],
          globalSetup: "e2e/fixtures/require-build.mjs",
        },
      },
    ],
  },
});
