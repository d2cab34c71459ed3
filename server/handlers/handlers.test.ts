import { expect, test } from "vitest";
import { timeLimit } from "@/server/base/abort";
import { StoreError } from "@/server/store/core/store-error";
import { toAgentError } from "./handlers";

const reasonOf = async (signal: AbortSignal): Promise<unknown> => {
  if (!signal.aborted) await new Promise((fired) => signal.addEventListener("abort", fired, { once: true }));
  return signal.reason;
};

test("the timeout of a model server is not an internal error", async () => {
  expect(toAgentError(await reasonOf(timeLimit(1)))).toEqual({ code: "timeout" });
  expect(toAgentError(await reasonOf(AbortSignal.any([timeLimit(1)])))).toEqual({ code: "timeout" });
  expect(toAgentError(await reasonOf(AbortSignal.abort()))).toEqual({ code: "aborted" });
});

test("an error with one of our codes keeps it, any other is internal", () => {
  expect(toAgentError(new StoreError("disk_full", "no room"))).toMatchObject({ code: "disk_full" });
  expect(toAgentError(Object.assign(new Error("no such file"), { code: "ENOENT" }))).toMatchObject({
    code: "internal",
  });
  expect(toAgentError("words")).toEqual({ code: "internal", detail: "words" });
});
