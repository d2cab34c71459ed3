"use client";
/** Enables and disables an extension: the answer replaces the cached list, a failure is shown as a toast. */
import { useQueryClient } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import type { ExtensionsState, ExtensionView } from "@/lib/tools/extensions";
import { useFullMessages } from "../../messages/full-messages";
import { useCallWithToast } from "../use-call-with-toast";
import { invalidateCommands } from "../../state/command-query";

export function useSetExtension(projectId: ProjectId) {
  const { extensions: text } = useFullMessages();
  const call = useCallWithToast();
  const cache = useQueryClient();
  const store = async (state: ExtensionsState | undefined): Promise<void> => {
    const queryKey = ["extensions.list", { projectId }];
    await cache.cancelQueries({ queryKey, exact: true });
    if (state === undefined) await cache.invalidateQueries({ queryKey });
    else cache.setQueryData(queryKey, state);
    await invalidateCommands(cache, ["extensions.commands"], { projectId });
  };
  return {
    async enable({ path, hash }: Pick<ExtensionView, "path" | "hash">) {
      if (hash === null) return;
      const sentences = { changed_meanwhile: text.changedMeanwhile };
      await store(await call("extensions.enable", { projectId, extension: path, hash }, sentences));
    },
    async disable({ path }: Pick<ExtensionView, "path">) {
      await store(await call("extensions.disable", { projectId, extension: path }));
    },
  };
}
