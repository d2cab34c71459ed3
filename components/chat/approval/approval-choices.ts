/** The buttons of an approval in their order, and which key presses which. Pure; drawn by approval-card.tsx. */
import type { ApprovalOption } from "@/lib/policy";
import { limits } from "@/lib/settings";
import type { ApprovalView } from "@/lib/view";

export type Choice = ApprovalOption | "deny_why";

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

/** Where a key was pressed while no card has the focus. */
export interface KeyPlace {
  /** empty = the message field without text; field = any other place that takes text, and what has keys of its own. */
  readonly focus: "page" | "empty" | "field";
  /** A dialog, a menu or a panel lies above the page. */
  readonly isLayerOpen: boolean;
  /** ms since the last letter was typed into a field. */
  readonly typedForMs: number;
}

/**
 * What a key does on the oldest card while no card has the focus. Nobody's typing is taken: a digit that follows other typing, or
 * comes in the card's first moments, stays where it was typed.
 */
export function pageKey(event: CardKey, place: KeyPlace, choices: readonly Choice[]): Choice | "pass" {
  if (place.focus === "field" || place.isLayerOpen || place.typedForMs < limits.approvalRestMs) return "pass";
  const outcome = cardKey(event, choices);
  return outcome === "swallow" ? "pass" : outcome;
}

/** What a key does while the card has focus: nothing for its first moments, a choice for 1 to 4; Enter is never a choice. */
export function cardKey(event: CardKey, choices: readonly Choice[]): Choice | "swallow" | "pass" {
  if (event.inField) return "pass";
  const press = event.key === "Enter" || event.key === " " || /^[1-9]$/.test(event.key);
  if (event.shownForMs < limits.approvalRestMs && press) return "swallow";
  if (event.modified || event.composing || !/^[1-9]$/.test(event.key)) return "pass";
  if (event.repeat) return "swallow";
  // A key of a missing option is the card's too: it must not fall through to what is behind.
  return (
    choices.find((choice) => keyOf(choice, choices) === event.key) ?? (Number(event.key) <= 4 ? "swallow" : "pass")
  );
}
