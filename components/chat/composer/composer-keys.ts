/** What a key means in the composer. Pure, because input methods of all browsers have to be got right. */
import type { Settings } from "@/lib/settings";

export interface ComposerKey {
  readonly key: string;
  readonly shift: boolean;
  readonly alt: boolean;
  /** Ctrl, or Cmd on a Mac. */
  readonly mod: boolean;
  readonly isComposing: boolean;
  /** 229 = the key went to an input method; Safari says so after the composition has ended. */
  readonly keyCode: number;
  /** ms since the last composition ended; Infinity when there was none. */
  readonly sinceCompositionMs: number;
}

/** What is looked at of a React event of the keyboard. */
interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly keyCode: number;
  readonly timeStamp: number;
  readonly nativeEvent: { readonly isComposing: boolean };
}

/** `compositionEndedAt` = the time of the last event that ended one, ms of the page's clock; -Infinity = none did. */
export const keyPressed = (event: KeyPress, compositionEndedAt: number): ComposerKey => ({
  key: event.key,
  shift: event.shiftKey,
  alt: event.altKey,
  mod: event.ctrlKey || event.metaKey,
  isComposing: event.nativeEvent.isComposing,
  keyCode: event.keyCode,
  sinceCompositionMs: event.timeStamp - compositionEndedAt,
});

export interface ComposerSituation {
  readonly sendKey: Settings["sendKey"];
  readonly running: boolean;
  readonly text: string;
  /** The text is an unchanged message of the history. */
  readonly inHistory: boolean;
  /** The command that stands above the field for the text; null = no menu is open. */
  readonly offered: string | null;
  /** Messages wait for their turn. */
  readonly hasQueue: boolean;
}

/**
 * queue = to be taken after the run; pull = the last of what waits comes back into the field; older and newer walk through the
 * history; complete, dismiss, up and down are of the menu of commands; escape = there is nothing to end or to close.
 */
export type ComposerMeaning =
  | "send"
  | "queue"
  | "pull"
  | "stop"
  | "escape"
  | "older"
  | "newer"
  | "complete"
  | "dismiss"
  | "up"
  | "down"
  | "text";

/** Two Esc within this time are one wish, ms. */
const twiceWithinMs = 600;

/** Tells the second of two Esc from the first, by the times of the keys, ms. A third one begins anew. */
export function makeTwice(): (at: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (at) => {
    const isSecond = at - last < twiceWithinMs;
    last = isSecond ? Number.NEGATIVE_INFINITY : at;
    return isSecond;
  };
}

/** Safari ends the composition before it tells the Enter that confirmed the candidate. */
const confirmsWithinMs = 60;

export function composerKey(event: ComposerKey, situation: ComposerSituation): ComposerMeaning {
  if (event.isComposing || event.keyCode === 229) return "text";
  switch (event.key) {
    case "Enter":
      return event.sinceCompositionMs < confirmsWithinMs ? "text" : enter(event, situation);
    case "Tab":
      return situation.offered !== null && !hasModifier(event) ? "complete" : "text";
    case "Escape":
      // What is open is closed first; the run goes on.
      if (situation.offered !== null) return "dismiss";
      return situation.running ? "stop" : "escape";
    case "ArrowUp":
      if (situation.offered !== null && !hasModifier(event)) return "up";
      if (event.alt && !event.shift && !event.mod && situation.text === "" && situation.hasQueue) return "pull";
      return !hasModifier(event) && (situation.text === "" || situation.inHistory) ? "older" : "text";
    case "ArrowDown":
      if (situation.offered !== null && !hasModifier(event)) return "down";
      return !hasModifier(event) && situation.inHistory ? "newer" : "text";
    default:
      return "text";
  }
}

const hasModifier = (event: ComposerKey): boolean => event.shift || event.alt || event.mod;

function enter(event: ComposerKey, { sendKey, running, offered, text }: ComposerSituation): ComposerMeaning {
  if (event.shift) return "text";
  // A word that is not whole yet is completed; a whole one is sent.
  if (offered !== null && !hasModifier(event) && text !== `/${offered}`) return "complete";
  if (event.alt) return running ? "queue" : "send";
  return event.mod || sendKey === "enter" ? "send" : "text";
}
