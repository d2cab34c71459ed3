/** What a message that begins with a slash means: a command of the program, not words for the model. Pure. */

/** The commands there are. */
export const slashCommands = ["compact", "tree", "rewind", "fork", "redo"] as const;
export type SlashName = (typeof slashCommands)[number];

/** Something may stand behind it; the others are done as soon as they are picked. */
export const takesText = (name: SlashName): boolean => name === "compact";

export interface SlashCommand {
  readonly name: SlashName;
  /** What stands behind it. */
  readonly rest: string;
}

/** A whole command; null = the text is a message. */
export function slashCommand(text: string): SlashCommand | null {
  const [, word = "", rest = ""] = /^\/([a-z]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  const name = slashCommands.find((one) => one === word);
  return name === undefined ? null : { name, rest: rest.trim() };
}

/** The commands that the text may become; none once there is more than its first word. */
export function slashMatches(text: string): readonly SlashName[] {
  const [, word] = /^\/([a-z]*)$/.exec(text) ?? [];
  return word === undefined ? [] : slashCommands.filter((name) => name.startsWith(word));
}
