/** Facts of a session's model that its context depends on. */
import type { LateSplit } from "./models";
import type { TokenScale } from "../text/estimate-tokens";

/** Current facts of the session's model. */
export interface ModelFacts {
  /** Tokens: the minimum of the requested window, the window allocated by the server, and the model's own. */
  readonly window: number;
  /** The same before a refusal or a truncated prompt showed a smaller window; absent = none did. */
  readonly asked?: number;
  /** The server allocates its window whatever a request asks for, so that a smaller one is that of the session from then on. */
  readonly isServers?: boolean;
  /** Server tokens per estimated token, over all scripts; 1 = unknown. */
  readonly tokenRatio: number;
  /** Part of its thinking that arrives as text; absent = not seen. */
  readonly lateSplit?: LateSplit;
  /** Its server can hold an answer when the connection ends. */
  readonly holdsAnswers?: true;
  /** The same per script: the likely count and one that is rarely exceeded. Absent = `tokenRatio` for all. */
  readonly scale?: { readonly likely: TokenScale; readonly cautious: TokenScale };
}
