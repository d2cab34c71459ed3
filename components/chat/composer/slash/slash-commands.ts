/** Parses slash commands: messages that control the session and are not sent to the model. Pure. */

/** All command names. */
const slashCommands = ["compact", "tree", "rewind", "fork", "redo"] as const;
export type SlashName = (typeof slashCommands)[number];

/** Whether the command accepts an argument; the others are executed as soon as they are picked. */
export const takesArgument = (name: SlashName): boolean => name === "compact";

export interface SlashCommand {
  readonly name: SlashName;
  /** The argument; "" = none. */
  readonly rest: string;
}

/** Parses a complete command; null = the text is a message. */
export function parseSlashCommand(text: string): SlashCommand | null {
  const [, word = "", rest = ""] = /^\/([a-z]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  const name = slashCommands.find((one) => one === word);
  return name === undefined ? null : { name, rest: rest.trim() };
}

/** Returns the commands that start with the text; none if the text has more than one word. */
export function matchSlashCommands(text: string): readonly SlashName[] {
  const [, word] = /^\/([a-z]*)$/.exec(text) ?? [];
  return word === undefined ? [] : slashCommands.filter((name) => name.startsWith(word));
}
