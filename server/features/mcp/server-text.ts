/** Prepares a server's text outside of results for the model, the database and a card, and shows it at a call. */
import { stripAnsi } from "@/lib/text/ansi";
import type { Redactor } from "@/server/security/redaction/redact";
import { cutText, toOneLine, toPlainLines } from "@/server/tools/toolbox/foreign-text";
import { type Clock, systemClock } from "./call-limit";
import type { CallUpdate } from "./servers";

/** Limit of a message about the progress of a call. */
export const maxProgressChars = 200;

/** Returns the start of a text: plain lines of at most `maxChars` in all, without the secrets of the server. */
export function toPlainServerText(text: string, redactor: Redactor, maxChars: number): string {
  // A secret at the end of the shown text is masked only if it was read whole.
  const readChars = maxChars * 4;
  const plain = toPlainLines(stripAnsi(text.slice(0, readChars * 2)), readChars);
  return cutText(redactor.text(plain, { end: text.length > readChars }), maxChars);
}

/** A name that a server or its configuration chose, within a sentence. */
export const toShortName = (name: string): string => cutText(toOneLine(name), 80);

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
