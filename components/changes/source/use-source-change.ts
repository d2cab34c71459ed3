"use client";
/** Commands that change the repository: everything about it is read again after each, also after one that failed. */
import type { ProjectId } from "@/lib/events/id";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { useChange } from "../../state/use-change";

interface SourceChangeState {
  readonly isBusy: boolean;
  /** Resolves with the answer; undefined = it failed, which a notice says. */
  readonly perform: <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandOutput<N> | undefined>;
}

export function useSourceChange(projectId: ProjectId): SourceChangeState {
  const { cache } = useClient();
  const change = useChange("toast");
  return {
    isBusy: change.isBusy,
    async perform(name, input) {
      const value = await change.perform(name, input);
      await invalidateCommands(cache, ["source.", "project.marks"], { projectId });
      return value;
    },
  };
}
