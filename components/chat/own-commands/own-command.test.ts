import { expect, test } from "vitest";
import { ownCommandText } from "./own-command";

test("a command that started in the project folder is repeated as it is", () =>
  expect(ownCommandText({ target: "make", facts: {} })).toBe("make"));
