/** Commands that stage, unstage and discard. */
import { ok } from "@/lib/events/error";
import type { HandlerTable } from "@/server/handlers/handlers";
import { stageWithoutMarkers } from "@/server/workspace/git/conflicts/resolve-conflict";
import { discardLines, discardPaths } from "@/server/workspace/git/discard";
import { changeStagedLines, unstagePaths } from "@/server/workspace/git/stage";
import type { FileWriter } from "./branch-commands";

export function stageCommands(write: FileWriter) {
  return {
    "source.stage": ({ projectId, paths }) => write(projectId, paths, (place) => stageWithoutMarkers(place, paths)),
    "source.unstage": ({ projectId, paths }) => write(projectId, paths, ({ git }) => unstagePaths(git, paths)),
    "source.change_lines": ({ projectId, ...order }) =>
      write(projectId, [order.path], ({ git }) => changeStagedLines(git, order)),
    "source.discard": ({ projectId, paths }) => write(projectId, paths, (place) => discardPaths(place, paths)),
    "source.discard_lines": ({ projectId, ...order }) =>
      write(projectId, [order.path], async (place) => {
        const saved = await discardLines(place, order);
        return saved.ok ? ok({ saved: saved.value, failed: [] }) : saved;
      }),
  } satisfies Partial<HandlerTable>;
}
