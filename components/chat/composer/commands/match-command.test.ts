import { expect, test } from "vitest";
import type { OfferedCommand } from "@/lib/tools/extensions";
import { completeCommand, parseCommand } from "./match-command";

const commands: readonly OfferedCommand[] = ["review", "refine", "git:push"].map((name) => ({
  name,
  description: "",
  from: "x",
  isScript: false,
}));

test.each([
  ["/re", ["review", "refine"]],
  ["/", ["review", "refine", "git:push"]],
  ["/git:", ["git:push"]],
  ["/review", []],
  ["/review ", []],
  ["re", []],
  ["/x", []],
])("%j is completed to %j", (text, names) =>
  expect(completeCommand(text, commands).map(({ name }) => name)).toEqual(names),
);

test.each([
  ["/review a.ts  now ", { name: "review", input: "a.ts  now" }],
  ["/review", { name: "review", input: "" }],
  ["/git:push two\nlines", { name: "git:push", input: "two\nlines" }],
  ["/reviewer a", null],
  ["/usr/bin/env", null],
  ["do /review", null],
])("%j is %j", (text, expected) => expect(parseCommand(text, commands)).toEqual(expected));
