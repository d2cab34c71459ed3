"use client";
/** Button that removes a connection and its key after a confirmation that lists what is deleted. */
import { useState } from "react";
import type { Connection } from "@/lib/models/models";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { useFullMessages } from "../../messages/full-messages";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { openItem } from "../open-item";
import { useCallWithToast } from "../use-call-with-toast";

interface RemoveConnectionProps {
  readonly connection: Connection;
  /** New sessions use it; after the removal they use Ollama. */
  readonly isDefault: boolean;
}

export function RemoveConnection({ connection, isDefault }: RemoveConnectionProps) {
  const { connectionSettings: text } = useFullMessages();
  const call = useCallWithToast();
  const { serverState } = useClient();
  const [state, setState] = useState<"closed" | "open" | "removing">("closed");
  const remove = async (): Promise<void> => {
    setState("removing");
    const answer = await call("connections.remove", { id: connection.id });
    if (answer === undefined) return setState("closed");
    if (isDefault) await call("settings.write", { patch: { connection: "" } });
    const { connections = [] } = serverState.get();
    serverState.merge({ connections: connections.filter((one) => one.id !== connection.id) });
    openItem(null, "replace");
  };
  return (
    <>
      <Button look="danger" onClick={() => setState("open")}>
        {text.remove}
      </Button>
      {state !== "closed" && (
        <ConfirmDialog
          title={text.removeTitle(connection.name)}
          yes={text.removeYes}
          busy={state === "removing"}
          onYes={() => void remove()}
          onClose={() => setState("closed")}
        >
          <p>{text.removeNote}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
