import { expect, test } from "vitest";
import { messageReferences, type NewReference } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";
import {
  appendReferences,
  clipLabel,
  type DraftReference,
  draftReferenceName,
  shortenedReference,
} from "./draft-references";

const draft = (reference: NewReference, size: DraftReference["size"] = null): DraftReference => ({
  id: 1,
  reference,
  size,
});
const file: NewReference = { kind: "file", path: "a.ts" };
const fitting = { first: 2, last: 3 };

test.each<readonly [string, DraftReference, NewReference | null]>([
  ["what fits stays as it is", draft(file, { ok: true, tokens: 9 }), null],
  ["nothing of it fits", draft(file, { ok: true, tokens: 9, fitting: null }), null],
  ["a file", draft(file, { ok: true, tokens: 9, fitting }), { ...file, lines: fitting }],
  [
    "a text",
    draft({ kind: "text", label: "Log", text: "1\n2\n3\n4" }, { ok: true, tokens: 9, fitting }),
    { kind: "text", label: "Log:2-3", text: "2\n3" },
  ],
])("the lines that fit: %s", (_what, reference, expected) => {
  expect(shortenedReference(reference)).toEqual(expected);
});

test("a part of the project is added once, equal texts each time", () => {
  const text: NewReference = { kind: "text", label: "Log", text: "1" };
  const lines = draft({ ...file, lines: fitting });
  const { list, refused } = appendReferences([draft(file)], [draft(file), lines, lines, draft(text), draft(text)]);
  expect(list.map(({ reference }) => reference.kind)).toEqual(["file", "file", "text", "text"]);
  expect(refused).toBeNull();
});

const text = (chars: number): NewReference => ({ kind: "text", label: "Log", text: "x".repeat(chars) });

test.each<readonly [reason: string, readonly NewReference[], added: number]>([
  ["empty", [text(0), file], 1],
  ["tooLong", [text(limits.promptMaxChars), text(limits.promptMaxChars + 1)], 1],
  ["tooMany", Array.from({ length: limits.messageReferences + 1 }, () => text(1)), limits.messageReferences],
])("%s: what a message may not have is refused, and the others are added", (reason, references, added) => {
  const { list, refused } = appendReferences(
    [],
    references.map((one) => draft(one)),
  );
  expect([list.length, refused?.reason]).toEqual([added, reason]);
  expect(messageReferences.safeParse(list.map(({ reference }) => reference)).success).toBe(true);
});

test("of a long label the end is added", () => {
  const clipped = clipLabel({ kind: "text", label: `${"d/".repeat(150)}a.ts:1-9`, text: "1" });
  expect(draftReferenceName(clipped)).toMatch(/^….*d\/a\.ts:1-9$/);
  expect(messageReferences.safeParse([clipped]).success).toBe(true);
});
