"use client";
/**
 * Menu of the commands that the text begins, of all sources. Those of the program are shown at once, the others once they
 * are loaded.
 */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useMessages } from "../../../messages/messages";
import { type OfferGroup, OfferMenu } from "../menus/offer-menu";
import type { ReferenceStore } from "../references/use-references";
import { argumentHint } from "./argument-hint";
import { matchSlashCommands, slashText } from "./match-slash-commands";
import { takesArgument } from "./slash-commands";
import type { SlashCommandState } from "./use-slash-command";

const SlashOffers = lazy(async () => ({ default: (await import("./slash-offers")).SlashOffers }));

export interface SlashMenuProps {
  readonly id: string;
  readonly slash: SlashCommandState;
  readonly store: ReferenceStore | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Whether the commands of extensions and servers are known. */
  readonly onKnown: (areCommandsKnown: boolean) => void;
}

/** Mounted as long as the text begins with a slash: the next slash opens a dismissed menu again. */
export function SlashMenu({ id, slash, text, onText, ...props }: SlashMenuProps) {
  const own = useOwnCommands(slash, text, onText);
  const [isDismissed, setDismissed] = useState(false);
  const [choice, setChoice] = useState({ text: "", key: "" });
  const draw = (groups: readonly OfferGroup[]): ReactNode =>
    !isDismissed && (
      <OfferMenu
        id={id}
        text={text}
        groups={groups}
        chosenKey={choice.text === text ? choice.key : null}
        onChoose={(key) => setChoice({ text, key })}
        onDismiss={() => setDismissed(true)}
      />
    );
  return (
    <Suspense fallback={draw([own])}>
      <SlashOffers {...props} text={text} onText={onText} hasOwn={own.rows.length > 0}>
        {(others) => draw([own, ...others])}
      </SlashOffers>
    </Suspense>
  );
}

/** Enter performs a complete command, also one that could take an argument; else it does as Tab. */
function useOwnCommands(slash: SlashCommandState, text: string, onText: (text: string) => void): OfferGroup {
  const { composer, actions } = useMessages();
  const rows = matchSlashCommands(text, slash.context).map((command) => {
    const name = slashText(command);
    const perform = (): void => slash.perform(command);
    const complete = takesArgument(command) && command.argument === undefined ? () => onText(`${name} `) : perform;
    return {
      key: name,
      name,
      hint: argumentHint(command, composer.slash.arguments),
      detail: actions.names[command.action.id],
      pick: text === name ? perform : complete,
      complete,
    };
  });
  return { label: composer.slash.label, rows };
}
