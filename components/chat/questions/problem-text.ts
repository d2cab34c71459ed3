/** Describes the problem with the value of a field. Pure. */
import type { FieldProblem } from "@/lib/tools/elicitation";
import type { FullMessages } from "../../messages/full-messages";

export function problemText(problem: FieldProblem, { problems }: FullMessages["questions"]): string {
  switch (problem.kind) {
    case "minLength":
    case "maxLength":
    case "minItems":
    case "maxItems":
    case "minimum":
    case "maximum":
      return problems[problem.kind](problem.limit);
    default:
      return problems[problem.kind];
  }
}
