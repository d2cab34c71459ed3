"use client";
/** The menus above the message field: commands of all sources, files for the message, a skill. Loaded with the first character. */
import { lazy, Suspense } from "react";
import type { ImageRef } from "@/lib/events/content";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { MentionMenuState } from "./references/use-mentions";
import { SlashMenu, type SlashMenuProps } from "./slash/slash-menu";

const MentionMenu = lazy(async () => ({ default: (await import("./references/mention-menu")).MentionMenu }));
const SkillChip = lazy(async () => ({ default: (await import("./skills/skill-chip")).SkillChip }));

export interface ComposerMenusProps extends SlashMenuProps {
  readonly mentions: MentionMenuState;
  /** null = Enter was pressed, and nothing matches. */
  readonly onReference: (reference: NewReference | null) => void;
  readonly onRetype: (typed: string) => void;
  /** Gets the images of a chosen resource. */
  readonly onImages: (name: string, images: readonly ImageRef[]) => void;
  readonly draftKey: string;
}

export function ComposerMenus(props: ComposerMenusProps) {
  const { mentions, onReference, onRetype, onImages, draftKey, ...slashMenu } = props;
  const { id, text, onText, store } = slashMenu;
  const { mention, index, isSubmitted, setCount } = mentions;
  const isCommand = text.startsWith("/");
  return (
    <Suspense>
      {isCommand && <SlashMenu {...slashMenu} />}
      {!isCommand && mention === null && <SkillChip text={text} draftKey={draftKey} onText={onText} />}
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
          onImages={onImages}
        />
      )}
    </Suspense>
  );
}
