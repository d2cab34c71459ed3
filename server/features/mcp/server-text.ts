/** What a server says outside of its results, made fit for the model, the database and a card. Pure. */
import { stripAnsi } from "@/lib/text/ansi";
import type { Redactor } from "@/server/security/redaction/redact";
import { cutText, toOneLine, toPlainLines } from "@/server/tools/toolbox/foreign-text";

/** Of a message about the progress of a call. */
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
