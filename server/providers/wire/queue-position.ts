/** Finds the place in its queue that a server or a router writes into an error or a comment. Pure. */

/** Characters of a text that are read. */
const textMaxChars = 1_000;

const positionForms: readonly RegExp[] = [
  /\bposition\b[^\d\n]{0,20}(\d{1,5})\b/i,
  /\b(\d{1,5})(?:st|nd|rd|th)?\s+in\s+(?:the\s+|a\s+)?(?:queue|line)\b/i,
  // Not "queued for 12 s".
  /\bqueued?(?:\s+at)?[\s:=#]{1,3}(\d{1,5})\b(?!\s*(?:ms|s|secs?|seconds?|min|minutes?)\b)/i,
];
const aheadForm = /\b(\d{1,5})\s+(?:other\s+)?(?:requests?\s+)?(?:ahead|before)\b/i;

/** Returns 1 for the next request; undefined = the text names none. */
export function findQueuePosition(text: string): number | undefined {
  const start = text.slice(0, textMaxChars);
  const named = positionForms.map((form) => form.exec(start)?.[1]).find((found) => found !== undefined);
  const ahead = aheadForm.exec(start)?.[1];
  const position = named === undefined ? (ahead === undefined ? 0 : Number(ahead) + 1) : Number(named);
  return position > 0 ? position : undefined;
}

/** The fact of an error; none if the text names no place. */
export function positionFact(text: string): { readonly position?: number } {
  const position = findQueuePosition(text);
  return position === undefined ? {} : { position };
}
