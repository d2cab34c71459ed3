/** Prompts whose size the model's server counts: before a request that may not fit, and in the report about the context. */
import { expect, test } from "vitest";
import { neverAborted } from "@/server/base/abort";
import { pathEntries } from "@/lib/view/view";
import { anyFacts } from "@/lib/events/error";
import { makeTestHarness, promptAndWait, textAnswer } from "../testing/test-harness";

const longText = "The part moves the rule. ".repeat(2_400);

test("a message that seems too large is sent when its server counts that it fits", async () => {
  const harness = await makeTestHarness({ numCtx: 8_192, countTokens: () => 3_000 });
  const session = harness.session();
  harness.script(textAnswer("Read."));
  expect(await promptAndWait(session, longText)).toBe("done");
  expect(pathEntries(session.view).map(({ kind }) => kind)).not.toContain("compaction");
  expect(harness.requests[0]?.maxOutputTokens).toBe(8_192 - 3_000);
});

test("one that does not fit by that count is refused with it, and without a count by the estimate", async () => {
  for (const countTokens of [() => 9_001, undefined]) {
    const harness = await makeTestHarness({ numCtx: 8_192, ...(countTokens && { countTokens }) });
    const session = harness.session();
    expect(await promptAndWait(session, longText)).toBe("limit");
    const error = pathEntries(session.view).find((entry) => entry.kind === "error");
    const tokens = error?.kind === "error" ? anyFacts(error.error).tokens : undefined;
    if (countTokens === undefined) expect(tokens).toBeGreaterThan(9_001);
    else expect(tokens).toBe(9_001);
  }
});

test("a prompt that surely fits is not counted, except for the report", async () => {
  let counts = 0;
  const harness = await makeTestHarness({ countTokens: () => (counts += 1) && 1_234 });
  const session = harness.session();
  harness.script(textAnswer("Hello."));
  await promptAndWait(session, "hi");
  expect(counts).toBe(0);
  const report = await session.context(neverAborted);
  expect(report.ok && report.value).toMatchObject({ total: 1_234, isCounted: true });
  expect(report.ok && report.value.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(1_234);
});
