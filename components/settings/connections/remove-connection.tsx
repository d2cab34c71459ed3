"use client";
/** Button that removes a connection and its key after a confirmation that lists what is deleted. */
import type { Connection } from "@/lib/models/models";
import { useClient } from "../../state/client";
import { useFullMessages } from "../../messages/full-messages";
import { RemoveItem } from "../remove-item";
import { useChange } from "../use-change";

interface RemoveConnectionProps {
  readonly connection: Connection;
  /** New sessions use it; after the removal they use Ollama. */
  readonly isDefault: boolean;
}

export function RemoveConnection({ connection, isDefault }: RemoveConnectionProps) {
  const { connectionSettings: text } = useFullMessages();
  const { perform } = useChange("toast");
  const { serverState } = useClient();
  const remove = async (): Promise<boolean> => {
    const answer = await perform("connections.remove", { id: connection.id });
    if (answer === undefined) return false;
    if (isDefault) await perform("settings.write", { patch: { connection: "" } });
    const { connections = [] } = serverState.get();
    serverState.merge({ connections: connections.filter((one) => one.id !== connection.id) });
    return true;
  };
  return (
    <RemoveItem label={text.remove} title={text.removeTitle(connection.name)} yes={text.removeYes} remove={remove}>
      <p>{text.removeNote}</p>
    </RemoveItem>
  );
}
