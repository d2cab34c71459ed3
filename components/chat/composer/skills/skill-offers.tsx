"use client";
/**
 * Skills for the message that is being written: the names that complete `/skill:`, or the one that its words are about.
 * The field keeps the focus; the keys of the open menu are taken before the field gets them.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { SkillView } from "@/lib/tools/skills";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { skillsQuery } from "../../../state/skill-queries";
import { useStore } from "../../../state/store";
import { IconButton } from "../../../ui/controls/icon-button";
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
  const list = useRef<HTMLDivElement>(null);
  const [isDismissed, setDismissed] = useState(false);
  /** The selected row and the text it belongs to: another text starts at the first row. */
  const [choice, setChoice] = useState({ text: "", index: 0 });
  const typed = text.slice(commandStart.length).toLowerCase();
  const rows = skills.filter(({ name }) => name.startsWith(typed)).slice(0, maxRows);
  const index = choice.text === text ? choice.index : 0;
  const isOpen = !isDismissed && rows.length > 0;
  const id = useId();
  const rowId = (at: number): string => `${id}-${at}`;
  const pick = (name: string | undefined): void => {
    if (name !== undefined) onText(`${commandStart}${name} `);
  };
  const keys: { readonly [key: string]: (() => void) | undefined } = {
    ArrowDown: () => setChoice({ text, index: (index + 1) % rows.length }),
    ArrowUp: () => setChoice({ text, index: (index + rows.length - 1) % rows.length }),
    Enter: () => pick(rows[index]?.name),
    Tab: () => pick(rows[index]?.name),
    Escape: () => setDismissed(true),
  };
  useLayoutEffect(() => {
    const composer = list.current?.closest<HTMLElement>("[data-composer]");
    if (!isOpen || composer === null || composer === undefined) return;
    const take = (event: KeyboardEvent): void => {
      const act = event.isComposing || event.shiftKey ? undefined : keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    composer.addEventListener("keydown", take, { capture: true });
    const field = composer.querySelector("textarea");
    field?.setAttribute("aria-activedescendant", rowId(index));
    return () => {
      composer.removeEventListener("keydown", take, { capture: true });
      // Another menu may have taken it.
      if (field?.getAttribute("aria-activedescendant") === rowId(index)) field.removeAttribute("aria-activedescendant");
    };
  });
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [index]);
  if (!isOpen) return null;
  return (
    <div
      ref={list}
      role="listbox"
      aria-label={messages.menuLabel}
      className="absolute inset-x-0 bottom-full z-20 mb-1 max-h-[min(24rem,45dvh)] animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float"
    >
      {rows.map(({ folder, name, description }, at) => (
        <button
          key={folder}
          id={rowId(at)}
          type="button"
          role="option"
          aria-selected={at === index}
          tabIndex={-1}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(name)}
          className="flex min-h-8 w-full items-center gap-3 rounded-control px-2 text-left text-base hover:bg-hover aria-selected:bg-hover max-tablet:min-h-11"
        >
          <span className="min-w-0 shrink-0 cut font-medium">{commandStart + name}</span>
          <span className="min-w-0 flex-1 cut text-right text-small text-ink-muted">{description.slice(0, 200)}</span>
        </button>
      ))}
    </div>
  );
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
  const decline = (): void => void cache.setQueryData(declinedKey, [...declined, name]);
  const use = (): void => {
    decline();
    onText(`${commandStart}${name} ${text}`);
  };
  return (
    <div
      role="group"
      aria-label={messages.menuLabel}
      className="absolute bottom-full left-0 z-10 mb-1 flex max-w-full animate-appear items-center gap-1 rounded-full border border-line bg-raised py-0.5 pr-1 pl-3 text-small shadow-rest"
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
