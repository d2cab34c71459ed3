/** Queries of skills. */
import { queryOptions } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import type { SkillContent, SkillsState, SkillView } from "@/lib/tools/skills";
import { callValue } from "./queries";

type Call = Parameters<typeof callValue>[0];

/** Reads the folders again whenever it is mounted or the window gets the focus: skills are edited in other programs. */
export const skillsQuery = (call: Call, projectId: ProjectId) =>
  queryOptions<SkillsState>({
    queryKey: ["skills", projectId],
    staleTime: 0,
    refetchOnWindowFocus: true,
    queryFn: () => callValue(call, "skills.list", { projectId }),
  });

/** For the message field: the folders are read again only after half a minute. */
export const usableSkillsQuery = (call: Call, projectId: ProjectId) => ({
  ...skillsQuery(call, projectId),
  staleTime: 30_000,
});

/** Returns the skills that a message can use. */
export const usableSkills = (state: SkillsState | undefined): readonly SkillView[] =>
  state?.places.flatMap(({ skills }) => skills).filter(({ status }) => status === "on") ?? [];

export const skillTextQuery = (call: Call, projectId: ProjectId, folder: string) =>
  queryOptions<SkillContent>({
    queryKey: ["skills", projectId, folder],
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: () => callValue(call, "skills.read", { projectId, folder }),
  });
