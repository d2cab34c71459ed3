/** Formats the share of the prompt prefix that was read from the model server's cache. */
import type { Figures } from "@/components/words/figures";
import type { PrefixKept } from "./run-summary";

interface PrefixWords {
  readonly prefixUnknown: string;
  readonly prefixAbout: (percent: string) => string;
}

export function prefixText(kept: PrefixKept | null, words: PrefixWords, figures: Pick<Figures, "percent">): string {
  if (kept === null) return words.prefixUnknown;
  const percent = figures.percent(kept.share);
  return kept.isAbout ? words.prefixAbout(percent) : percent;
}
