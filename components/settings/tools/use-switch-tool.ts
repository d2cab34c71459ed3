"use client";
/** Switches tools by their names, for new sessions; a failure is shown as a toast. One for all switches of a list. */
import { useRef } from "react";
import { useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { useCallWithToast } from "../use-call-with-toast";

export function useSwitchTool() {
  const { serverState } = useClient();
  const disabledTools = useServerState("settings")?.disabledTools ?? [];
  const call = useCallWithToast();
  /** What the newest change writes, until it is answered: the next one begins with it. */
  const pending = useRef<readonly string[] | null>(null);
  return {
    disabledTools,
    async setOn(name: string, isOn: boolean): Promise<void> {
      const others = (pending.current ?? disabledTools).filter((one) => one !== name);
      const next = isOn ? others : [...others, name];
      pending.current = next;
      const settings = await call("settings.write", { patch: { disabledTools: next } });
      if (settings !== undefined) serverState.merge({ settings });
      if (pending.current === next) pending.current = null;
    },
  };
}
