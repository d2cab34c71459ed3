"use client";
/** Shows the projects and sessions of work trees. */
import { useMemo } from "react";
import type { SourceLinks } from "../../changes/worktrees/source-links";
import { writeDraft } from "../../chat/composer/drafts/drafts";
import { useClient } from "../../state/client";
import { openNewSession } from "../navigation/open-new-session";
import { navigate } from "../navigation/router";

export function useSourceLinks(): SourceLinks {
  const { workbench } = useClient();
  return useMemo(
    () => ({
      onProject(id, command) {
        if (command !== "") writeDraft(`new.${id}`, `!${command}`);
        workbench.showProject(id);
        openNewSession(workbench);
      },
      onSession: (id) => navigate(`/s/${id}`),
    }),
    [workbench],
  );
}
