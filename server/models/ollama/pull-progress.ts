/** Sums the layers of a download into one progress state with speed and time left. Pure apart from its own state. */
import type { PullState } from "@/lib/models/models";
import { makeSpeedMeter } from "@/server/base/speed-meter";
import type { PullStep } from "@/server/providers/ollama/ollama";

interface PullProgress {
  /** Applies a step and returns the new state. */
  apply(step: PullStep): PullState;
  state(): PullState;
}

function toPullStatus(status: string, before: PullState["status"]): PullState["status"] {
  if (status === "success") return "done";
  if (/^(?:verifying|writing|removing)/.test(status)) return "verifying";
  // A layer that is already there is reported too, between others.
  return before === "verifying" ? "verifying" : "downloading";
}

/** `now` in ms. Completed bytes never decrease; the total grows when a layer is first reported. */
export function makePullProgress(place: Pick<PullState, "name" | "connection">, now: () => number): PullProgress {
  const layers = new Map<string, { completed: number; total: number }>();
  const speed = makeSpeedMeter(now);
  let current: PullState = { ...place, status: "starting", completedBytes: 0, totalBytes: 0, bytesPerSecond: 0 };

  /** Bytes a layer has when first reported were there before, so they do not count for the speed. */
  function count(digest: string, total: number, completed: number): void {
    const layer = layers.get(digest);
    const done = Math.min(Math.max(completed, layer?.completed ?? 0), Math.max(total, layer?.total ?? 0));
    if (layer !== undefined) speed.add(done - layer.completed);
    layers.set(digest, { completed: done, total: Math.max(total, layer?.total ?? 0) });
  }

  return {
    state: () => current,
    apply(step) {
      if (step.digest !== undefined && step.total !== undefined) count(step.digest, step.total, step.completed ?? 0);
      const sums = [...layers.values()];
      const completedBytes = sums.reduce((sum, layer) => sum + layer.completed, 0);
      const totalBytes = sums.reduce((sum, layer) => sum + layer.total, 0);
      const status =
        layers.size === 0 && step.status !== "success" ? "starting" : toPullStatus(step.status, current.status);
      const bytesPerSecond = speed.bytesPerSecond();
      const left =
        status === "downloading" && bytesPerSecond > 0 ? (totalBytes - completedBytes) / bytesPerSecond : undefined;
      const secondsLeft = left === undefined ? {} : { secondsLeft: Math.ceil(left) };
      current = { ...place, status, completedBytes, totalBytes, bytesPerSecond, ...secondsLeft };
      return current;
    },
  };
}
