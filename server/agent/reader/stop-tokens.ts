/** Special tokens and meaningless words that servers leave around an answer. */
import { matchLengthAt } from "@/server/base/match-at";

const endTokenNames =
  "im_end|eot_id|eom_id|end_of_text|endoftext|end|end_of_turn|endofturn|end_of_message|end_message|content_model_end_sampling|return|assistant_end|endofassistant|eos|END_OF_TURN_TOKEN|END_RESPONSE|END_TEXT|EOT|eot|eom|role_end|message_sep|flush|stop|hy_eos";
const startTokenNames =
  "assistant|assistant_start|end_header_id|header_end|content|content_text|START_OF_TURN_TOKEN|CHATBOT_TOKEN|START_RESPONSE|START_TEXT|begin_of_solution";
const endToken = `<[|｜](?:${endTokenNames}|end▁of▁sentence)[|｜]>|<eos>|<end_of_turn>|<turn\\|>|<\\|close\\|>(?:response|message)<\\|sep\\|>|<\\|end_of_solution\\|>|\\[e~\\[|\\[unused10\\]|<\\|plamo:\\w{1,12}:plamo\\|>|\\[\\|endofturn\\|\\]|</longcat_s>`;
/** Kimi K3's start of an answer. */
const responseToken = String.raw`<\|open\|>response<\|sep\|>`;
const startToken = `<\\|(?:im_start|start|begin|start_header_id|header_start)\\|>(?!functions)(?:assistant(?![\\w./]))?|<[|｜](?:${startTokenNames}|begin▁of▁sentence|Assistant)[|｜]>|<\\|message_model\\|>(?![\\w.:/-]+<)|<bos>|<start_of_turn>(?:model)?|<\\|turn>(?:model)?|${responseToken}|\\]~b\\]ai`;
/** Closers of calls and of turns that also occur in texts about them. */
const otherToken = `<[|｜](?:call|tool_call_end|tool_calls_section_end|user|observation|tool▁calls▁end|tool▁call▁end)[|｜]>|</s>|\\[/?INST\\]|\\[/TOOL_CALLS?\\]|</(?:tool_calls?|function_calls?|function|invoke|tools)>`;
const stopToken = `${endToken}|${startToken}|${otherToken}`;

const turnTokenPattern = new RegExp(`${endToken}|${responseToken}`, "y");
/** Length of an end token, or of a start token of several marks, at the start of `text`; 0 = none. */
export const turnTokenLength = (text: string): number => matchLengthAt(turnTokenPattern, text, 0);

const leadingTokens = new RegExp(`^(?:\\s|${stopToken})+`);
const trailingTokens = new RegExp(`(?:${stopToken}|(?<![\\w,] )</(?:response|answer)>|(?<=\\n)PAUSE)\\s*$`);
const endMaxChars = 64;

/** Trims tokens and white space at the start. */
export const trimLeadingTokens = (text: string): string => text.replace(leadingTokens, "");

/** Every token ends in one of these. */
const tokenEnd = /(?:[>[\]E]|assistant|model|ai)$/;

function trimEndTokens(text: string, tokens: RegExp): string {
  let rest = text.trimEnd();
  for (;;) {
    const end = rest.slice(-endMaxChars);
    const found = tokenEnd.test(end.slice(-9)) ? tokens.exec(end) : null;
    if (found === null) return rest;
    rest = rest.slice(0, rest.length - Math.min(rest.length, endMaxChars) + found.index).trimEnd();
  }
}

/** Trims tokens and white space at the end. */
export const trimTrailingTokens = (text: string): string =>
  text.trim() === "PAUSE" ? "" : trimEndTokens(text, trailingTokens);

/** Trims tokens and white space at both ends. */
export const trimTokens = (text: string): string => trimTrailingTokens(trimLeadingTokens(text));

const firstTokens = new RegExp(`^\\s*(?:(?:${stopToken})\\s*)+`);
/** After a word and a space a token is a mention. */
const notMentioned = String.raw`(?<![\p{L}\p{N},:][ \t]+)`;
const lastTokens = new RegExp(`${notMentioned}(?:${endToken})\\s*$`, "u");
const lastElement = new RegExp(String.raw`${notMentioned}</s>\s*$`, "u");
const fenceLine = /^[ \t]*(?:`{3}|~{3})/gm;

/**
 * The opener of an element around a whole answer: what follows it is text, a call or thinking, not another element.
 */
export const answerOpener = /<(?:response|answer)>(?=\s*(?:[^\s<]|<(?:\/?tool_calls?\b|[|｜]|think)))/y;

/** Removes the tokens around an answer without a call; a text without them, and code, stays unchanged. */
export function trimAnswerTokens(text: string): string {
  const words = text.replace(firstTokens, "");
  const end = words.slice(-endMaxChars);
  const endsInElement = lastElement.test(end) && !words.includes("<s>");
  if (!endsInElement && !lastTokens.test(end)) return words;
  if ([...words.matchAll(fenceLine)].length % 2 === 1) return words;
  return trimEndTokens(endsInElement ? words.trimEnd().slice(0, -"</s>".length) : words, lastTokens);
}
