"use client";
/** Switches a skill: the answer replaces the cached list, a failure is shown as a toast. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useCallWithToast } from "../use-call-with-toast";

export function useSwitchSkill(projectId: ProjectId): (folder: string, isOff: boolean) => Promise<void> {
  const call = useCallWithToast();
  const cache = useQueryClient();
  return useCallback(
    async (folder, isOff) => {
      const state = await call("skills.set", { projectId, folder, isOff });
      if (state === undefined) return;
      const queryKey = ["skills.list", { projectId }];
      // An answer that is on its way is older.
      await cache.cancelQueries({ queryKey, exact: true });
      cache.setQueryData(queryKey, state);
    },
    [call, cache, projectId],
  );
}
