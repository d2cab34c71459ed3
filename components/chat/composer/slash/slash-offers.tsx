"use client";
/** Commands of extensions, prompts of servers, skills and workflows for the text of the message field, and what picking one opens. */
import { type ReactNode, useEffect, useRef } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { useStore } from "../../../state/store";
import { useExtensionCommands } from "../commands/use-extension-commands";
import type { OfferGroup } from "../menus/offer-menu";
import { useTakenKeys } from "../menus/use-taken-keys";
import { useTakenSend } from "../menus/use-taken-send";
import { PromptForm } from "../prompts/prompt-form";
import { usePromptRows } from "../prompts/use-prompt-rows";
import { useSkillRows } from "../skills/use-skill-rows";
import { useWorkflowOffers } from "../workflows/use-workflow-offers";
import type { SlashMenuProps } from "./slash-menu";

interface SlashOffersProps extends Pick<SlashMenuProps, "text" | "onText" | "store" | "onKnown"> {
  /** The text is, or begins, a command of the program: Enter is not for a command of an extension. */
  readonly hasOwn: boolean;
  /** Draws the menu with these groups; not called while a command runs or a form is open. */
  readonly children: (groups: readonly OfferGroup[]) => ReactNode;
}

export function SlashOffers(props: SlashOffersProps) {
  const projectId = useStore(useClient().workbench, (workbench) => workbench.projectId);
  return projectId === null ? props.children([]) : <ProjectOffers {...props} projectId={projectId} />;
}

function ProjectOffers({
  text,
  onText,
  store,
  onKnown,
  hasOwn,
  children,
  projectId,
}: SlashOffersProps & { readonly projectId: ProjectId }) {
  const { extensions, promptOffers, skills, workflows } = useFullMessages();
  const commands = useExtensionCommands({ projectId, text, onText, hasOwn });
  const prompts = usePromptRows(projectId, text);
  const skillRows = useSkillRows(projectId, text, onText);
  const workflowOffers = useWorkflowOffers(projectId, text, onText);
  const anchor = useRef<HTMLDivElement>(null);
  const { running, stop, expandTyped } = commands;
  useTakenKeys(anchor, running !== null, { Escape: stop, Enter: () => {} });
  useTakenSend(anchor, expandTyped ?? workflowOffers.performTyped);
  const isKnown = commands.isKnown && prompts.isKnown && workflowOffers.isKnown;
  useEffect(() => {
    onKnown(isKnown);
    return () => onKnown(false);
  }, [isKnown, onKnown]);
  return (
    <div ref={anchor}>
      {running !== null ? (
        <p
          role="status"
          className="absolute bottom-full left-0 z-10 mb-1 max-w-full animate-appear rounded-full border border-line bg-raised px-3 py-1 text-small shadow-rest"
        >
          {extensions.expanding(running)}
        </p>
      ) : prompts.chosen !== null ? (
        <PromptForm
          key={prompts.chosen.command}
          {...prompts.chosen}
          projectId={projectId}
          onText={onText}
          store={store}
          onClose={prompts.close}
        />
      ) : (
        children([
          { label: extensions.menuLabel, rows: commands.rows },
          { label: promptOffers.menu, rows: prompts.rows },
          { label: skills.menuLabel, rows: skillRows },
          { label: workflows.menuLabel, rows: workflowOffers.rows },
        ])
      )}
    </div>
  );
}
