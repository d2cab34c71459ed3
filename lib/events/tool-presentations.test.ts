import { expect, test } from "vitest";
import { isCommandKind, isFileKind, presentationOf } from "./tool-presentations";

test("a kind that this program does not have is presented as any other tool", () => {
  for (const kind of ["weather", "", "constructor", "__proto__"])
    expect(presentationOf(kind)).toBe(presentationOf("other"));
});

test("only the shell runs commands, and only a read returns a part of a file", () => {
  const kinds = ["read", "list", "find", "search", "edit", "write", "delete", "shell", "other", "weather"];
  expect(kinds.filter(isCommandKind)).toEqual(["shell"]);
  expect(kinds.filter(isFileKind)).toEqual(["read"]);
});
