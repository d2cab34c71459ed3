"use client";
/** Buttons that move a connection up or down in the list; the order is a setting. */
import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef } from "react";
import { sortConnections, moveInOrder } from "@/lib/models/connection-order";
import type { Connection } from "@/lib/models/models";
import { useClient } from "../../state/client";
import { IconButton } from "../../ui/controls/icon-button";
import { connectionDisplayName } from "../../messages/connection-name";
import { useFullMessages } from "../../messages/full-messages";

const moves = [
  { step: -1, icon: ArrowUp, words: "moveUp" },
  { step: 1, icon: ArrowDown, words: "moveDown" },
] as const;

interface MoveButtonsProps {
  readonly connection: Connection;
  /** All connections in list order. */
  readonly connections: readonly Connection[];
}

export function MoveButtons({ connection, connections }: MoveButtonsProps) {
  const messages = useFullMessages();
  const move = useMoveConnection(connections);
  const index = connections.indexOf(connection);
  const name = connectionDisplayName(connection, messages);
  const pressed = useRef<HTMLButtonElement>(null);
  // A row that moves in the DOM loses the focus.
  useEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  }, [index]);
  return (
    <div className="relative z-1 flex shrink-0">
      {moves.map(({ step, icon, words: key }) => {
        const isEnd = index + step < 0 || index + step >= connections.length;
        return (
          <IconButton
            key={step}
            icon={icon}
            name={messages.connectionSettings[key](name)}
            size="small"
            className="aria-disabled:opacity-35 max-tablet:size-11"
            // Not disabled: at the end of the list the button would lose the focus.
            aria-disabled={isEnd}
            onClick={(event) => {
              if (isEnd) return;
              pressed.current = event.currentTarget;
              move(connection.id, step);
            }}
          />
        );
      })}
    </div>
  );
}

/** Returns a function that reorders optimistically and restores the list if the server refuses. */
function useMoveConnection(connections: readonly Connection[]): (id: string, step: number) => void {
  const { call, serverState, toasts } = useClient();
  const messages = useFullMessages();
  return (id, step) => {
    const connectionOrder = moveInOrder(
      connections.map((one) => one.id),
      id,
      step,
    );
    serverState.merge({ connections: sortConnections(connections, connectionOrder) });
    void call("settings.write", { patch: { connectionOrder: [...connectionOrder] } }).then((answer) => {
      if (answer.ok) return serverState.merge({ settings: answer.value });
      serverState.merge({ connections });
      return toasts.show({ text: messages.errors.sentences[answer.error.code], look: "danger" });
    });
  };
}
