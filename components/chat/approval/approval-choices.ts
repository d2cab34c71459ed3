/** Order of an approval's buttons and their keys. Pure. */
import type { ApprovalOption } from "@/lib/permissions/policy";
import { limits } from "@/lib/settings/settings";
import type { ApprovalView } from "@/lib/view/view";

export type ApprovalChoice = ApprovalOption | "deny_why";

const choiceOrder = ["network", "once", "always", "edits", "deny"] as const satisfies readonly ApprovalOption[];

/** Returns the buttons in order. `always` requires a proposed rule; `deny_why` accompanies `deny`. */
export function listApprovalChoices(approval: Pick<ApprovalView, "options" | "rule">): readonly ApprovalChoice[] {
  const choices: ApprovalChoice[] = choiceOrder.filter(
    (option) => approval.options.includes(option) && (option !== "always" || approval.rule !== undefined),
  );
  return choices.includes("deny") ? [...choices, "deny_why"] : choices;
}

/** Each answer has the same key on every card; the key of a missing option does nothing. */
const choiceKeys = {
  once: "1",
  always: "2",
  edits: "2",
  deny: "3",
  deny_why: "4",
  network: "5",
} as const satisfies Record<ApprovalChoice, string>;

/** Returns the key of an answer on a card with these choices; null = an earlier choice has the same key. */
export function findChoiceKey(choice: ApprovalChoice, choices: readonly ApprovalChoice[]): string | null {
  return choices.find((other) => choiceKeys[other] === choiceKeys[choice]) === choice ? choiceKeys[choice] : null;
}

export interface CardKeyPress {
  readonly key: string;
  readonly modified: boolean;
  /** An input method is composing. */
  readonly composing: boolean;
  readonly repeat: boolean;
  /** ms since the card was shown. */
  readonly shownForMs: number;
  /** The key came from a field inside the card. */
  readonly inField: boolean;
}

/** The state of the page when a key is pressed without a focused card. */
export interface PageKeyContext {
  /** empty = the message field without text; field = any other element that takes text or has keys of its own. */
  readonly focus: "page" | "empty" | "field";
  /** A dialog, menu or panel is open above the page. */
  readonly isLayerOpen: boolean;
  /** ms since text was last typed into a field. */
  readonly sinceTypingMs: number;
}

/**
 * Maps a key to an answer of the oldest card while no card has the focus. Typing is never intercepted: a digit that
 * follows other typing, or comes in the card's first moments, stays text.
 */
export function interpretPageKey(
  event: CardKeyPress,
  place: PageKeyContext,
  choices: readonly ApprovalChoice[],
): ApprovalChoice | "pass" {
  if (place.focus === "field" || place.isLayerOpen || place.sinceTypingMs < limits.approvalRestMs) return "pass";
  const outcome = interpretCardKey(event, choices);
  return outcome === "swallow" ? "pass" : outcome;
}

/** Maps a key to an answer of the focused card: 1 to 5 after its first moments; Enter is never an answer. */
export function interpretCardKey(
  event: CardKeyPress,
  choices: readonly ApprovalChoice[],
): ApprovalChoice | "swallow" | "pass" {
  if (event.inField) return "pass";
  const press = event.key === "Enter" || event.key === " " || /^[1-9]$/.test(event.key);
  if (event.shownForMs < limits.approvalRestMs && press) return "swallow";
  if (event.modified || event.composing || !/^[1-9]$/.test(event.key)) return "pass";
  if (event.repeat) return "swallow";
  // The key of a missing option is swallowed too: it must not reach the elements behind the card.
  return (
    choices.find((choice) => findChoiceKey(choice, choices) === event.key) ??
    (Number(event.key) <= 5 ? "swallow" : "pass")
  );
}
