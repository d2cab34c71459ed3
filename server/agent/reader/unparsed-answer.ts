/** Reads an answer whose end its server could not read: only the server's error contains it. Pure. */
import { matchThinkingOpener, orphanThoughtCloser } from "./grammars/thinking";
import { type ReadOptions, readAnswer } from "./read-answer";

/** What of an answer arrived before the error. */
interface ReceivedAnswer {
  readonly thinking: string;
  readonly text: string;
}

const closerPattern = new RegExp(orphanThoughtCloser, "i");
const closedCallPattern = /(?:<\/[\w:]*tool_?calls?>|<tool_call\|>|<\|call\|>)\s*$/i;

/** The quoted end may have been cut by a server on its way. */
export const isClosedAnswer = (unparsed: string): boolean => closedCallPattern.test(unparsed);

const dropStart = (text: string, start: string): string =>
  start !== "" && text.trimStart().startsWith(start) ? text.trimStart().slice(start.length) : text;

/** Removes what arrived before, if the error repeats it; null = the thinking that it repeats never ends. */
function dropReceived(unparsed: string, { thinking, text }: ReceivedAnswer): string | null {
  const thought = thinking.trim();
  const start = unparsed.trimStart();
  const inside = start.slice(matchThinkingOpener(start)?.length ?? 0).trimStart();
  if (thought === "" || !inside.startsWith(thought)) return dropStart(unparsed, text.trim());
  const rest = inside.slice(thought.length);
  const closer = closerPattern.exec(rest);
  return closer === null ? null : dropStart(rest.slice(closer.index + closer[0].length), text.trim());
}

/** Returns the text that follows what has arrived; null = with it, the answer has no call that is certain. */
export function readUnparsedEnd(unparsed: string, received: ReceivedAnswer, options: ReadOptions): string | null {
  const rest = dropReceived(unparsed, received);
  if (rest === null) return null;
  const blocks = readAnswer(received.text + rest, options, isClosedAnswer(unparsed));
  return blocks.some(({ type }) => type === "call") ? rest : null;
}
