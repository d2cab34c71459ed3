import { expect, test } from "vitest";
import type { WindowPlan } from "@/lib/models/models";
import { nextSmallerWindow, nextLargerWindow, findWindowLimit, windowSteps } from "./window-steps";

/** 4 GB of model and 100 kB for each token; 16 GB of memory. */
const plan: WindowPlan = {
  model: "m",
  chosen: 8_192,
  by: "memory",
  steps: [
    { tokens: 4_096, bytes: 4_409_600_000, fits: true },
    { tokens: 8_192, bytes: 4_819_200_000, fits: true },
    { tokens: 16_384, bytes: 5_638_400_000, fits: true },
    { tokens: 32_768, bytes: 7_276_800_000, fits: false },
  ],
};
const unknown: WindowPlan = { ...plan, steps: plan.steps.map(({ tokens }) => ({ tokens, fits: null })) };

test("a step's price is its difference to the window in use", () => {
  expect(windowSteps(plan, 8_192).map((step) => step.moreBytes)).toEqual([-409_600_000, 0, 819_200_000, 2_457_600_000]);
});

test("a window between two steps is interpolated", () => {
  expect(nextLargerWindow(plan, 6_144)).toEqual({ tokens: 8_192, fits: true, moreBytes: 204_800_000 });
});

test("stepUp returns the next larger step that may fit, stepDown the next smaller step", () => {
  expect(nextLargerWindow(plan, 8_192)?.tokens).toBe(16_384);
  expect(nextLargerWindow(plan, 16_384)).toBeNull();
  expect(nextSmallerWindow(plan, 16_384)?.tokens).toBe(8_192);
  expect(nextSmallerWindow(plan, 4_096)).toBeNull();
});

test("a window that is too small for what is needed is no step up", () => {
  expect(nextLargerWindow(plan, 4_096, 8_193)?.tokens).toBe(16_384);
  expect(nextLargerWindow(plan, 4_096, 8_192)?.tokens).toBe(8_192);
  expect(nextLargerWindow(plan, 4_096, 16_385)).toBeNull();
});

test.each([
  ["the model was trained for less than is needed", 32_768, 16_384, 37_500, "model"],
  ["the model was trained for this window", 16_384, 16_384, 0, "model"],
  ["the memory is too small for the next step", 32_768, 16_384, 0, "memory"],
  ["the memory is too small for what is needed", 65_536, 16_384, 20_000, "memory"],
  ["no step is as large as what is needed", 65_536, 16_384, 40_000, null],
  ["the model does not say what it was trained for", undefined, 16_384, 40_000, null],
] as const)("%s", (_name, own, current, needed, limit) => {
  expect(nextLargerWindow({ ...plan, own }, current, needed)).toBeNull();
  expect(findWindowLimit({ ...plan, own }, current, needed)).toBe(limit);
});

test("steps with unknown memory have no price", () => {
  expect(nextLargerWindow(unknown, 8_192)).toEqual({ tokens: 16_384, fits: null, moreBytes: null });
});
