/** The buttons of an approval in their order, and which key presses which. Pure; drawn by approval-card.tsx. */
import type { ApprovalOption } from "@/lib/policy";
import type { ApprovalView } from "@/lib/view";

export type Choice = ApprovalOption | "deny_why";

/** A card that has just come takes no key for so long: it may have come under a finger that meant something else. */
export const keyRestMs = 400;

const order = ["once", "always", "edits", "deny"] as const satisfies readonly ApprovalOption[];

/** `always` needs a proposed rule. To deny with a reason is there whenever to deny is. */
export function choicesOf(approval: Pick<ApprovalView, "options" | "rule">): readonly Choice[] {
  const choices: Choice[] = order.filter(
    (option) => approval.options.includes(option) && (option !== "always" || approval.rule !== undefined),
  );
  return choices.includes("deny") ? [...choices, "deny_why"] : choices;
}

export interface CardKey {
  readonly key: string;
  readonly modified: boolean;
  /** An input method is at work. */
  readonly composing: boolean;
  readonly repeat: boolean;
  /** ms since the card came. */
  readonly shownForMs: number;
  /** The key came from a field inside the card. */
  readonly inField: boolean;
}

/** What a key does while the card has focus: nothing for its first moments, a choice for 1 to 9; Enter is never a choice. */
export function cardKey(event: CardKey, choices: readonly Choice[]): Choice | "swallow" | "pass" {
  if (event.inField) return "pass";
  const press = event.key === "Enter" || event.key === " " || /^[1-9]$/.test(event.key);
  if (event.shownForMs < keyRestMs && press) return "swallow";
  if (event.modified || event.composing || !/^[1-9]$/.test(event.key)) return "pass";
  if (event.repeat) return "swallow";
  return choices[Number(event.key) - 1] ?? "pass";
}
