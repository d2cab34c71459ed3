"use client";
/** Skills whose names complete `/skill:` in the message field. */
import type { ProjectId } from "@/lib/events/id";
import type { SkillsState, SkillView } from "@/lib/tools/skills";
import type { OfferRow } from "../menus/offer-menu";
import { useCommandQuery } from "../../../state/use-command-query";

const maxRows = 8;
const commandStart = "/skill:";

/** The text that uses a skill for a message. */
export const skillText = (name: string, message = ""): string => `${commandStart}${name} ${message}`;

/** A command without an argument that is the start of `/skill:`, or its name. */
const isSkillCommand = (text: string): boolean =>
  text.length > 1 && !/\s/.test(text) && (commandStart.startsWith(text) || text.startsWith(commandStart));

const selectUsable = (state: SkillsState): readonly SkillView[] =>
  state.places.flatMap(({ skills }) => skills).filter(({ status }) => status === "on");
const noSkills: readonly SkillView[] = [];

/** The skills that a message can use; the folders are read again only after half a minute. */
export const useUsableSkills = (projectId: ProjectId, enabled = true): readonly SkillView[] =>
  useCommandQuery("skills.list", { projectId }, { staleTime: 30_000, enabled, select: selectUsable }).data ?? noSkills;

export function useSkillRows(projectId: ProjectId, text: string, onText: (text: string) => void): readonly OfferRow[] {
  const isCommand = isSkillCommand(text);
  const usable = useUsableSkills(projectId, isCommand);
  if (!isCommand) return [];
  const typed = text.slice(commandStart.length).toLowerCase();
  return usable
    .filter(({ name }) => name.startsWith(typed))
    .slice(0, maxRows)
    .map(({ folder, name, description }) => ({
      key: folder,
      name: commandStart + name,
      detail: description,
      pick: () => onText(skillText(name)),
    }));
}
