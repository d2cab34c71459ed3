// Unit, contract and property tests: beside the code they test. `npm test` reads the JSON report it asks for here.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const report = process.env.GOPI_UNIT_REPORT;

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["{lib,server,components,docs}/**/*.test.{ts,tsx}", "{scripts,bin}/**/*.test.mjs"],
    environment: "node",
    pool: "forks",
    // For a slow machine that is busy with something else: only what hangs meets these.
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
