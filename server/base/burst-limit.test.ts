import { expect, test } from "vitest";
import { makeBurstLimit } from "./burst-limit";

test("after the last message of a burst one says that there are more, and then there is quiet for the same time", () => {
  let at = 0;
  const next = makeBurstLimit({ max: 2, windowMs: 100, now: () => at });
  const take = (time: number): string => {
    at = time;
    return next();
  };
  expect([0, 50, 60, 70, 150].map(take)).toEqual(["message", "message", "more", "none", "none"]);
  expect([160, 170, 180].map(take)).toEqual(["message", "message", "more"]);
});
