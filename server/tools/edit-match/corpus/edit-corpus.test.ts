import { describe, expect, test } from "vitest";
import { applyEdit, type EditOutcome } from "../apply-edit";
import type { MatchCase, CaseGroup, RefusalCase } from "./case";
import { closingTags, searchHits } from "./copied-marks";
import { indentationShifts } from "./indentation";
import { unicodeForms } from "./unicode-forms";
import { nonPlaceholderLines, placeholderLines } from "./placeholders";
import { replaceAllEdits, exactEdits, lineEnds } from "./exact-edits";
import { blankLines, diffSigns, writtenOutEscapes, fences, htmlEntities, lineNumbers } from "./mistakes";

const groups: readonly CaseGroup[] = [
  exactEdits,
  lineEnds,
  replaceAllEdits,
  unicodeForms,
  indentationShifts,
  lineNumbers,
  searchHits,
  closingTags,
  fences,
  htmlEntities,
  writtenOutEscapes,
  blankLines,
  diffSigns,
];

const edited = (file: string, oldText: string, newText: string, all = false): EditOutcome =>
  applyEdit(file, { oldText, newText, replaceAll: all }, "\n");
const refusalMessage = (outcome: EditOutcome): string => (outcome.ok ? "" : outcome.message);

describe.each(groups)("$about", ({ matches, refusals }) => {
  test.each<MatchCase>(matches)("fits: %s", (_, file, oldText, newText, after, options = {}) => {
    const { loose, slip, all, places = 1 } = options;
    expect(edited(file, oldText, newText, all)).toEqual({
      ok: true,
      text: after,
      places,
      loose,
      mistake: slip,
    });
  });

  test.each<RefusalCase>(refusals)("refused: %s", (_, file, oldText, newText, code, expected, options = {}) => {
    const outcome = edited(file, oldText, newText, options.all);
    expect(outcome).toMatchObject({ ok: false, code });
    expect(refusalMessage(outcome)).toContain(expected);
  });
});

describe("placeholders", () => {
  test.each(placeholderLines)("refused in new_string: %s", (line) => {
    const outcome = edited("a();\nb();\n", "b();", `c();\n${line}`);
    expect(outcome).toMatchObject({ ok: false, code: "placeholder" });
    expect(refusalMessage(outcome)).toContain(line.trim());
  });

  test.each(placeholderLines)("refused in old_string, and named: %s", (line) => {
    const outcome = edited("a();\nx();\ny();\nb();\n", `a();\n${line}\nb();`, "z();");
    expect(outcome).toMatchObject({ ok: false, code: "placeholder" });
    expect(refusalMessage(outcome)).toContain(line.trim());
  });

  test.each(placeholderLines)("allowed if the file contains it: %s", (line) => {
    expect(edited(`a();\n${line}\nb();\n`, `${line}\nb();`, `${line}\nc();`)).toEqual({
      ok: true,
      text: `a();\n${line}\nc();\n`,
      places: 1,
    });
  });

  test.each(nonPlaceholderLines)("not a placeholder: %s", (line) => {
    expect(edited("a();\nb();\n", "b();", `c();\n${line}`)).toEqual({
      ok: true,
      text: `a();\nc();\n${line}\n`,
      places: 1,
    });
  });
});

describe("the corpus", () => {
  test("has at least 120 cases besides placeholders, at least 45 of them refusals, with unique names", () => {
    const all = groups.flatMap(({ about: subject, matches, refusals }) => [
      ...matches.map(([name]) => `${subject} fits ${name}`),
      ...refusals.map(([name]) => `${subject} refused ${name}`),
    ]);
    expect(all.length).toBeGreaterThanOrEqual(120);
    expect(groups.flatMap(({ refusals }) => refusals).length).toBeGreaterThanOrEqual(45);
    expect(new Set(all).size).toBe(all.length);
  });
});
