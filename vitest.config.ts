// Unit, contract and property tests, beside the code under test. `npm test` sets the path of the JSON report.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const report = process.env.GOPI_UNIT_REPORT;

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["{lib,server,components,docs}/**/*.test.{ts,tsx}", "{scripts,bin}/**/*.test.mjs"],
    environment: "node",
    pool: "forks",
    // One process per worker, so that every module is loaded once per worker and not once per file: no test may replace
    // a module or leave a changed global behind.
    isolate: false,
    // Many tests wait for processes and sockets, so that two workers use two cores well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Generous, for a slow and busy machine: only a test that hangs reaches these limits.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 120_000 } },
    restoreMocks: true,
    unstubEnvs: true,
    reporters: report ? ["dot", "json"] : ["default"],
    outputFile: report ? { json: report } : {},
  },
});
