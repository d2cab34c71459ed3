"use client";
/** Skills whose names complete `/skill:` in the message field. */
import { useQuery } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../../../state/client";
import { usableSkills, usableSkillsQuery } from "../../../state/skill-queries";
import type { OfferRow } from "../menus/offer-menu";

const maxRows = 8;
const commandStart = "/skill:";

/** The text that uses a skill for a message. */
export const skillText = (name: string, message = ""): string => `${commandStart}${name} ${message}`;

/** A command without an argument that is the start of `/skill:`, or its name. */
const isSkillCommand = (text: string): boolean =>
  text.length > 1 && !/\s/.test(text) && (commandStart.startsWith(text) || text.startsWith(commandStart));

export function useSkillRows(projectId: ProjectId, text: string, onText: (text: string) => void): readonly OfferRow[] {
  const isCommand = isSkillCommand(text);
  const { data } = useQuery({ ...usableSkillsQuery(useClient().call, projectId), enabled: isCommand });
  if (!isCommand) return [];
  const typed = text.slice(commandStart.length).toLowerCase();
  return usableSkills(data)
    .filter(({ name }) => name.startsWith(typed))
    .slice(0, maxRows)
    .map(({ folder, name, description }) => ({
      key: folder,
      name: commandStart + name,
      detail: description,
      pick: () => onText(skillText(name)),
    }));
}
