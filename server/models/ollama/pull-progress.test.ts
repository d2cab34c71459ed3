import { describe, expect, it } from "vitest";
import { makePullProgress } from "./pull-progress";

/** A download with a manual clock. */
function start() {
  let at = 0;
  const progress = makePullProgress({ name: "m" }, () => at);
  return {
    progress,
    layer: (digest: string, total: number, completed?: number) =>
      progress.apply({ status: `pulling ${digest}`, digest, total, completed }),
    wait: (ms: number): void => void (at += ms),
  };
}

describe("the progress of a download", () => {
  it("starts, downloads, verifies and is done", () => {
    const { progress, layer } = start();
    const seen = [
      progress.state(),
      progress.apply({ status: "pulling manifest" }),
      layer("a", 100),
      layer("a", 100, 100),
      progress.apply({ status: "verifying sha256 digest" }),
      progress.apply({ status: "writing manifest" }),
      progress.apply({ status: "success" }),
    ];
    expect(seen.map(({ status }) => status)).toEqual([
      "starting",
      "starting",
      "downloading",
      "downloading",
      "verifying",
      "verifying",
      "done",
    ]);
  });

  it("is done at once when everything was there", () => {
    expect(start().progress.apply({ status: "success" })).toMatchObject({
      status: "done",
      completedBytes: 0,
      totalBytes: 0,
    });
  });

  it("sums the layers in any order, and never decreases", () => {
    const { layer } = start();
    layer("a", 1000, 10);
    layer("b", 50, 50);
    expect(layer("a", 1000, 400)).toMatchObject({ completedBytes: 450, totalBytes: 1050 });
    expect(layer("a", 1000, 300)).toMatchObject({ completedBytes: 450, totalBytes: 1050 });
    expect(layer("a", 1000)).toMatchObject({ completedBytes: 450 });
    expect(layer("a", 1000, 5000)).toMatchObject({ completedBytes: 1050, totalBytes: 1050 });
  });

  it("counts for its speed only bytes received since the start", () => {
    const { layer, wait } = start();
    layer("a", 10_000, 4_000);
    wait(1_000);
    expect(layer("a", 10_000, 5_000)).toMatchObject({ bytesPerSecond: 1_000, secondsLeft: 5 });
  });

  it("measures its speed over the last seconds", () => {
    const { layer, wait } = start();
    layer("a", 1_000_000, 0);
    wait(1_000);
    layer("a", 1_000_000, 500_000);
    for (let step = 1; step <= 20; step++) {
      wait(1_000);
      layer("a", 1_000_000, 500_000 + step * 100);
    }
    expect(layer("a", 1_000_000, 502_000).bytesPerSecond).toBe(100);
  });

  it("has no remaining time while nothing arrives", () => {
    const { layer, wait } = start();
    layer("a", 100, 0);
    wait(5_000);
    expect(layer("a", 100, 0)).not.toHaveProperty("secondsLeft");
  });
});
