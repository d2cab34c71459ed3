import { expect, test } from "vitest";
import { share } from "../messages/en/sharing/share";
import { timeLeft } from "./time-left";

const minute = 60_000;
const hour = 60 * minute;

test.each([
  [-5, "less than a minute left"],
  [minute - 1, "less than a minute left"],
  [minute, "1 min left"],
  [minute + 1, "2 min left"],
  [59 * minute, "59 min left"],
  [hour - 1, "1 h left"],
  [hour, "1 h left"],
  [8 * hour - 1, "8 h left"],
  [47 * hour, "47 h left"],
  [48 * hour - 1, "2 days left"],
  [48 * hour, "2 days left"],
  [168 * hour - 1, "7 days left"],
])("%d ms is formatted as %s", (ms, expected) => expect(timeLeft(ms, { share })).toBe(expected));
