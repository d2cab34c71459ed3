import { expect, test } from "vitest";
import { settingsDefaults } from "../settings/settings";
import { upgradeSettingValue } from "./notice-kinds";

test("a kind that an older version switched off has no place, and one that was on has the default ones", () => {
  expect(upgradeSettingValue("noticeFailed", false)).toEqual([]);
  expect(upgradeSettingValue("noticeFailed", true)).toEqual(settingsDefaults.noticeFailed);
  expect(upgradeSettingValue("noticeSound", true)).toBe(true);
  expect(upgradeSettingValue("noticeFailed", ["push"])).toEqual(["push"]);
});
