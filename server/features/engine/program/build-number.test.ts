import { expect, test } from "vitest";
import { findBuildNumber, isOlderBuild } from "./build-number";

test.each([
  ["0.7.0 (build 11669, commit Debian)", 11_669],
  ["6700 (abc)", 6_700],
  ["b11194", 11_194],
  ["unknown", null],
  ["0 (unknown)", 0],
  ["", null],
])("the build of %j is %s", (version, number) => expect(findBuildNumber(version)).toBe(number));

test.each([
  ["6700 (abc)", "b6701", true],
  ["6700 (abc)", "b6700", false],
  ["6701 (abc)", "b6700", false],
  ["0.7.0 (build 9999, x)", "b11194", true],
  ["9999 (abc)", "b10000", true],
  ["6700 (abc)", "nightly", null],
  ["mine", "b6700", null],
])("%j is older than the release %s: %s", (version, release, isOlder) =>
  expect(isOlderBuild(version, release)).toBe(isOlder),
);
