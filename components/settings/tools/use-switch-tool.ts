"use client";
/** Switches tools by their names, for new sessions; a failure is shown as a toast. One for all switches of a list. */
import { useServerState } from "../../state/use-server-state";
import { useChange, useListChange } from "../../state/use-change";

export function useSwitchTool() {
  const disabledTools = useServerState("settings")?.disabledTools ?? [];
  const { perform } = useChange("toast");
  const { change } = useListChange(disabledTools, (next) =>
    perform("settings.write", { patch: { disabledTools: next } }),
  );
  return {
    disabledTools,
    setOn: (name: string, isOn: boolean): Promise<void> =>
      change((list) => {
        const others = list.filter((one) => one !== name);
        return isOn ? others : [...others, name];
      }),
  };
}
