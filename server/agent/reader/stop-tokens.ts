/** Special tokens and meaningless words that servers leave around an answer. */

const stopTokenNames =
  "im_end|im_start|eot_id|eom_id|end_of_text|endoftext|end|end_of_turn|end_of_message|return|call|assistant|eos|start_header_id|end_header_id|END_OF_TURN_TOKEN|END_RESPONSE|START_RESPONSE|START_TEXT|END_TEXT|tool_call_end|tool_calls_section_end|user|observation|EOT|eom|role_end|message_sep|start";
const stopToken = `<[|｜](?:${stopTokenNames}|end▁of▁sentence|begin▁of▁sentence|Assistant|tool▁calls▁end|tool▁call▁end)[|｜]>|</?s>|<eos>|<bos>|<end_of_turn>|<start_of_turn>(?:model)?|\\[/?INST\\]|\\[/TOOL_CALLS?\\]|</(?:tool_calls?|function_calls?|function|invoke|tools)>`;

const leadingTokens = new RegExp(`^(?:\\s|${stopToken})+`);
const trailingTokens = new RegExp(`(?:${stopToken}|(?<=\\n)PAUSE)\\s*$`);
const endMaxChars = 64;

/** Trims tokens and white space at the start. */
export const trimLeadingTokens = (text: string): string => text.replace(leadingTokens, "");

/** Trims tokens and white space at the end. */
export function trimTrailingTokens(text: string): string {
  let rest = text.trimEnd();
  if (rest === "PAUSE") return "";
  for (;;) {
    const found = trailingTokens.exec(rest.slice(-endMaxChars));
    if (found === null) return rest;
    rest = rest.slice(0, rest.length - Math.min(rest.length, endMaxChars) + found.index).trimEnd();
  }
}

/** Trims tokens and white space at both ends. */
export const trimTokens = (text: string): string => trimTrailingTokens(trimLeadingTokens(text));
