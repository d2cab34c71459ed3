/** Reads an answer whose end its server could not read: only the server's error contains it. Pure. */
import { matchThinkingOpener, orphanThoughtCloser } from "./grammars/thinking";
import { type ReadOptions, readAnswer } from "./read-answer";

/** Part of an answer that arrived before the error. */
interface ReceivedAnswer {
  readonly thinking: string;
  readonly text: string;
}

const closerPattern = new RegExp(orphanThoughtCloser, "i");
const closedCallPattern = /(?:<\/[\w:]*tool_?calls?>|<tool_call\|>|<\|call\|>)\s*$/i;

/** The quoted end may have been cut by a server on its way. */
export const isClosedAnswer = (unparsed: string): boolean => closedCallPattern.test(unparsed);

const prefix = String.raw`(?:[|｜]+DSML[|｜]+|[\w:]*)`;
const callStart = String.raw`<${prefix}(?:tool|function)_?calls?>(?:\s*<${prefix}(?:tool_call>|function[=\s]|invoke\s))*|<${prefix}(?:function[=\s]|invoke\s)`;
const callEnd = String.raw`<\/${prefix}(?:function|invoke|tool_?call)>(?:\s*<\/${prefix}(?:tool|function)_?calls?>)*`;
const memberEnd = String.raw`<\/${prefix}(?:parameter|arg_value)>`;
const markPattern = new RegExp(`(?<start>${callStart})|(?<end>${callEnd})|${memberEnd}`, "gi");

/** The end of a text in JSON, or in Gemma's form of it, and of the object around it. */
const textEndPattern = /(?:"|<\|"\|>)\s*[}\]]/;

/** Whether the quoted end begins within a value of a call, which ends in it: a call before that end is text of the value. */
function beginsInValue(unparsed: string): boolean {
  let open = 0;
  for (const { groups } of unparsed.matchAll(markPattern)) {
    if (groups?.start !== undefined) open += 1;
    else if (open === 0) return true;
    else if (groups?.end !== undefined) open -= 1;
  }
  return false;
}

/** Whether a value has a call that does not end in it: the end of that one has passed for the end of the outer one. */
function hasOpenCall(value: string): boolean {
  const marks = Array.from(value.matchAll(markPattern), ({ groups }) => groups);
  return (
    marks.filter((groups) => groups?.start !== undefined).length >
    marks.filter((groups) => groups?.end !== undefined).length
  );
}

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
  if (rest === null || beginsInValue(rest)) return null;
  const blocks = readAnswer(received.text + rest, options, isClosedAnswer(unparsed));
  const calls = blocks.flatMap((block) => (block.type === "call" ? [JSON.stringify(block.input)] : []));
  const behind = blocks.slice(blocks.findLastIndex(({ type }) => type === "call") + 1);
  const isPart = calls.some(hasOpenCall) || behind.some((block) => "text" in block && textEndPattern.test(block.text));
  return calls.length === 0 || isPart ? null : rest;
}
