/**
 * Connections are cut repeatedly and throttled, and the server is restarted meanwhile: each client ends with the same
 * view as a fresh one.
 */
import { expect, test } from "vitest";
import { cutConnections, emptyCutReport } from "../../soak/cuts";

test("100 cuts at random moments: every client ends with the same view as a fresh one", async () => {
  const seed = Date.now() % 1_000_000;
  const report = emptyCutReport();
  await cutConnections(100, seed, report);
  expect(report.wrong, `seed ${seed}`).toEqual([]);
  expect(report.cuts).toBeGreaterThanOrEqual(100);
  expect(report.compared).toBeGreaterThanOrEqual(20);
  expect(report.restarts).toBeGreaterThan(0);
});
