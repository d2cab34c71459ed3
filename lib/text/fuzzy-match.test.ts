import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldLetters, fuzzyMatch, parseFuzzyQuery, toFuzzyText } from "./fuzzy-match";

const match = (typed: string, text: string) => fuzzyMatch(parseFuzzyQuery(typed), toFuzzyText(text));
/** The matched characters in brackets. */
function marked(typed: string, text: string): string | null {
  const found = match(typed, text);
  if (found === null) return null;
  return [...text.split("")].map((letter, at) => (found.positions.includes(at) ? `[${letter}]` : letter)).join("");
}

describe("what matches, and where", () => {
  test.each([
    ["qo", "lib/quick-open.ts", "lib/[q]uick-[o]pen.ts"],
    ["pal", "shell/palette/palette.tsx", "shell/palette/[p][a][l]ette.tsx"],
    ["src pal", "src/palette.ts", "[s][r][c]/[p][a][l]ette.ts"],
    ["src/pal", "src/palette.ts", "[s][r][c][/][p][a][l]ette.ts"],
    ["src\\pal", "src/palette.ts", "[s][r][c][/][p][a][l]ette.ts"],
    ["rt", "app/runTool.ts", "app/[r]un[T]ool.ts"],
    ["XML", "parseXMLFile.ts", "parse[X][M][L]File.ts"],
    ["cafe", "docs/Café.md", "docs/[C][a][f][é].md"],
    ["é", "docs/Café.md", "docs/Caf[é].md"],
    ["文件", "docs/新文件.md", "docs/新[文][件].md"],
    ["xwj", "docs/新文件.md", "docs/[新][文][件].md"],
    ["한글", "한글.md", "[한][글].md"],
    ["v2", "api/v1/v2.ts", "api/v1/[v][2].ts"],
    ["", "a.ts", "a.ts"],
  ])("%j in %s", (typed, text, expected) => expect(marked(typed, text)).toBe(expected));

  test.each([
    ["ab", "ba.ts"],
    ["pal x", "palette.ts"],
    ["aa", "a.ts"],
    ["文", "docs/a.md"],
  ])("%j does not match %s", (typed, text) => expect(marked(typed, text)).toBeNull());
});

describe("which of two matches better", () => {
  test.each([
    ["start of the name before its middle", "men", "menu.tsx", "comment.ts"],
    ["initials before letters in the middle", "qo", "quick-open.ts", "aqoz.ts"],
    ["camel humps before letters in the middle", "rt", "runTool.ts", "cartel.ts"],
    ["the name before its folder", "files", "src/files.ts", "files/src.ts"],
    ["a name with an extension before its test", "cart", "src/components/cart.ts", "tests/cart.test.js"],
    ["a whole name before a longer one", "tree", "lib/tree.ts", "lib/tree-row.ts"],
    ["letters side by side before scattered ones", "view", "aview.ts", "avixexw.ts"],
    ["the folder that was typed", "chat/row", "chat/tool-row.tsx", "c/h/a/tag/row.tsx"],
  ])("%s", (_name, typed, better, worse) => {
    expect(match(typed, better)?.score ?? 0).toBeGreaterThan(match(typed, worse)?.score ?? 0);
  });
});

describe("laws", () => {
  const text = fc.string({ unit: fc.constantFrom(..."abAB/._-1é文件 "), maxLength: 30 });

  test("a text matches exactly if the letters of every term occur in it in order", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ab/1"), maxLength: 5 }), text, (typed, candidate) => {
        const letters = foldLetters(candidate).split("");
        let at = 0;
        const occurs = typed.split("").every((letter) => {
          at = letters.indexOf(letter, at) + 1;
          return at > 0;
        });
        expect(match(typed, candidate) !== null).toBe(occurs);
      }),
    );
  });

  test("positions are ascending and name the typed letters", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab/1"), minLength: 1, maxLength: 5 }),
        text,
        (typed, candidate) => {
          const found = match(typed, candidate);
          if (found === null) return;
          const folded = foldLetters(candidate);
          expect(found.positions.map((at) => folded.charAt(at)).join("")).toBe(typed);
          expect([...found.positions].sort((a, b) => a - b)).toEqual(found.positions);
        },
      ),
    );
  });

  test("a typed letter more never makes more texts match", () => {
    fc.assert(
      fc.property(text, text, (typed, candidate) => {
        if (match(`${typed}b`, candidate) !== null) expect(match(typed, candidate)).not.toBeNull();
      }),
    );
  });

  test("folding retains the length", () => {
    const unit = fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code));
    fc.assert(fc.property(fc.string({ unit }), (text) => foldLetters(text).length === text.length));
  });
});
