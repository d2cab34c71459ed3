import { expect, test } from "vitest";
import { type AgentError, fail, makeError } from "./error";

test("the compiler refuses a fact that is misspelt, of another code, or of a wrong type", () => {
  const errors: readonly AgentError[] = [
    // @ts-expect-error It is named `tool`.
    fail("loop_detected", undefined, { tol: "read" }).error,
    // @ts-expect-error Only a model server is unreachable through a proxy.
    fail("loop_detected", undefined, { proxy: "http://proxy" }).error,
    // @ts-expect-error It is a number.
    makeError("loop_detected", { facts: { times: "3" } }),
    fail("loop_detected", undefined, { tool: "read", times: 3 }).error,
  ];
  expect(errors.map(({ code }) => code)).toEqual(Array(4).fill("loop_detected"));
});
