/** Decides whether the text before a call candidate speaks against it. */
import { classifyLead, isExplanation, contextMaxChars } from "./lead-classifier";
import type { CallConfidence } from "../scan-answer";
import { trimTokens } from "../stop-tokens";

/** A longer text before bare JSON is an essay, unless it ends in an intention. */
const leadMaxChars = 1_500;

const labeledThought =
  /(?:^|\n)[ \t]{0,8}[*_#]{0,4}[ \t]{0,4}(?:Thought|Thinking|思考|想法)[*_]{0,2}\s{0,4}[:：][^\n]*(?:\n(?!\n)[^\n]*)*\s*$/i;

export const isWeakConfidence = (strength: CallConfidence): boolean => strength === "bare" || strength === "fence";

interface JudgedCalls {
  readonly strength: CallConfidence;
  /** Complete, in the model's own syntax, in a message that ends with calls. */
  readonly certain: boolean;
  /** A text alone in a tool's tag, as any document may have: only an intention announces it. */
  readonly isText?: boolean;
}

function isNotIntended({ strength, certain, isText = false }: JudgedCalls, lead: string, strict: boolean): boolean {
  const near = lead.slice(-contextMaxChars);
  if (strength === "react" && labeledThought.test(near)) return false;
  const announcement = classifyLead(near, certain);
  const needsIntention = strict || (isText && trimTokens(near) !== "");
  if (announcement === "shown" || (needsIntention && announcement === "plain")) return true;
  return isWeakConfidence(strength) && announcement === "plain" && lead.trim().length > leadMaxChars;
}

export interface LeadJudge {
  /** `lead` = the text between the previous part and this one. Call once per part, in order. */
  refuses(calls: JudgedCalls, lead: string): boolean;
  /** Resets after a part that is not a call: thinking or separate text. */
  reset(): void;
}

export function makeLeadJudge(): LeadJudge {
  let before: "none" | "accepted" | "refused" = "none";
  /** An earlier part was an example or was explained: from then on only an intention counts. */
  let strict = false;
  return {
    refuses(calls, lead) {
      const joined = before !== "none" && trimTokens(lead) === "";
      strict ||= before !== "none" && isExplanation(trimTokens(lead.slice(0, contextMaxChars)));
      const refused = joined ? before === "refused" : isNotIntended(calls, lead, strict);
      strict ||= refused;
      before = refused ? "refused" : "accepted";
      return refused;
    },
    reset() {
      before = "none";
    },
  };
}
