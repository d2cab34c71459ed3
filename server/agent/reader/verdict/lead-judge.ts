/** Decides whether the text before a call candidate speaks against it. */
import { classifyLead, isExplanation, contextMaxChars } from "./lead-classifier";
import type { CallConfidence } from "../scan-answer";
import { trimTokens } from "../stop-tokens";

/** A longer text before bare JSON is an essay, unless it ends in an intention. */
const leadMaxChars = 1_500;

const labeledThought =
  /(?:^|\n)[ \t]{0,8}[*_#]{0,4}[ \t]{0,4}(?:Thought|Thinking|思考|想法)[*_]{0,2}\s{0,4}[:：][^\n]*(?:\n(?!\n)[^\n]*)*\s*$/i;

export const isWeakConfidence = (strength: CallConfidence): boolean => strength === "bare" || strength === "fence";

/** A call in its family's own marks that is complete and ends the message is no quotation. */
interface LedPart {
  readonly strength: CallConfidence;
  readonly endsMessage: boolean;
}

function isNotIntended({ strength, endsMessage }: LedPart, lead: string, strict: boolean): boolean {
  const near = lead.slice(-contextMaxChars);
  if (strength === "react" && labeledThought.test(near)) return false;
  const announcement = classifyLead(near);
  if (announcement === "meant") return false;
  if (announcement === "shown" || strict) return true;
  if (announcement === "presented") return isWeakConfidence(strength) || !endsMessage;
  return isWeakConfidence(strength) && lead.trim().length > leadMaxChars;
}

export interface LeadJudge {
  /** `lead` = the text between the previous part and this one. Call once per part, in order. */
  refuses(part: LedPart, lead: string): boolean;
  /** Resets after a part that is not a call: thinking or separate text. */
  reset(): void;
}

export function makeLeadJudge(): LeadJudge {
  let before: "none" | "accepted" | "refused" = "none";
  /** An earlier part was an example or was explained: from then on only an intention counts. */
  let strict = false;
  return {
    refuses(part, lead) {
      const joined = before !== "none" && trimTokens(lead) === "";
      strict ||= before !== "none" && isExplanation(trimTokens(lead.slice(0, contextMaxChars)));
      const refused = joined ? before === "refused" : isNotIntended(part, lead, strict);
      strict ||= refused;
      before = refused ? "refused" : "accepted";
      return refused;
    },
    reset() {
      before = "none";
    },
  };
}
