"use client";
/** Buttons that move a connection up or down in the list; the order is a setting. */
import { sortConnections, moveInOrder } from "@/lib/models/connection-order";
import type { Connection } from "@/lib/models/models";
import { useClient } from "../../state/client";
import { performCommand } from "../../state/command-answers";
import { connectionDisplayName } from "../../messages/connection-name";
import { useFullMessages } from "../../messages/full-messages";
import { MoveButtons } from "../move-buttons";

interface MoveConnectionProps {
  readonly connection: Connection;
  /** All connections in list order. */
  readonly connections: readonly Connection[];
}

export function MoveConnection({ connection, connections }: MoveConnectionProps) {
  const messages = useFullMessages();
  const { connectionSettings: text } = messages;
  const move = useMoveConnection(connections);
  const name = connectionDisplayName(connection, messages);
  return (
    <MoveButtons
      index={connections.indexOf(connection)}
      count={connections.length}
      names={{ up: text.moveUp(name), down: text.moveDown(name) }}
      onMove={(step) => move(connection.id, step)}
    />
  );
}

/** Returns a function that reorders optimistically and restores the list if the server refuses. */
function useMoveConnection(connections: readonly Connection[]): (id: string, step: number) => void {
  const client = useClient();
  const { serverState, toasts } = client;
  const messages = useFullMessages();
  return (id, step) => {
    const connectionOrder = moveInOrder(
      connections.map((one) => one.id),
      id,
      step,
    );
    serverState.merge({ connections: sortConnections(connections, connectionOrder) });
    void performCommand(client, "settings.write", { patch: { connectionOrder: [...connectionOrder] } }).then(
      (answer) => {
        if (answer.ok) return;
        serverState.merge({ connections });
        toasts.show({ text: messages.errors.sentences[answer.error.code], look: "danger" });
      },
    );
  };
}
