/** Validates the prompt of `run` and reads it from standard input. */
import { limits } from "@/lib/settings/settings";
import { UsageError } from "./options";

/** Returns the prompt. Throws UsageError when it is empty or too long. */
export function checkPrompt(text: string): string {
  if (text.trim() === "") throw new UsageError("The prompt is empty");
  if (text.length > limits.promptMaxChars)
    throw new UsageError(`The prompt is longer than ${limits.promptMaxChars} characters`);
  return text;
}

/** Reads all of standard input, without the final line end. Throws UsageError as above, and on a terminal. */
export async function readPrompt(input: NodeJS.ReadStream): Promise<string> {
  if (input.isTTY) throw new UsageError('There is no prompt: gopi-web run "fix the tests"');
  let text = "";
  input.setEncoding("utf8");
  for await (const part of input) {
    text += part;
    if (text.length > limits.promptMaxChars + 1) break;
  }
  return checkPrompt(text.replace(/\r?\n$/, ""));
}
