/** Quick open: finds files of a project by a few letters of their path. */
import { untilAborted } from "@/server/base/abort";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { Feature, FeatureHost } from "../feature";
import { createFileFinder, type FileFinder } from "./file-finder";

/** Time after its last use until the index of a project is dropped, ms. */
const idleMs = 300_000;

export function quickOpenFeature({ projects, now }: Pick<FeatureHost, "projects" | "now">) {
  /** By opened project: a project that was moved is opened again. */
  const finders = new Map<OpenProject, FileFinder>();
  const stopped = new AbortController();
  const dropIdle = (): void => {
    for (const [project, finder] of finders) if (finder.usedAt() + idleMs <= now()) finders.delete(project);
  };
  return {
    commands: {
      async "files.find"({ projectId, query, max, refresh }) {
        const project = await projects.get(projectId);
        if (!project.ok) return project;
        dropIdle();
        let finder = finders.get(project.value);
        if (finder === undefined) {
          finder = createFileFinder({ search: project.value.search, now, signal: stopped.signal });
          finders.set(project.value, finder);
        }
        return finder.find({ typed: query, max, refresh });
      },
    },
    async start(signal) {
      const timer = setInterval(dropIdle, idleMs / 2);
      timer.unref();
      await untilAborted(signal);
      clearInterval(timer);
      stopped.abort();
      finders.clear();
    },
  } satisfies Feature;
}
