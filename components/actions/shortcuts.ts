/** Finds the action of a key press. */
import type { Action, ActionContext } from "./action";
import { actions } from "./actions";
import { keymapOf } from "./keymap";
import { type KeyPress, matchesKeys } from "./keys";

/** Characters without a modifier are text input in text fields; Escape is not. */
const isUnmodifiedCharacter = (keys: string): boolean => keys.length === 1;

export function findAction(
  press: KeyPress,
  context: ActionContext,
  isWriting: boolean,
  isMac: boolean,
): Action | undefined {
  const keymap = keymapOf(context.client.serverState.get().settings);
  return actions.find(({ id, when }) => {
    const keys = keymap.get(id);
    return (
      keys !== undefined &&
      !(isWriting && isUnmodifiedCharacter(keys)) &&
      matchesKeys(keys, press, isMac) &&
      (when?.(context) ?? true)
    );
  });
}

/** Whether the element takes text input. */
export function isTextTarget(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}
