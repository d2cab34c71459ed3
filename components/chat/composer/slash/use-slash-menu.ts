"use client";
/** Slash commands of the message field: the menu of those matching the text, until Esc dismisses it, and performing one. */
import { useState } from "react";
import { useCurrentActionContext } from "../../../actions/current-actions";
import { useMessages } from "../../../messages/messages";
import { matchSlashCommands, parseSlashCommand, type SlashCommand, takesArgument } from "./slash-commands";

export interface SlashMenuState {
  readonly commands: readonly SlashCommand[];
  /** The command that Enter picks; null = none is offered. */
  readonly chosen: SlashCommand | null;
  readonly move: (delta: -1 | 1) => void;
  /** Hides the menu until the next slash. */
  readonly dismiss: () => void;
  /** The command that the text is; null = the text is a message. */
  readonly typed: SlashCommand | null;
  /** Performs a command and empties the field; with an argument that the command does not accept, the text stays. */
  readonly perform: (command: SlashCommand) => void;
  /** Completes a command that takes an argument and performs any other. */
  readonly pick: (command: SlashCommand) => void;
  /** Why the text was not performed; null = it was not tried. */
  readonly refusal: string | null;
}

const noCommands: readonly SlashCommand[] = [];

/** `canCommand` false = every text is a message. */
export function useSlashMenu(text: string, canCommand: boolean, setText: (text: string) => void): SlashMenuState {
  const { composer } = useMessages();
  const current = useCurrentActionContext();
  const context = canCommand ? current : null;
  const [isDismissed, setDismissed] = useState(false);
  const [refused, setRefused] = useState({ text: "", reason: "" });
  /** The selected index and the text it belongs to: another text starts at index 0. */
  const [choice, setChoice] = useState({ text: "", index: 0 });
  const found = matchSlashCommands(text, context);
  if (isDismissed && found.length === 0) setDismissed(false);
  const commands = isDismissed ? noCommands : found;
  const index = choice.text === text ? choice.index : 0;
  const perform = (command: SlashCommand): void => {
    const { action, argument, form, name } = command;
    if (argument !== undefined && typeof form.argument === "object" && !form.argument.includes(argument))
      return setRefused({ text, reason: composer.slash.unknownChoice(name, argument, form.argument.join(" / ")) });
    setText("");
    if (context !== null) action.perform(context, argument);
  };
  return {
    commands,
    chosen: commands[index] ?? null,
    move: (delta) => setChoice({ text, index: (index + delta + commands.length) % Math.max(1, commands.length) }),
    dismiss: () => setDismissed(true),
    typed: parseSlashCommand(text, context),
    perform,
    pick: (command) =>
      takesArgument(command) && command.argument === undefined ? setText(`/${command.name} `) : perform(command),
    refusal: text !== "" && refused.text === text ? refused.reason : null,
  };
}
