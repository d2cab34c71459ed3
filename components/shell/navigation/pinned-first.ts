import type { Project } from "@/lib/workspace/project";

/** Returns pinned projects in the order of pinning, then the others as listed: last opened first. */
export function pinnedFirst(projects: readonly Project[]): readonly Project[] {
  const isPinned = ({ pinnedAt }: Project): boolean => typeof pinnedAt === "number";
  const pinned = projects.filter(isPinned).sort((a, b) => (a.pinnedAt ?? 0) - (b.pinnedAt ?? 0));
  return [...pinned, ...projects.filter((project) => !isPinned(project))];
}
