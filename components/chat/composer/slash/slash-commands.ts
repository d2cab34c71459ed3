/** Parses slash commands: messages that perform an action and are not sent to the model. Pure. */
import type { Action, ActionContext, SlashForm } from "../../../actions/action";
import { actions } from "../../../actions/actions";

export interface SlashCommand {
  readonly action: Action;
  readonly form: SlashForm;
  /** The name as typed, without the slash. */
  readonly name: string;
  /** Absent = none. */
  readonly argument?: string;
}

/** Whether the command accepts an argument; the others are executed as soon as they are picked. */
export const takesArgument = ({ form }: SlashCommand): boolean => form.argument !== undefined;

/** Returns the first command per action that is available and has a name that passes. */
const commandsNamed = (context: ActionContext, passes: (name: string) => boolean): readonly SlashCommand[] =>
  actions.flatMap((action) => {
    const form = action.slash;
    const name = form?.names.find(passes);
    if (form === undefined || name === undefined || action.when?.(context) === false) return [];
    return [{ action, form, name }];
  });

/** Parses a complete command; null = the text is a message. */
export function parseSlashCommand(text: string, context: ActionContext | null): SlashCommand | null {
  const [, word = "", rest = ""] = /^\/([a-z]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  const [command] = context === null ? [] : commandsNamed(context, (name) => name === word);
  if (command === undefined) return null;
  const argument = rest.trim();
  if (argument === "") return command;
  return takesArgument(command) ? { ...command, argument } : null;
}

/** Returns the commands that start with the text, after a name and a space those with each of its choices. */
export function matchSlashCommands(text: string, context: ActionContext | null): readonly SlashCommand[] {
  const [, word, choice] = /^\/([a-z]*)(?: (\S*))?$/.exec(text) ?? [];
  if (word === undefined || context === null) return [];
  if (choice === undefined) return commandsNamed(context, (name) => name.startsWith(word));
  return commandsNamed(context, (name) => name === word).flatMap((command) =>
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

/** Formats a command as it is typed, without the slash. */
export const slashText = ({ name, argument }: SlashCommand): string =>
  argument === undefined ? name : `${name} ${argument}`;

/** Id of the row of a command in the menu with this id. */
export const slashRowId = (menuId: string, command: SlashCommand): string =>
  `${menuId}-${slashText(command).replaceAll(/\s/g, "_")}`;
