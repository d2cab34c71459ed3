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

/** Each answer has its own key on every card: where an option is missing, its key does nothing. */
const keys = { once: "1", always: "2", edits: "2", deny: "3", deny_why: "4" } as const satisfies Record<Choice, string>;

/** The key of an answer on a card with these choices; null = it has none, because a choice before it has the same. */
export function keyOf(choice: Choice, choices: readonly Choice[]): string | null {
  return choices.find((other) => keys[other] === keys[choice]) === choice ? keys[choice] : null;
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

/** What a key does while the card has focus: nothing for its first moments, a choice for 1 to 4; Enter is never a choice. */
export function cardKey(event: CardKey, choices: readonly Choice[]): Choice | "swallow" | "pass" {
  if (event.inField) return "pass";
  const press = event.key === "Enter" || event.key === " " || /^[1-9]$/.test(event.key);
  if (event.shownForMs < keyRestMs && press) return "swallow";
  if (event.modified || event.composing || !/^[1-9]$/.test(event.key)) return "pass";
  if (event.repeat) return "swallow";
  // A key of a missing option is the card's too: it must not fall through to what is behind.
  return (
    choices.find((choice) => keyOf(choice, choices) === event.key) ?? (Number(event.key) <= 4 ? "swallow" : "pass")
  );
}
