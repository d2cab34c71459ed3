/**
 * Connections are cut repeatedly and throttled, and the server is restarted meanwhile: each client ends with the same
 * view as a fresh one.
 */
import { expect, test } from "vitest";
import { isFullRun, longTestMs } from "../../fixtures/full-run";
import { cutConnections, emptyCutReport } from "../../soak/cuts";

const seed = isFullRun ? Date.now() % 1_000_000 : 26;
const plan = isFullRun ? { cuts: 100, runs: 6 } : { cuts: 30, runs: 3 };
/** Clients of each run whose views are compared. */
const clients = 5;

test(
  "cuts at random moments: every client ends with the same view as a fresh one",
  async () => {
    const report = emptyCutReport();
    await cutConnections(plan, seed, report);
    expect(report.wrong, `seed ${seed}`).toEqual([]);
    expect(report.cuts).toBeGreaterThanOrEqual(plan.cuts);
    expect(report.compared).toBeGreaterThanOrEqual(plan.runs * clients);
    expect(report.restarts).toBeGreaterThan(0);
  },
  longTestMs,
);
