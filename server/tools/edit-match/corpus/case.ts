/** Types of the edit corpus: edits that local models send, and their expected results. */
import type { ErrorCode } from "@/lib/events/error";
import type { EditMistake } from "../repair-mistakes";

/** Expected loose match and repaired mistake, and the options of the edit. */
interface CaseOptions {
  readonly loose?: "endings" | "quotes" | "indent";
  readonly slip?: EditMistake;
  /** replace_all */
  readonly all?: true;
  /** Default: 1. */
  readonly places?: number;
}

export type MatchCase = [
  name: string,
  file: string,
  oldText: string,
  newText: string,
  after: string,
  how?: CaseOptions,
];

/** `says` must occur in the text for the model. */
export type RefusalCase = [
  name: string,
  file: string,
  oldText: string,
  newText: string,
  code: ErrorCode,
  says: string,
  how?: Pick<CaseOptions, "all">,
];

/** One class of edits. */
export interface CaseGroup {
  readonly about: string;
  readonly matches: readonly MatchCase[];
  readonly refusals: readonly RefusalCase[];
}
