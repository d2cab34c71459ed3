/** Formats the share of the prompt prefix that was read from the model server's cache. */
import type { Figures } from "../../messages/figures";
import type { CachedPrefix } from "../run/run-summary";

interface PrefixMessages {
  readonly prefixUnknown: string;
  readonly prefixAbout: (percent: string) => string;
}

export function formatCachedPrefix(
  kept: CachedPrefix | null,
  words: PrefixMessages,
  figures: Pick<Figures, "percent">,
): string {
  if (kept === null) return words.prefixUnknown;
  const percent = figures.percent(kept.share);
  return kept.isEstimate ? words.prefixAbout(percent) : percent;
}
