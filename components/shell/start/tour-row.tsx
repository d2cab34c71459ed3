"use client";
/** Row for the tour, which needs no model. */
import { useState } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { openNewSession } from "../navigation/open-new-session";
import { toastError } from "../notices/toast-error";
import { SetupRow } from "./setup-row";

export function TourRow() {
  const client = useClient();
  const messages = useFullMessages();
  const { firstRun } = messages;
  const [busy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    const { projectId } = client.workbench.get();
    if (projectId === null) return;
    setBusy(true);
    const answer = await client.call("tour.start", { projectId });
    setBusy(false);
    if (!answer.ok) return toastError(client, messages, answer.error);
    client.workbench.changeDraft({ model: null, connection: null });
    client.workbench.showProject(answer.value.project.id);
    openNewSession(client.workbench);
  };
  return (
    <SetupRow title={firstRun.tour} note={firstRun.tourNote}>
      <Button busy={busy} onClick={() => void start()}>
        {firstRun.startTour}
      </Button>
    </SetupRow>
  );
}
