import { expect, test } from "vitest";
import { asId, type CallId } from "@/lib/events/id";
import type { StyleSpan } from "@/lib/text/ansi-styles";
import { makeRedactor } from "@/server/security/redaction/redact";
import { sharedOutput } from "./share-output";

const secret = "correct-horse-battery-staple-7431";
const mask = makeRedactor({ secrets: [secret], homes: [] });
const styles: readonly StyleSpan[] = [{ from: 0, to: 2, color: "red" }];
const shared = (text: string) =>
  sharedOutput(
    {
      type: "tool_call_end",
      callId: asId<CallId>("c"),
      outcome: "ok",
      output: [{ type: "text", text, styles }],
      facts: {},
      tookMs: 1,
    },
    "shell",
    mask,
  );

test("viewers get the colours of an output only when nothing in it was masked", () => {
  expect(shared("ok\n[exit code 0]")).toEqual([{ type: "text", text: "ok\n[exit code 0]", styles }]);
  const masked = shared(`ok ${secret}\n[exit code 0]`);
  expect(JSON.stringify(masked)).not.toContain(secret);
  expect(masked[0]).not.toHaveProperty("styles");
});
