import { describe, expect, test } from "vitest";
import type { ScriptRatios } from "@/lib/models/models";
import { countScripts, estimateTokens, scaledTokens, scripts, type TokenScale } from "@/lib/text/estimate-tokens";
import { cautiousScale, updateScale, likelyScale } from "./token-scale";

const english = "The server does not answer. Start it, then send the message again, please. ".repeat(40);
const chinese = "模型服务器没有回答,请检查它是否已经启动,然后再试一次。".repeat(20);
/** A vocabulary without Chinese. */
const truth: TokenScale = scripts.map((script) => (script === "han" ? 4.4 : 1.1));
const countOf = (text: string): number => Math.round(scaledTokens(countScripts(text), truth));
const after = (texts: readonly string[], from: ScriptRatios = {}): ScriptRatios =>
  texts.reduce((ratios, text) => updateScale(ratios, { counts: countScripts(text), tokens: countOf(text) }), from);
const estimated = (ratios: ScriptRatios, text: string): number => estimateTokens(text, likelyScale(ratios));
const offBy = (ratios: ScriptRatios, text: string): number => Math.abs(estimated(ratios, text) / countOf(text) - 1);

describe("the token scale of a model", () => {
  test("learns each script separately: Chinese text does not raise the estimate for English", () => {
    const ratios = after([english, english + chinese, chinese]);
    expect(offBy(ratios, chinese)).toBeLessThan(0.1);
    expect(offBy(ratios, english)).toBeLessThan(0.1);
  });

  test("is nearly right for a mixed text after one count of it", () => {
    expect(offBy(after([english + chinese]), english + chinese)).toBeLessThan(0.1);
  });

  test("is cautious for a script that was never counted, and not for a counted one", () => {
    const ratios = after([english, english]);
    expect(estimateTokens(chinese, cautiousScale(ratios))).toBeGreaterThan(countOf(chinese) * 0.8);
    expect(estimateTokens(english, cautiousScale(ratios))).toBeLessThan(countOf(english) * 1.15);
    const both = after([chinese, chinese], ratios);
    expect(estimateTokens(chinese, cautiousScale(both))).toBeLessThan(countOf(chinese) * 1.2);
  });

  test("stays within the possible cost of a text, whatever a server counts", () => {
    const counts = countScripts(english + chinese);
    for (const tokens of [1, 1_000_000]) {
      const ratios = updateScale({}, { counts, tokens });
      for (const ratio of likelyScale(ratios)) {
        expect(ratio).toBeGreaterThanOrEqual(0.4);
        expect(ratio).toBeLessThanOrEqual(11);
      }
    }
  });

  test("follows a model whose counts change", () => {
    const twice = scripts.map(() => 2);
    let ratios = after(Array.from({ length: 30 }, () => english));
    for (let round = 0; round < 30; round += 1)
      ratios = updateScale(ratios, {
        counts: countScripts(english),
        tokens: scaledTokens(countScripts(english), twice),
      });
    expect(likelyScale(ratios)[0]).toBeGreaterThan(1.8);
  });
});
