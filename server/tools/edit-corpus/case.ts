/** The shape of the edit corpus: what local models send, and what must become of it. Read by edit-corpus.test.ts. */
import type { ErrorCode } from "@/lib/error";

/** What the answer says about a place that was not found exactly, and how the edit was asked for. */
export interface How {
  readonly loose?: "endings" | "quotes" | "indent";
  readonly slip?: "numbers" | "fence" | "entities" | "escapes" | "blank" | "diff";
  /** replace_all */
  readonly all?: true;
  /** 1 when absent */
  readonly places?: number;
}

export type Fit = [name: string, file: string, oldText: string, newText: string, after: string, how?: How];

/** `says` stands in the text for the model. */
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
