/** What a call shows while it waits: lines about the start of its server, and what the server says. */
import { cutText, toOneLine } from "@/server/tools/toolbox/foreign-text";
import { type Clock, systemClock } from "./clock";
import { maxProgressChars, toShortName } from "./server-text";
import type { CallUpdate } from "./servers";

/** Seconds between two lines about a start. */
const startLineSeconds = 5;
/** Time from a line of the server to the next one, ms; what it says meanwhile is left out. */
const progressLineMs = 1_000;

/** Returns what takes the updates of one call. `name` = of the server. */
export function reportUpdates(
  name: string,
  progress: (text: string) => void,
  clock: Clock = systemClock,
): (update: CallUpdate) => void {
  const server = toShortName(name);
  let startLines = 0;
  let lineAt = Number.NEGATIVE_INFINITY;
  return (update) => {
    if (update.kind === "progress") {
      if (clock.now() - lineAt < progressLineMs) return;
      lineAt = clock.now();
      const { message = "", progress: done, total } = update;
      const line = cutText(toOneLine(message), maxProgressChars);
      progress(`${line === "" ? `${done}${total === undefined ? "" : ` of ${total}`}` : line}\n`);
      return;
    }
    if (update.seconds < startLines * startLineSeconds) return;
    startLines += 1;
    progress(update.seconds === 0 ? `Starting ${server}\n` : `Starting ${server}, ${update.seconds} s\n`);
  };
}
