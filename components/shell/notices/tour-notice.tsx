"use client";
/** Notice of the tour: its meaning, and the way out where the server is not one of `--demo`. */
import { useState } from "react";
import type { Connection } from "@/lib/models/models";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { openNewSession } from "../navigation/open-new-session";
import { NoticeLine } from "./notice-line";
import { toastError } from "./toast-error";

export function TourNotice({ connection: { projectId } }: { readonly connection: Connection }) {
  const client = useClient();
  const messages = useFullMessages();
  const { firstRun } = messages;
  const { workbench } = client;
  const [busy, setBusy] = useState(false);
  const leave = async (): Promise<void> => {
    if (projectId === undefined) return;
    setBusy(true);
    const open = await client.call("terminal.list", { projectId });
    for (const { id } of open.ok ? open.value.terminals : []) await client.call("terminal.close", { terminalId: id });
    // Before its project is deleted, so that nothing asks for it any more.
    const isShown = workbench.get().projectId === projectId;
    const ended = await client.call("tour.end", {});
    setBusy(false);
    if (!ended.ok) return toastError(client, messages, ended.error);
    const { returnTo } = ended.value;
    if (!isShown || returnTo === null) return;
    workbench.showProject(returnTo);
    openNewSession(workbench);
  };
  return (
    <NoticeLine tone="plain" text={firstRun.isTour}>
      {projectId !== undefined && (
        <Button size="small" busy={busy} onClick={() => void leave()}>
          {firstRun.leaveTour}
        </Button>
      )}
    </NoticeLine>
  );
}
