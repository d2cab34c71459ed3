/** Sentences of refused messages. */
import { expect, test } from "vitest";
import { en } from "../../messages/en";
import { errorText } from "./toast-error";

test.each(["not_found", "bad_input", "gone"] as const)("of a skill that fails with %s: where its reason is", (code) =>
  expect(errorText(en, { code, facts: { reference: "skill:pdf" } })).toBe(
    "Not sent. skill:pdf can't be used: see Settings > Skills.",
  ),
);

test("of a skill that is switched off: where it is switched on", () =>
  expect(errorText(en, { code: "tool_off", facts: { reference: "skill:pdf" } })).toBe(
    "Not sent. skill:pdf is switched off: turn it on in Settings > Skills.",
  ));

test("of a file: the file and what is wrong with it", () =>
  expect(errorText(en, { code: "not_found", facts: { reference: "a.ts" } })).toBe(
    `Not sent. a.ts: ${en.errors.sentences.not_found} Remove it, then send again.`,
  ));
