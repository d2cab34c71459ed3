/** The tool and the input of a call that may have gone through the toolbox. Pure. */
import type { Json } from "@/lib/events/content";

/** The start of an input in which the toolbox's tool is named. */
const namedTool = /^.{0,200}?"tool"\s*:\s*"([\w:.-]{1,80})"/s;

/** Returns the name that was called; of a call of the toolbox, the tool it leads to as soon as its name has arrived. */
export const streamedToolName = ({ name, text }: { readonly name: string; readonly text: string }): string =>
  (name === "toolbox" ? namedTool.exec(text)?.[1] : undefined) ?? name;

/** Returns the input of the tool that ran. */
export function calledInput({ name, input }: { readonly name: string; readonly input: Json }): Json {
  if (name !== "toolbox" || typeof input !== "object" || input === null || !("tool" in input)) return input;
  const { tool: _tool, input: inner, ...beside } = input;
  return inner ?? beside;
}
