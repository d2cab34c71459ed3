"use client";
/** The menus above the message field: commands of all sources, files for the message, skills. Loaded with the first character. */
import { lazy, Suspense, useState } from "react";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { ReferenceStore } from "./references/use-references";
import type { MentionMenuState } from "./references/use-mentions";
import { useMessages } from "../../messages/messages";
import { argumentHint } from "./slash/argument-hint";
import { slashText } from "./slash/slash-commands";
import { SlashMenu } from "./slash/slash-menu";
import type { SlashMenuState } from "./slash/use-slash-menu";

const MentionMenu = lazy(async () => ({ default: (await import("./references/mention-menu")).MentionMenu }));
const PromptOffers = lazy(async () => ({ default: (await import("./prompts/prompt-offers")).PromptOffers }));
const SkillOffers = lazy(async () => ({ default: (await import("./skills/skill-offers")).SkillOffers }));

const CommandOffers = lazy(async () => ({ default: (await import("./commands/command-offers")).CommandOffers }));

export interface ComposerMenusProps {
  readonly id: string;
  readonly slashMenu: SlashMenuState;
  readonly mentions: MentionMenuState;
  readonly store: ReferenceStore | undefined;
  /** null = Enter was pressed, and nothing matches. */
  readonly onReference: (reference: NewReference | null) => void;
  readonly onRetype: (typed: string) => void;
  readonly draft: {
    readonly text: string;
    readonly draftKey: string;
    readonly onText: (text: string) => void;
  };
}

export function ComposerMenus({ id, slashMenu, mentions, store, onReference, onRetype, draft }: ComposerMenusProps) {
  const { mention, index, isSubmitted, setCount } = mentions;
  const [hasOthers, setHasOthers] = useState(false);
  const { composer, actions } = useMessages();
  const own = slashMenu.commands;
  const ownGroup = {
    isOwn: true,
    label: composer.slash.label,
    rows: own.map((command) => ({
      key: slashText(command),
      name: `/${slashText(command)}`,
      hint: argumentHint(command, composer.slash.arguments),
      detail: actions.names[command.action.id],
      pick: () => slashMenu.pick(command),
    })),
  };
  return (
    <Suspense>
      {own.length > 0 && !hasOthers && (
        <SlashMenu id={id} commands={own} chosen={slashMenu.chosen} onPick={slashMenu.pick} />
      )}
      {draft.text !== "" && own.length === 0 && mention === null && <SkillOffers {...draft} />}
      {draft.text.startsWith("/") && (
        // Loads beside the menu of the program's commands, so that a text that is sent at once is not a message.
        <Suspense>
          <CommandOffers {...draft} hasOwn={own.length > 0}>
            {(commands) => (
              <PromptOffers
                id={id}
                text={draft.text}
                onText={draft.onText}
                store={store}
                before={[ownGroup, commands]}
                onDismiss={slashMenu.dismiss}
                onShown={setHasOthers}
              />
            )}
          </CommandOffers>
        </Suspense>
      )}
      {mention !== null && store !== undefined && (
        <MentionMenu
          id={id}
          store={store}
          mention={mention}
          index={index}
          isSubmitted={isSubmitted}
          onCount={setCount}
          onPick={onReference}
          onRetype={onRetype}
        />
      )}
    </Suspense>
  );
}
