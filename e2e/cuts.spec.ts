/** Connections are cut again and again, slowed down, and the server is started anew between: each client ends with the view of a fresh one. */
import { expect, test } from "@playwright/test";
import { cutConnections, emptyCutReport } from "./soak/cuts";

test("100 cuts at random moments: every client ends with the view that a fresh one has", async () => {
  test.setTimeout(3_600_000);
  const seed = Date.now() % 1_000_000;
  const report = emptyCutReport();
  await test.step(`seed ${seed}`, () => cutConnections(100, seed, report));
  expect(report.wrong, `seed ${seed}`).toEqual([]);
  expect(report.cuts).toBeGreaterThanOrEqual(100);
  expect(report.compared).toBeGreaterThanOrEqual(20);
  expect(report.restarts).toBeGreaterThan(0);
});
