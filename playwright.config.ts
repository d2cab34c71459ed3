// End-to-end tests: the built product in a real browser. `npm test` names the browser and reads the JSON report.
import { defineConfig, devices } from "@playwright/test";

const browser = process.env.CHROMIUM_PATH;
const report = process.env.GOPI_E2E_REPORT;
// Chromium's own sandbox refuses to run as root; these tests open only our own pages.
const isRoot = process.getuid?.() === 0;
const quietArguments = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export default defineConfig({
  testDir: "./e2e",
  testMatch: "**/*.spec.ts",
  // Many tests wait for timers and processes, so that three workers keep two cores busy.
  workers: 3,
  // Each test has its own server and project, so that the last tests are spread over all workers.
  fullyParallel: true,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // Generous, for a slow and busy machine: only a test that hangs reaches these limits.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  reporter: report ? [["list"], ["json", { outputFile: report }]] : [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    trace: "off",
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [...(isRoot ? ["--no-sandbox"] : []), ...quietArguments],
    },
  },
});
