/** Size of results that tools make to fit the window of the session. Pure. */
import { serverLimits } from "@/lib/settings/server-limits";
import type { ResultLimits } from "./tool";

/** Part of the limit that a result may fill: servers count differently than the estimate. */
const fillShare = 0.85;

/** Limits of a result that only its share of the window limits; bytes of the share of a window of 1,000,000 tokens. */
export const windowResultLimits: ResultLimits = { bytes: 500_000, keep: "head" };

/** Returns the most estimated tokens of a result: an eighth of the stored window. */
export const windowShareTokens = (windowTokens: number): number =>
  Math.floor(windowTokens * serverLimits.toolResultShare * fillShare) - serverLimits.messageOverheadTokens;
