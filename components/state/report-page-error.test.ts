// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { connectClient } from "../shell/frame/test-dom";
import { reportPageError } from "./report-page-error";

test("uncaught errors of the page are reported, notices of the browser and aborted requests are not", async () => {
  const { client, inputsOf } = await connectClient(() => undefined);
  const report = (type: string, fields: object) => reportPageError(Object.assign(new Event(type), fields), client.call);
  const failed = new TypeError("x is null");
  report("error", { error: failed });
  report("unhandledrejection", { reason: new Error("late") });
  report("error", { error: null });
  report("unhandledrejection", { reason: new DOMException("", "AbortError") });
  await eventually(() =>
    expect(inputsOf("app.report_error")).toMatchObject([
      { text: expect.stringMatching(/^x is null\n[^]*report-page-error\.test/) },
      { text: expect.stringMatching(/^late/) },
    ]),
  );
});

test("an error that repeats is reported a limited number of times", async () => {
  const { client, inputsOf } = await connectClient(() => undefined);
  const report = (type: string, fields: object) => reportPageError(Object.assign(new Event(type), fields), client.call);
  for (let index = 0; index < 200; index += 1) report("error", { error: new Error("again") });
  await client.call("app.log", {});
  expect(inputsOf("app.report_error")).toHaveLength(50);
});
