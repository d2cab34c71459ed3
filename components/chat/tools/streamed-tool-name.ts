/** The tool of a call that is being streamed. Pure. */

/** The start of an input in which the toolbox's tool is named. */
const namedTool = /^.{0,200}?"tool"\s*:\s*"([\w:.-]{1,80})"/s;

/** Returns the name that was called; of a call of the toolbox, the tool it leads to as soon as its name has arrived. */
export const streamedToolName = ({ name, text }: { readonly name: string; readonly text: string }): string =>
  (name === "toolbox" ? namedTool.exec(text)?.[1] : undefined) ?? name;
