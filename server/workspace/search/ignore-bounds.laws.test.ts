/** Patterns from a project or a model must not block the server, however many stars they have. */
import { expect, test } from "vitest";
import { isProtectedName } from "@/server/security/paths/safe-path";
import { braceExpansion, mayMatch, shellComponent } from "@/server/security/shell/shell-glob";
import { matchGlob } from "@/server/security/rules/path-glob";
import { makeGlob } from "./glob";
import { ignoreLevels, isPathIgnored } from "./ignore-rules";

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
  for (let at = 0; at < 200; at += 1)
    expect(isPathIgnored(levels, `${"a/".repeat(20)}${name}${at}`, false)).toBe(false);
});

test("patterns with many stars still apply, beside others", () => {
  const levels = ignoreLevels([], "", "dist\n*.a*b*c*\n*.log\n");
  expect(isPathIgnored(levels, "x.a1b2c3", false)).toBe(true);
  expect(isPathIgnored(levels, "src/x.abc", false)).toBe(true);
  expect(isPathIgnored(levels, "src/x.ab", false)).toBe(false);
  expect(isPathIgnored(levels, "dist", true)).toBe(true);
  expect(isPathIgnored(levels, "a/b.log", false)).toBe(true);
});

test("protected names with many stars match in bounded time", () => {
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

const hostile: readonly (readonly [name: string, pattern: string])[] = [
  ["alternatives in a row", "{a,b}".repeat(800)],
  ["many alternatives in a row", `{${"a,".repeat(255)}}`.repeat(7)],
  ["alternatives with stars", "{*a*a*a*a*b,*a*a*a*b}".repeat(8)],
  ["commas", `{${",".repeat(4_000)}}`],
  ["nested braces", "{a,".repeat(600) + "}".repeat(600)],
  ["nested braces that do not all close", "{a,".repeat(1_300) + "}".repeat(190)],
  ["open braces", "{,".repeat(2_000)],
  ["open brackets", "[".repeat(4_000)],
  ["open brackets before a quoted one", `${"[a".repeat(2_000)}\\]`],
  ["open brackets before a class", `${"[".repeat(2_000)}[:alpha:]${"[:".repeat(900)}`],
  ["a class of many letters", `[!${"b".repeat(4_000)}]*b`],
  ["stars", `${"*a".repeat(2_000)}b`],
  ["any depth", `${"**/*a/".repeat(600)}b`],
  ["question marks", "?".repeat(4_000)],
  ["blanks", " ".repeat(60_000)],
  ["quoted blanks", "\\ ".repeat(30_000)],
  ["blanks inside", `a${" ".repeat(60_000)}b`],
  ["slashes", "/".repeat(60_000)],
];

test.each(hostile)("%s end in every matcher of external patterns", (_, pattern) => {
  const deep = Array.from({ length: 16 }, () => name).join("/");
  const glob = makeGlob(pattern);
  const levels = ignoreLevels([], "", `${pattern}\n`);
  for (let at = 0; at < 50; at += 1) glob(`${deep}/${at}`);
  isPathIgnored(levels, deep, false);
  matchGlob(pattern, deep, { ignoreCase: true, strict: false });
  braceExpansion(pattern, "x");
  const [component = ""] = pattern.split("/");
  const shell = shellComponent(component);
  if (shell.kind === "wild") shell.match(name);
  mayMatch(component, name);
  isProtectedName(name, { protectedNames: [pattern] });
});

test("a .gitignore skips an overlong line and applies its first ten thousand lines", () => {
  const levels = ignoreLevels([], "", `dist\n${"x".repeat(70_000)}\n*.log\n`);
  expect(isPathIgnored(levels, "a.log", false)).toBe(true);
  expect(isPathIgnored(levels, "dist", true)).toBe(true);
  const many = ignoreLevels([], "", "*a*b\n".repeat(20_000) + "last\n");
  expect(isPathIgnored(many, "last", false)).toBe(false);
});

test("nested alternatives expand without duplicates", () => {
  const words = (pattern: string) => braceExpansion(pattern, "?")?.toSorted();
  expect(words("{a,b{c,d}}x")).toEqual(["ax", "bcx", "bdx"]);
  expect(words("{a,{b,{c,{d,{e,{f,{g,{h,{i,{j,k}}}}}}}}}}")).toEqual([..."abcdefghijk"]);
  expect(makeGlob("{a,{b,{c,{d,{e,{f,{g,{h,{i,{j,k}}}}}}}}}}.ts")("k.ts")).toBe(true);
});
