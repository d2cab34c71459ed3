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
export const findCommands = (context: ActionContext, passes: (name: string) => boolean): readonly SlashCommand[] =>
  actions.flatMap((action) => {
    const form = action.slash;
    const name = form?.names.find(passes);
    if (form === undefined || name === undefined || action.when?.(context) === false) return [];
    return [{ action, form, name }];
  });

/** Parses a complete command; null = the text is a message. */
export function parseSlashCommand(text: string, context: ActionContext | null): SlashCommand | null {
  const [, word = "", rest = ""] = /^\/([a-z]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  const [command] = context === null ? [] : findCommands(context, (name) => name === word);
  if (command === undefined) return null;
  const argument = rest.trim();
  if (argument === "") return command;
  return takesArgument(command) ? { ...command, argument } : null;
}
