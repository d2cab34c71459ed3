/** Which action a key press means, if any. The shell listens to the window and asks here. */
import { type Action, type ActionContext, actions } from "./actions";
import { type KeyPress, matchesKeys } from "./keys";

/** Signs without a modifier are text while somebody writes. Escape is no text. */
const isPlainSign = (keys: string): boolean => keys.length === 1;

export function actionOf(
  press: KeyPress,
  context: ActionContext,
  isWriting: boolean,
  isMac: boolean,
): Action | undefined {
  return actions.find(
    ({ keys, when }) =>
      keys !== undefined &&
      !(isWriting && isPlainSign(keys)) &&
      matchesKeys(keys, press, isMac) &&
      (when?.(context) ?? true),
  );
}

/** Somebody writes here: letters are theirs. */
export function isTextTarget(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}
