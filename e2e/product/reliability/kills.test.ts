/**
 * The product is killed repeatedly at random moments: everything acknowledged is stored once, and nothing is done
 * twice. `npm run soak` does the same at length.
 */
import { expect, test } from "vitest";
import { isFullRun, longTestMs } from "../../fixtures/full-run";
import { emptyReport, killHome } from "../../soak/kills";

const seed = isFullRun ? Date.now() % 1_000_000 : 26;
const { kills, homes } = isFullRun ? { kills: 60, homes: 2 } : { kills: 14, homes: 1 };

test(
  "kills at random moments lose nothing, double nothing and leave nothing half done",
  async () => {
    const report = emptyReport();
    await Promise.all(Array.from({ length: homes }, (_, index) => killHome(kills / homes, seed + index, report)));
    expect(report.losses, `seed ${seed}: losses`).toEqual([]);
    expect(report.duplicates, `seed ${seed}: doubles`).toEqual([]);
    const counts = Object.values(report.kills);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(kills);
    for (const [phase, count] of Object.entries(report.kills)) expect(count, phase).toBeGreaterThan(0);
    // The audit has checked something.
    expect(report.messages).toBeGreaterThan(kills);
  },
  longTestMs,
);
