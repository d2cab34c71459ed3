"use client";
/** Switches tools by their names, for new sessions; a failure is shown as a toast. One for all switches of a list. */
import { useRef } from "react";
import { useServerState } from "../../state/use-server-state";
import { useChange } from "../use-change";

export function useSwitchTool() {
  const disabledTools = useServerState("settings")?.disabledTools ?? [];
  const { perform } = useChange("toast");
  /** List that the newest change writes, until it is answered: the next change begins with it. */
  const pending = useRef<readonly string[] | null>(null);
  return {
    disabledTools,
    async setOn(name: string, isOn: boolean): Promise<void> {
      const others = (pending.current ?? disabledTools).filter((one) => one !== name);
      const next = isOn ? others : [...others, name];
      pending.current = next;
      await perform("settings.write", { patch: { disabledTools: next } });
      if (pending.current === next) pending.current = null;
    },
  };
}
