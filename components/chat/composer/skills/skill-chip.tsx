"use client";
/** The skill that the words of the message that is being written are about. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { MouseEvent } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { useStore } from "../../../state/store";
import { IconButton } from "../../../ui/controls/icon-button";
import { matchSkill } from "./match-skill";
import { skillText, useUsableSkills } from "./use-skill-rows";

interface SkillChipProps {
  readonly text: string;
  /** Identifies the draft: a skill that was declined is not offered for it again. */
  readonly draftKey: string;
  readonly onText: (text: string) => void;
}

export function SkillChip(props: SkillChipProps) {
  const projectId = useStore(useClient().workbench, (workbench) => workbench.projectId);
  return projectId === null ? null : <ProjectSkillChip {...props} projectId={projectId} />;
}

function ProjectSkillChip({ text, draftKey, onText, projectId }: SkillChipProps & { readonly projectId: ProjectId }) {
  const { skills: messages } = useFullMessages();
  const usable = useUsableSkills(projectId);
  const cache = useQueryClient();
  const declinedKey = ["declinedSkills", draftKey];
  const { data: declined = [] } = useQuery<readonly string[]>({
    queryKey: declinedKey,
    queryFn: () => [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const name = matchSkill(
    text,
    usable.filter((skill) => !declined.includes(skill.name)),
  );
  if (name === null) return null;
  const decline = ({ currentTarget: pressed }: MouseEvent<HTMLElement>): void => {
    // The pressed button is gone. A press by pointer left the focus in the field.
    if (document.activeElement === pressed) pressed.closest("[data-composer]")?.querySelector("textarea")?.focus();
    cache.setQueryData(declinedKey, [...declined, name]);
  };
  const use = (event: MouseEvent<HTMLElement>): void => {
    decline(event);
    onText(skillText(name, text));
  };
  return (
    <div
      role="group"
      aria-label={messages.menuLabel}
      className="mb-1.5 flex w-fit max-w-full animate-appear items-center gap-1 rounded-full border border-line bg-raised py-0.5 pr-1 pl-3 text-small shadow-rest"
    >
      <span className="min-w-0 cut">{messages.suggestion(name)}</span>
      <button
        type="button"
        // Keeps the focus in the field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={use}
        className="rounded-control px-1.5 py-0.5 font-medium text-accent hover:bg-hover max-tablet:min-h-11"
      >
        {messages.suggestionUse}
      </button>
      <IconButton
        icon={X}
        name={messages.suggestionDismiss}
        size="small"
        onMouseDown={(event) => event.preventDefault()}
        onClick={decline}
      />
    </div>
  );
}
