import { expect, test } from "vitest";
import { settingsDefaults } from "../settings/settings";
import { upgradeNoticeSetting } from "./notice-kinds";

test("a kind that an older version switched off has no place, and one that was on has the default ones", () => {
  expect(upgradeNoticeSetting("noticeFailed", false)).toEqual([]);
  expect(upgradeNoticeSetting("noticeFailed", true)).toEqual(settingsDefaults.noticeFailed);
  expect(upgradeNoticeSetting("noticeSound", true)).toBe(true);
  expect(upgradeNoticeSetting("noticeFailed", ["push"])).toEqual(["push"]);
});
