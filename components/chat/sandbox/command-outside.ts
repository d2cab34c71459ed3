/** The command that repeats a sandboxed call outside the sandbox. */
import type { CallView } from "@/lib/view/view";

/** Returns the call's command; the user's commands start in the project folder, so it first changes to the call's. */
export function commandOutside({ target, facts: { startFolder } }: Pick<CallView, "target" | "facts">): string {
  return startFolder === undefined ? target : `cd '${startFolder.replaceAll("'", `'\\''`)}' || exit\n${target}`;
}
