/** Finds the commands of the program that a text begins, for the menu. Pure. */
import type { ActionContext } from "../../../actions/action";
import { findCommands, type SlashCommand } from "./slash-commands";

/** Returns the commands that start with the text, after a name and a space those with each of its choices. */
export function matchSlashCommands(text: string, context: ActionContext | null): readonly SlashCommand[] {
  const [, word, choice] = /^\/([a-z]*)(?: (\S*))?$/.exec(text) ?? [];
  if (word === undefined || context === null) return [];
  if (choice === undefined) return findCommands(context, (name) => name.startsWith(word));
  return findCommands(context, (name) => name === word).flatMap((command) =>
    argumentChoices(command, context)
      .filter((argument) => argument.toLowerCase().startsWith(choice.toLowerCase()))
      // Enter picks the first one: the complete name of one model may be the start of another.
      .sort((one, other) => Number(other === choice) - Number(one === choice))
      .map((argument) => ({ ...command, argument })),
  );
}

/** The words that may follow a command; none if that is any text. */
function argumentChoices({ form: { argument } }: SlashCommand, { client }: ActionContext): readonly string[] {
  if (argument === "model") return client.handles.composer?.modelNames() ?? [];
  return typeof argument === "object" ? argument : [];
}

/** Formats a command as it is typed. */
export const slashText = ({ name, argument }: SlashCommand): string =>
  argument === undefined ? `/${name}` : `/${name} ${argument}`;
