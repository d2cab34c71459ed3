"use client";
/** Skills for the message that is being written: the names that complete `/skill:`, or the one that its words are about. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { MouseEvent } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { SkillView } from "@/lib/tools/skills";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { skillsQuery } from "../../../state/skill-queries";
import { useStore } from "../../../state/store";
import { IconButton } from "../../../ui/controls/icon-button";
import { OfferMenu } from "../menus/offer-menu";
import { matchSkill } from "./match-skill";

interface SkillOffersProps {
  readonly text: string;
  /** Identifies the draft: a skill that was declined is not offered for it again. */
  readonly draftKey: string;
  readonly onText: (text: string) => void;
}

/** The folders are read again after this time, ms. */
const freshMs = 30_000;
const maxRows = 8;
const commandStart = "/skill:";
/** A command without an argument that is the start of `/skill:`, or its name. */
const isSkillCommand = (text: string): boolean =>
  text.length > 1 && !/\s/.test(text) && (commandStart.startsWith(text) || text.startsWith(commandStart));

export function SkillOffers(props: SkillOffersProps) {
  const projectId = useStore(useClient().workbench, (workbench) => workbench.projectId);
  return projectId === null ? null : <ProjectSkillOffers {...props} projectId={projectId} />;
}

function ProjectSkillOffers({
  text,
  draftKey,
  onText,
  projectId,
}: SkillOffersProps & { readonly projectId: ProjectId }) {
  const { data } = useQuery({ ...skillsQuery(useClient().call, projectId), staleTime: freshMs });
  const skills = data?.places.flatMap((place) => place.skills).filter(({ status }) => status === "on") ?? [];
  if (isSkillCommand(text)) return <SkillMenu text={text} skills={skills} onText={onText} />;
  return <SkillChip text={text} draftKey={draftKey} skills={skills} onText={onText} />;
}

interface OffersProps extends Omit<SkillOffersProps, "draftKey"> {
  readonly skills: readonly SkillView[];
}

function SkillMenu({ text, skills, onText }: OffersProps) {
  const { skills: messages } = useFullMessages();
  const typed = text.slice(commandStart.length).toLowerCase();
  const rows = skills
    .filter(({ name }) => name.startsWith(typed))
    .slice(0, maxRows)
    .map(({ folder, name, description }) => ({
      key: folder,
      name: commandStart + name,
      detail: description,
      pick: () => onText(`${commandStart}${name} `),
    }));
  return <OfferMenu text={text} groups={[{ label: messages.menuLabel, rows }]} />;
}

function SkillChip({ text, draftKey, skills, onText }: OffersProps & Pick<SkillOffersProps, "draftKey">) {
  const { skills: messages } = useFullMessages();
  const cache = useQueryClient();
  const declinedKey = ["skills", "declined", draftKey];
  const { data: declined = [] } = useQuery<readonly string[]>({
    queryKey: declinedKey,
    queryFn: () => [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const name = matchSkill(
    text,
    skills.filter((skill) => !declined.includes(skill.name)),
  );
  if (name === null) return null;
  const decline = ({ currentTarget: pressed }: MouseEvent<HTMLElement>): void => {
    // The pressed button is gone. A press by pointer left the focus in the field.
    if (document.activeElement === pressed) pressed.closest("[data-composer]")?.querySelector("textarea")?.focus();
    cache.setQueryData(declinedKey, [...declined, name]);
  };
  const use = (event: MouseEvent<HTMLElement>): void => {
    decline(event);
    onText(`${commandStart}${name} ${text}`);
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
