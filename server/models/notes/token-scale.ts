/**
 * Estimates, per script, how a model's token counts differ from the general estimate. Every server count is one
 * equation over the scripts of the counted text; each script takes its part of the error by its share of the text and
 * its remaining uncertainty (a Kalman filter with a diagonal covariance). So Chinese text that costs four times the
 * estimate does not raise the estimate for English. Pure.
 */
import type { ScriptRatio, ScriptRatios } from "@/lib/models/models";
import { type CountedText, type Script, scaledTokens, scripts, type TokenScale } from "@/lib/text/estimate-tokens";

/** Before the first count: the uncertainty between vocabularies, and the most tokens a text can cost, one per byte. */
const priors: Readonly<Record<Script, { readonly spread: number; readonly most: number }>> = {
  words: { spread: 0.25, most: 6 },
  symbols: { spread: 0.3, most: 6 },
  dense: { spread: 0.5, most: 4 },
  latin: { spread: 0.9, most: 7 },
  arabic: { spread: 1.6, most: 7 },
  indic: { spread: 2.6, most: 11 },
  han: { spread: 1.3, most: 4.5 },
  kana: { spread: 1.4, most: 5.1 },
  hangul: { spread: 1.4, most: 5.3 },
  rare: { spread: 0.6, most: 2.6 },
};
const minRatio = 0.4;

/** Error of a count from templates and rounding: a share and a number of tokens. */
const noise = { share: 0.02, tokens: 30 };
/** Texts of one script differ, so a ratio never becomes certain. */
const drift = 0.03;
/** The cautious value adds nothing for uncertainty below this margin. */
const toleratedMargin = 0.3;
const deviations = 2.5;

const ratioOf = (ratios: ScriptRatios, script: Script): ScriptRatio =>
  ratios[script] ?? { ratio: 1, spread: priors[script].spread };

/** The scales that sessions use. */
export const toTokenScales = (
  ratios: ScriptRatios,
): { readonly likely: TokenScale; readonly cautious: TokenScale } => ({
  likely: likelyScale(ratios),
  cautious: cautiousScale(ratios),
});

/** The likely count of each script. */
export const likelyScale = (ratios: ScriptRatios): TokenScale => scripts.map((script) => ratioOf(ratios, script).ratio);

/**
 * A count that is rarely exceeded: far above the likely one for a script that was never counted, close to it for a
 * counted one.
 */
export const cautiousScale = (ratios: ScriptRatios): TokenScale =>
  scripts.map((script) => {
    const { ratio, spread } = ratioOf(ratios, script);
    return Math.max(ratio, Math.min(priors[script].most, ratio + Math.max(0, deviations * spread - toleratedMargin)));
  });

/** Updates the ratios from a server's count of a text. */
export function updateScale(ratios: ScriptRatios, { counts, tokens }: CountedText): ScriptRatios {
  const before = scripts.map((script) => ratioOf(ratios, script));
  const error = tokens - scaledTokens(counts, likelyScale(ratios));
  const weights = before.map(({ spread }, index) => spread ** 2 * (counts[index] ?? 0));
  const noiseOf = (noise.share * tokens) ** 2 + noise.tokens ** 2;
  const variance = weights.reduce((sum, weight, index) => sum + weight * (counts[index] ?? 0), noiseOf);
  const learned: { [script in Script]?: ScriptRatio } = { ...ratios };
  for (const [index, script] of scripts.entries()) {
    const count = counts[index] ?? 0;
    if (count <= 0) continue;
    const { ratio, spread } = ratioOf(ratios, script);
    const gain = (weights[index] ?? 0) / variance;
    learned[script] = {
      ratio: Math.min(priors[script].most, Math.max(minRatio, ratio + gain * error)),
      spread: Math.min(priors[script].spread, Math.sqrt(spread ** 2 * (1 - gain * count) + drift ** 2)),
    };
  }
  return learned;
}

/** Rounds for storage, so that a note does not change with every answer. */
export const roundScale = (ratios: ScriptRatios): ScriptRatios =>
  Object.fromEntries(
    Object.entries(ratios).map(([script, { ratio, spread }]) => [
      script,
      { ratio: Number(ratio.toPrecision(3)), spread: Number(spread.toPrecision(1)) },
    ]),
  );
