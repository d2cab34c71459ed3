/** Types of the edit corpus: edits that local models send, and their expected results. */
import type { ErrorCode } from "@/lib/error";

/** Expected loose match and repaired mistake, and the options of the edit. */
export interface How {
  readonly loose?: "endings" | "quotes" | "indent";
  readonly slip?: "numbers" | "fence" | "entities" | "escapes" | "blank" | "diff";
  /** replace_all */
  readonly all?: true;
  /** Default: 1. */
  readonly places?: number;
}

export type Fit = [name: string, file: string, oldText: string, newText: string, after: string, how?: How];

/** `says` must occur in the text for the model. */
export type Refusal = [
  name: string,
  file: string,
  oldText: string,
  newText: string,
  code: ErrorCode,
  says: string,
  how?: Pick<How, "all">,
];

/** One class of edits. */
export interface Group {
  readonly about: string;
  readonly fits: readonly Fit[];
  readonly refusals: readonly Refusal[];
}
