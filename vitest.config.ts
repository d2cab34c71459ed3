// Two projects. `unit`: unit, contract and property tests, beside the code under test. `product`: tests that run the built
// product as a process, without a browser. `npm test` sets the path of the JSON report.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const report = process.env.GOPI_UNIT_REPORT;

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
    teardownTimeout: 60_000,
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
          // Generous, for a slow and busy machine: only a test that hangs reaches these limits.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 120_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: "product",
          include: ["e2e/product/**/*.test.ts"],
          globalSetup: "e2e/fixtures/require-build.mjs",
          // A test may start several processes one after the other; what it waits for takes seconds.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
