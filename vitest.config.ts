// Two projects. `unit`: unit, contract and property tests, beside the code under test. `product`: tests that run the built
// product as a process, without a browser. `npm test` sets the path of the JSON report.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const report = process.env.GOPI_UNIT_REPORT;
// How much slower this machine is now than a quiet one, 1 to 8: only a test that hangs reaches the limits below.
const slowness = Number(process.env.GOPI_SLOWNESS ?? 4);

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    environment: "node",
    pool: "forks",
    // One process per worker, so that every module is loaded once per worker and not once per file: no test may replace
    // a module or leave a changed global behind.
    isolate: false,
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
          include: ["{lib,server,components,docs}/**/*.test.{ts,tsx}", "{scripts,bin}/**/*.test.mjs"],
        },
      },
      {
        extends: true,
        test: {
          name: "product",
          include: ["e2e/product/**/*.test.ts"],
          globalSetup: "e2e/fixtures/require-build.mjs",
        },
      },
    ],
  },
});
