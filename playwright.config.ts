// End-to-end tests: the built product in a real browser. `npm test` names the browser and reads the JSON report.
import { defineConfig, devices } from "@playwright/test";
import { chromiumArguments } from "./e2e/fixtures/chromium-arguments";
import { isFullRun } from "./e2e/fixtures/full-run";

const browser = process.env.CHROMIUM_PATH;
const report = process.env.GOPI_E2E_REPORT;
/** Factor by which a start is slower now than on a quiet machine, as the runner measures it; at least 1. */
const slowness = Math.max(1, Number(process.env.GOPI_SLOWNESS ?? "1"));
const waitMs = 30_000 * slowness;
export default defineConfig({
  testDir: "./e2e",
  testMatch: "**/*.spec.ts",
  // Many tests wait for timers and processes, so that three workers keep two cores busy.
  workers: 3,
  // Each test has its own project, so that the last tests are spread over all workers.
  fullyParallel: true,
  retries: 0,
  ...(isFullRun ? {} : { grepInvert: /@full/ }),
  forbidOnly: process.env.CI !== undefined,
  // Only a test that hangs reaches these limits.
  timeout: 4 * waitMs,
  expect: { timeout: waitMs, toPass: { timeout: waitMs } },
  reporter: report ? [["list"], ["json", { outputFile: report }]] : [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    // Cleared between two tests; a page of a new context would compile all scripts again.
    reuseContext: true,
    // A worker of one test would answer the navigations of the next.
    serviceWorkers: "block",
    actionTimeout: waitMs,
    navigationTimeout: waitMs,
    trace: process.env.GOPI_E2E_TRACE === "1" ? "retain-on-failure" : "off",
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [...chromiumArguments],
    },
  },
});
