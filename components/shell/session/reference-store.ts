/** Finds and measures references for the composer of a session, or of a new one. */
import type { CommandRequest } from "@/lib/protocol/command";
import type { ReferenceStore } from "../../chat/composer/references/use-references";
import type { AppClient } from "../../state/client";

const maxFound = 60;
const maxSessions = 8;

/** `place` = the project, and the session or the model of a new one. */
export function referenceStore(
  { call, workbench }: AppClient,
  place: Omit<CommandRequest<"references.measure">, "references">,
): ReferenceStore {
  return {
    find: async (typed, refresh) => {
      const input = { projectId: place.projectId, query: typed.slice(0, 200), max: maxFound, refresh };
      const answer = await call("files.find", input);
      if (!answer.ok) return null;
      if (typed !== "") return answer.value;
      const recent = workbench.get().layout.recentFiles;
      return { ...answer.value, paths: [...new Set([...recent, ...answer.value.paths])] };
    },
    findSessions: async (typed) => {
      const answer = await call("session.list", { projectId: place.projectId, title: typed.slice(0, 200) });
      const rows = answer.ok ? answer.value.rows : [];
      return rows.filter(({ id, title }) => id !== place.sessionId && title !== "").slice(0, maxSessions);
    },
    findSymbols: async (path, signal) => {
      const file = await call("files.read", { projectId: place.projectId, path });
      if (!file.ok) return [];
      const { findSymbolLines } = await import("../../editor/text/symbol-lines");
      return findSymbolLines(path, file.value.text, signal);
    },
    measure: async (references) => {
      const answer = await call("references.measure", { ...place, references });
      return answer.ok ? answer.value : null;
    },
  };
}
