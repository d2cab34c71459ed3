/** Formats the share of the prompt prefix that was read from the model server's cache. */
import type { Figures } from "../../messages/figures";
import type { CachedPrefix } from "../run/run-summary";

interface PrefixMessages {
  readonly prefixUnknown: string;
  readonly prefixAbout: (percent: string) => string;
}

export function formatCachedPrefix(
  cachedPrefix: CachedPrefix | null,
  words: PrefixMessages,
  figures: Pick<Figures, "percent">,
): string {
  if (cachedPrefix === null) return words.prefixUnknown;
  const percent = figures.percent(cachedPrefix.share);
  return cachedPrefix.isEstimate ? words.prefixAbout(percent) : percent;
}
