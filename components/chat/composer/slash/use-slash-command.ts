"use client";
/** The command of the program that the text of the message field is, and performing one. */
import { useState } from "react";
import type { ActionContext } from "../../../actions/action";
import { useCurrentActionContext } from "../../../actions/current-actions";
import { useMessages } from "../../../messages/messages";
import { parseSlashCommand, type SlashCommand } from "./slash-commands";

export interface SlashCommandState {
  /** Context in which commands are performed; null = every text is a message. */
  readonly context: ActionContext | null;
  /** The command that the text is; null = it is none. */
  readonly typed: SlashCommand | null;
  /** Performs a command and empties the field; with an argument that the command does not accept, the text stays. */
  readonly perform: (command: SlashCommand) => void;
  /** Why the text was not performed; null = it was not tried. */
  readonly refusal: string | null;
}

/** `canCommand` false = every text is a message. */
export function useSlashCommand(text: string, canCommand: boolean, setText: (text: string) => void): SlashCommandState {
  const { composer } = useMessages();
  const current = useCurrentActionContext();
  const context = canCommand ? current : null;
  const [refused, setRefused] = useState({ text: "", reason: "" });
  return {
    context,
    typed: parseSlashCommand(text, context),
    perform: (command) => {
      const { action, argument, form, name } = command;
      if (argument !== undefined && typeof form.argument === "object" && !form.argument.includes(argument))
        return setRefused({ text, reason: composer.slash.unknownChoice(name, argument, form.argument.join(" / ")) });
      setText("");
      if (context !== null) action.perform(context, argument);
    },
    refusal: text !== "" && refused.text === text ? refused.reason : null,
  };
}
