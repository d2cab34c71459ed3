/** Patterns of a project or a model may not hold the server, however many stars they have (R57). */
import { expect, test } from "vitest";
import { isProtectedName } from "../security/paths";
import { makeGlob } from "./glob";
import { ignoreLevels, isIgnoredBy } from "./ignore-rules";

const name = "a".repeat(250);

test.each([
  "*a*a*a*b",
  `${"*a".repeat(100)}*b`,
  "**/a*/**/a*/**/a*/**/b",
  `${"*?".repeat(100)}b`,
  `x/${"*a".repeat(60)}b`,
  `!${"*a".repeat(60)}b`,
])("%s ends for names that almost match", (pattern) => {
  const levels = ignoreLevels([], "", `${pattern}\n`);
  for (let at = 0; at < 200; at += 1) expect(isIgnoredBy(levels, `${"a/".repeat(20)}${name}${at}`, false)).toBe(false);
});

test("patterns with many stars still ignore, beside the others", () => {
  const levels = ignoreLevels([], "", "dist\n*.a*b*c*\n*.log\n");
  expect(isIgnoredBy(levels, "x.a1b2c3", false)).toBe(true);
  expect(isIgnoredBy(levels, "src/x.abc", false)).toBe(true);
  expect(isIgnoredBy(levels, "src/x.ab", false)).toBe(false);
  expect(isIgnoredBy(levels, "dist", true)).toBe(true);
  expect(isIgnoredBy(levels, "a/b.log", false)).toBe(true);
});

test("the user's protected names with many stars end, and match as before", () => {
  const policy = { protectedNames: [`${"*a".repeat(50)}b`, "key*.p?m", "v*lt"] };
  expect(isProtectedName(name, policy)).toBe(false);
  expect(isProtectedName("vault", policy)).toBe(true);
  expect(isProtectedName("VAULT", policy)).toBe(true);
  expect(isProtectedName("key1.p?m", policy)).toBe(true);
  expect(isProtectedName("key1.pem", policy)).toBe(false);
});

test("a glob longer than any path matches nothing", () => {
  expect(makeGlob("{a,b}".repeat(2_000))("a")).toBe(false);
  expect(makeGlob("{a,b}")("a")).toBe(true);
});
