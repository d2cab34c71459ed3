import { expect, test } from "vitest";
import { toProjectPath } from "./open-reference";

test.each([
  ["src/a.ts", [], "src/a.ts"],
  ["./src/a.ts", [], "src/a.ts"],
  ["/home/me/p/src/a.ts", [], "src/a.ts"],
  ["/home/me/p2/src/a.ts", [], "/home/me/p2/src/a.ts"],
  ["a.ts", [], "a.ts"],
  ["a.ts", ["src/a.ts"], "src/a.ts"],
  ["a.ts", ["src/a.ts", "a.ts"], "a.ts"],
] as const)("%s with the open tabs %j resolves to %s", (written, tabs, expected) =>
  expect(toProjectPath(written, "/home/me/p", tabs)).toBe(expected),
);
