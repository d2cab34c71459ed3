/** Maps key presses of the composer to actions. Pure, because the input methods of all browsers must be tested. */
import type { Settings } from "@/lib/settings/settings";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

export interface ComposerKey {
  readonly key: string;
  readonly shift: boolean;
  readonly alt: boolean;
  /** Ctrl, or Cmd on a Mac. */
  readonly mod: boolean;
  readonly isComposing: boolean;
  /** 229 = the key went to an input method; Safari reports it after the composition has ended. */
  readonly keyCode: number;
  /** ms since the last composition ended; Infinity = there was none. */
  readonly sinceCompositionMs: number;
}

/** The used fields of a React keyboard event. */
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

/** `compositionEndedAt` = timestamp of the last compositionend event, ms of the page's clock; -Infinity = none. */
export const toComposerKey = (event: KeyPress, compositionEndedAt: number): ComposerKey => ({
  key: event.key,
  shift: event.shiftKey,
  alt: event.altKey,
  mod: event.ctrlKey || event.metaKey,
  isComposing: event.nativeEvent.isComposing,
  keyCode: event.keyCode,
  sinceCompositionMs: event.timeStamp - compositionEndedAt,
});

export interface ComposerKeyContext {
  readonly sendKey: Settings["sendKey"];
  readonly running: boolean;
  readonly text: string;
  /** The text is an unchanged message of the history. */
  readonly inHistory: boolean;
  /** The menu of mentions is open. That of commands takes its keys itself. */
  readonly isMenuOpen: boolean;
  /** The queue has messages. */
  readonly hasQueue: boolean;
}

/**
 * queue = send after the run; pull = move the last queued message back into the field; older, newer = step through the
 * history; complete, dismiss, up, down = menu of mentions; escape = Esc with nothing to stop or close.
 */
type ComposerKeyAction =
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

/** Maximum time between the two Esc of a double press, ms. */
const doublePressMs = 600;

/** Creates a detector for double presses; takes the time of each key in ms. A third press starts a new pair. */
export function createDoublePress(): (at: number) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (at) => {
    const isSecond = at - last < doublePressMs;
    last = isSecond ? Number.NEGATIVE_INFINITY : at;
    return isSecond;
  };
}

export function interpretComposerKey(event: ComposerKey, situation: ComposerKeyContext): ComposerKeyAction {
  if (isForInputMethod(event)) return "text";
  switch (event.key) {
    case "Enter":
      return interpretEnter(event, situation);
    case "Tab":
      return situation.isMenuOpen && !hasModifier(event) ? "complete" : "text";
    case "Escape":
      // An open menu is closed first; the run continues.
      if (situation.isMenuOpen) return "dismiss";
      return situation.running ? "stop" : "escape";
    case "ArrowUp":
      if (situation.isMenuOpen && !hasModifier(event)) return "up";
      if (event.alt && !event.shift && !event.mod && situation.text === "" && situation.hasQueue) return "pull";
      return !hasModifier(event) && (situation.text === "" || situation.inHistory) ? "older" : "text";
    case "ArrowDown":
      if (situation.isMenuOpen && !hasModifier(event)) return "down";
      return !hasModifier(event) && situation.inHistory ? "newer" : "text";
    default:
      return "text";
  }
}

const hasModifier = (event: ComposerKey): boolean => event.shift || event.alt || event.mod;

function interpretEnter(event: ComposerKey, { sendKey, running, isMenuOpen }: ComposerKeyContext): ComposerKeyAction {
  if (event.shift) return "text";
  if (isMenuOpen && !hasModifier(event)) return "complete";
  if (event.alt) return running ? "queue" : "send";
  return event.mod || sendKey === "enter" ? "send" : "text";
}
