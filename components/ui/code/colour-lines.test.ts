import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import python from "shiki/langs/python.mjs";
import rust from "shiki/langs/rust.mjs";
import typescript from "shiki/langs/typescript.mjs";
import { describe, expect, test } from "vitest";
import { attemptLimitsMs, colourLines, type LineGrammar } from "./colour-lines";

const makeCore = () =>
  createHighlighterCore({
    themes: [createCssVariablesTheme({ name: "gopi", variablePrefix: "--code-", fontStyle: false })],
    langs: [python, rust, typescript],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });

const samples = {
  python: 'def greet(name: str) -> str:\n    """Says\n    hello."""\n    return f"hello {name}"\n',
  rust: 'pub fn main() { let x: u32 = 1; println!("{}", x); }\n/* a\n b */ struct A;',
  typescript: "export const first = (a: number): string => `${a}`;\r\n// end\r\n",
} as const;

/** Stops early in the first `times` attempts at each line, like a grammar whose patterns are not compiled yet. */
function slow<Stack>(grammar: LineGrammar<Stack>, times: number): LineGrammar<Stack> {
  const attempts = new Map<string, number>();
  return {
    tokenizeLine2: (line, stack) => {
      const seen = attempts.get(line) ?? 0;
      attempts.set(line, seen + 1);
      const result = grammar.tokenizeLine2(line, stack, 0);
      const isLate = seen < times && line !== "";
      return isLate ? { ...result, tokens: new Uint32Array([0, 0xffffffff]), stoppedEarly: true } : result;
    },
  };
}

describe.each(["python", "rust", "typescript"] as const)("%s", (language) => {
  const code = samples[language];
  test("has the same colours in every line with a cold and a warm grammar", async () => {
    const core = await makeCore();
    const { colorMap } = core.setTheme("gopi");
    const colourOf = (at: number): string => colorMap[at] ?? "";
    const grammar = core.getLanguage(language);
    const warm = colourLines(code, slow(grammar, 0), colourOf);
    expect(new Set(warm.flat().map(([, colour]) => colour)).size).toBeGreaterThan(2);
    expect(warm.map((line) => line.reduce((sum, [length]) => sum + length, 0))).toEqual(
      code.split(/\r?\n/).map((line) => line.length),
    );
    for (let times = 1; times < attemptLimitsMs.length; times += 1)
      expect(colourLines(code, slow(grammar, times), colourOf)).toEqual(warm);
  });

  test("is not highlighted from the first line that no attempt completes", async () => {
    const core = await makeCore();
    core.setTheme("gopi");
    const stuck = () => slow(core.getLanguage(language), attemptLimitsMs.length);
    expect(colourLines(code, stuck(), String)).toEqual([]);
    expect(colourLines(`\n${code}`, stuck(), String)).toHaveLength(1);
  });
});
