/** Commands for a path in conflict. */
import { ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { HandlerTable } from "@/server/handlers/handlers";
import { readConflict, readConflictDiff } from "@/server/workspace/git/conflicts/read-conflict";
import { markResolved, reopenConflict, resolveRegions } from "@/server/workspace/git/conflicts/resolve-conflict";
import type { Git } from "@/server/workspace/git/git";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { FileWriter } from "./branch-commands";

/** Means of the feature for one project. */
interface ConflictContext {
  /** Opens git for reading, and checks the paths. */
  read<T>(
    projectId: ProjectId,
    work: (git: Git, project: OpenProject) => Promise<Result<T>>,
    paths: readonly string[],
  ): Promise<Result<T>>;
  readonly write: FileWriter;
  readonly signal: AbortSignal;
}

export function conflictCommands({ read, write, signal }: ConflictContext) {
  return {
    "source.conflict": ({ projectId, path }) =>
      read(projectId, (git, project) => readConflict({ git, project }, path), [path]),
    "source.conflict_diff": ({ projectId, ...order }) =>
      read(projectId, (git) => readConflictDiff(git, order, signal), [order.path]),
    "source.resolve_regions": ({ projectId, ...order }) =>
      write(projectId, [order.path], async (place) => {
        const saved = await resolveRegions(place, order);
        return saved.ok ? ok({ saved: saved.value, failed: [] }) : saved;
      }),
    "source.mark_resolved": ({ projectId, ...order }) =>
      write(projectId, [order.path], (place) => markResolved(place, order)),
    "source.reopen_conflict": ({ projectId, path }) => write(projectId, [path], (place) => reopenConflict(place, path)),
  } satisfies Partial<HandlerTable>;
}
