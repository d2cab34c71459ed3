/** Why a text is no document that can be used. */

/**
 * html = a web page; syntax = neither JSON nor YAML, at `line` and `column` from 1; not_openapi = something else; swagger_1,
 * version = a `version` that is not read.
 */
export const problemReasons = [
  "empty",
  "html",
  "syntax",
  "not_openapi",
  "swagger_1",
  "version",
  "no_operations",
] as const;

export interface DocumentProblem {
  readonly reason: (typeof problemReasons)[number];
  readonly line?: number;
  readonly column?: number;
  readonly version?: string;
}
