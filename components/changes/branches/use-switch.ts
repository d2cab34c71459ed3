"use client";
/** Switches to a branch, and names the branch that was made for commits without one. */
import type { ProjectId } from "@/lib/events/id";
import type { CommandInput } from "@/lib/protocol/command";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useSourceChange } from "../source/use-source-change";

type SwitchOrder = Omit<CommandInput<"source.switch">, "projectId">;

/** Returns a function that resolves with whether it succeeded. */
export function useSwitch(projectId: ProjectId): (order: SwitchOrder) => Promise<boolean> {
  const { gitRefs } = useFullMessages();
  const { toasts } = useClient();
  const { perform } = useSourceChange(projectId);
  return async (order) => {
    const switched = await perform("source.switch", { projectId, ...order });
    if (switched !== undefined && switched.kept !== null) toasts.show({ text: gitRefs.kept(switched.kept) });
    return switched !== undefined;
  };
}
