/** Errors of the operating system by their names. */
import { expect, test } from "vitest";
import { errnoName, writeErrorCodes } from "./system-errors";

const systemError = (code: unknown): Error => Object.assign(new Error("failed"), { code });

test.each([
  ["EACCES", "no_permission"],
  ["EPERM", "no_permission"],
  ["EROFS", "no_permission"],
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  ["EIO", undefined],
])("a write that fails with %s is %s", (name, code) => {
  expect(writeErrorCodes[errnoName(systemError(name))]).toBe(code);
});

test.each([systemError(7), new Error("ENOSPC"), "ENOSPC", null])("%s has no name", (error) => {
  expect(errnoName(error)).toBe("");
});
