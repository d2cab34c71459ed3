"use client";
/** The menus above the message field: commands, files for the message, skills. Loaded with the first character. */
import { lazy, Suspense } from "react";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { ReferenceStore } from "./references/use-references";
import type { MentionMenuState } from "./references/use-mentions";
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
  return (
    <Suspense>
      {slashMenu.commands.length > 0 && (
        <SlashMenu id={id} commands={slashMenu.commands} chosen={slashMenu.chosen} onPick={slashMenu.pick} />
      )}
      {draft.text !== "" && slashMenu.commands.length === 0 && mention === null && <SkillOffers {...draft} />}
      {draft.text.startsWith("/") && (
        // Loads beside the menu of the program's commands, so that a text that is sent at once is not a message.
        <Suspense>
          <CommandOffers {...draft} isHidden={slashMenu.commands.length > 0}>
            <PromptOffers text={draft.text} onText={draft.onText} store={store} />
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
