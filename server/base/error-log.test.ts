import { expect, test } from "vitest";
import { makeErrorLog } from "./error-log";

test("errors are logged as a whole and counted, with the first line of the last one", () => {
  const logged: string[] = [];
  const errors = makeErrorLog(
    (line) => void logged.push(line),
    () => 7,
  );
  expect(errors.read()).toEqual({ count: 0, last: null });
  errors.add("one", new Error("a"));
  errors.add("two", "b\nmore");
  expect(errors.read()).toEqual({ count: 2, last: { at: 7, text: "two: b" } });
  expect(logged[0]).toContain("error-log.test.ts");
  expect(logged[1]).toBe("two: b\nmore");
  errors.add("page", "\u001B]0;title\u0007c\u001B[2J");
  expect(logged[2]).toBe("page: ]0;titlec[2J");
  expect(errors.read().last?.text).toBe("page: ]0;titlec[2J");
});
