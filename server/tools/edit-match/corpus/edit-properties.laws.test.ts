import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { applyEdit, type EditOutcome } from "../apply-edit";

const edited = (file: string, oldText: string, newText: string, replaceAll = false): EditOutcome =>
  applyEdit(file, { oldText, newText, replaceAll }, "\n");

/** Typical lines of files: repeated ones, quotes, accents, tabs, braces, numbers. */
const line = fc.oneof(
  fc.constantFrom(
    "",
    "}",
    "  }",
    "\treturn a;",
    "    x = 1  # one",
    'say("hi")',
    "it\u2019s \u201cso\u201d",
    "cafe\u0301",
  ),
  fc.constantFrom("a\u00a0b", "名称：一", "- item", "12\tTSV", "`code`", "a < b && c", 'p("\\n")', "\u200bhidden"),
  fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 30 })).map(([depth, id]) => `${"  ".repeat(depth)}call${id}(arg);`),
);
const block = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => ["first line of it", ...lines, "last"]);
const lines = fc.array(line, { maxLength: 15 });
const eol = fc.constantFrom("\n", "\r\n", "\r");

/** Simulates how a model copies lines; `from` is the number of the first one. */
type CopyMistake = (lines: readonly string[], from: number) => string;
const copyMistakes: readonly CopyMistake[] = [
  (all) => all.join("\n"),
  (all) => all.join("\r\n"),
  (all) => all.map((one) => `${one}  `).join("\n"),
  (all) => all.map((one) => one.replaceAll(/[\u201c\u201d]/g, '"').replaceAll("\u2019", "'")).join("\n"),
  (all) => all.join("\n").normalize("NFC"),
  (all) => all.join("\n").replaceAll("\u200b", ""),
  (all) => all.map((one) => (one === "" ? "" : `  ${one}`)).join("\n"),
  (all, from) => all.map((one, index) => `${from + index}\t${one}`).join("\n"),
  (all) => `\`\`\`\n${all.join("\n")}\n\`\`\``,
  (all) => `\n\n${all.join("\n")}\n\n`,
  (all) => all.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  (all) => JSON.stringify(all.join("\n")).slice(1, -1),
];
const copyMistake = fc.constantFrom(...copyMistakes);

/** Normalizes a text so that spellings of the same letters compare equal. */
const normalizeSpelling = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll("\u2019", "'")
    .replaceAll("\u00a0", " ")
    .replaceAll("：", ":")
    .replaceAll("\u200b", "")
    .split(/\r\n|\r|\n/)
    .map((one) => one.trim())
    .join("\n");

describe("properties of an edit", () => {
  test("text around the match is unchanged byte for byte and the new text replaces it", () => {
    let edits = 0;
    fc.assert(
      fc.property(lines, block, lines, eol, copyMistake, (before, old, after, end, slipped) => {
        const changed = [...old.slice(0, -1), "a new line();", "last one"];
        const head = before.map((one) => one + end).join("");
        const tail = after.map((one) => end + one).join("");
        const from = before.length + 1;
        const outcome = edited(head + old.join(end) + tail, slipped(old, from), slipped(changed, from));
        if (!outcome.ok) return;
        edits++;
        expect(outcome.places).toBe(1);
        expect(outcome.text.startsWith(head)).toBe(true);
        expect(outcome.text.endsWith(tail)).toBe(true);
        const inside = outcome.text.slice(head.length, outcome.text.length - tail.length);
        expect(normalizeSpelling(inside)).toBe(normalizeSpelling(changed.join("\n")));
        expect(new Set(inside.match(/\r\n|\r|\n/g))).toEqual(new Set([end]));
      }),
      { numRuns: lawRuns(2_000) },
    );
    expect(edits).toBeGreaterThan(lawRuns(1_000));
  });

  test("an exact copy always matches", () => {
    fc.assert(
      fc.property(lines, block, lines, eol, (before, old, after, end) => {
        const file = [...before, ...old, ...after].join(end);
        const after1 = [...before, "x", ...after].join(end);
        expect(edited(file, old.join("\n"), "x")).toEqual({ ok: true, text: after1, places: 1 });
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  test("a text with two occurrences is refused in every form, and replaced twice by replace_all", () => {
    fc.assert(
      fc.property(lines, block, lines, eol, copyMistake, (before, old, after, end, slipped) => {
        const file = [...before, ...old, ...after, ...old].join(end);
        const oldText = slipped(old, before.length + 1);
        // With the blank lines around it, it may occur exactly once except for line ends: then it is unambiguous.
        fc.pre(file.split(oldText.replaceAll("\n", end)).length !== 2);
        const outcome = edited(file, oldText, "x");
        expect(outcome.ok).toBe(false);
        expect(edited(file, old.join("\n"), "x", true)).toEqual({
          ok: true,
          text: [...before, "x", ...after, "x"].join(end),
          places: 2,
        });
      }),
      { numRuns: lawRuns(2_000) },
    );
  });

  test("one different word is refused in every form", () => {
    fc.assert(
      fc.property(lines, block, lines, eol, copyMistake, fc.nat(), (before, old, after, end, slipped, at) => {
        const wrong = old.map((one, index) => (index === at % old.length ? `${one} otherword` : one));
        const file = [...before, ...old, ...after].join(end);
        const outcome = edited(file, slipped(wrong, before.length + 1), "x");
        expect(outcome).toMatchObject({ ok: false, code: "no_match" });
      }),
      { numRuns: lawRuns(2_000) },
    );
  });

  test("any two strings result in a change or a bounded refusal with advice", () => {
    const sign = fc.constantFrom(
      ..."ab1 \t\n\r\"'`\\n&lt;-+@\u0301\u200b\u00a0\u201d：\ud83d\ude00",
      "\r\n",
      "1\t",
      "```",
      "&amp;",
    );
    const text = fc.array(sign, { maxLength: 40 }).map((signs) => signs.join(""));
    fc.assert(
      fc.property(text, text, text, fc.boolean(), (file, oldText, newText, all) => {
        const outcome = edited(file, oldText, newText, all);
        if (outcome.ok) expect(outcome.text).not.toBe(file);
        else {
          expect(outcome.message.length).toBeLessThan(4_000);
          expect(outcome.message).toMatch(/\.|:\n/);
        }
      }),
      { numRuns: lawRuns(5_000) },
    );
  });
});
