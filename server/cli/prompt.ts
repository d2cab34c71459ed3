/** The prompt of `run`: what may be one, and how it is read from standard input. Used by args.ts and run.ts. */
import { limits } from "@/lib/settings";
import { UsageError } from "./options";

/** The prompt as it is sent. Throws UsageError when there is nothing in it or too much. */
export function checkPrompt(text: string): string {
  if (text.trim() === "") throw new UsageError("The prompt is empty");
  if (text.length > limits.promptMaxChars)
    throw new UsageError(`The prompt is longer than ${limits.promptMaxChars} characters`);
  return text;
}

/** All of standard input, without the line end it was closed with. Throws UsageError as above, and on a terminal. */
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
