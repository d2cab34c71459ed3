"use client";
/** List of the user's connections; a row opens the connection's form. */
import { formatConfigKey } from "@/lib/settings/config-keys";
import type { Connection, ConnectionPreset } from "@/lib/models/models";
import { isOllamaConnection } from "@/lib/models/ollama-connection";
import { useServerState } from "../../state/use-server-state";
import { Chip } from "../../ui/indicators/chip";
import { useFullMessages, type FullMessages } from "../../messages/full-messages";
import { useAnchor } from "../fields/use-anchor";
import { ItemRow } from "../item-section/item-row";
import { OpenItemButton } from "../item-section/open-item-button";
import { connectionDisplayName, presetDisplayName } from "../../messages/connection-name";
import { sortConnections, moveInOrder } from "@/lib/models/connection-order";
import { useClient } from "../../state/client";
import { performCommand } from "../../state/command-answers";
import { MoveButtons } from "../item-section/move-buttons";
import { settingText } from "../fields/setting-list";

interface MoveConnectionProps {
  readonly connection: Connection;
  /** All connections in list order. */
  readonly connections: readonly Connection[];
}

/** Buttons that move a connection up or down in the list; the order is a setting. */
function MoveConnection({ connection, connections }: MoveConnectionProps) {
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

const orderKey = formatConfigKey("connectionOrder");

interface ConnectionListProps {
  readonly connections: readonly Connection[];
  readonly presets: readonly ConnectionPreset[];
}

export function ConnectionList({ connections, presets }: ConnectionListProps) {
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const settings = useServerState("settings");
  const list = useAnchor<HTMLUListElement>(orderKey);
  return (
    <ul
      ref={list}
      id={orderKey}
      tabIndex={-1}
      aria-label={settingText(messages, "connectionOrder").label}
      className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
    >
      {connections.map((connection) => (
        <ItemRow
          key={connection.id}
          name={
            <OpenItemButton item={connection.id} title={connectionDisplayName(connection, messages)} className="cut">
              {connectionDisplayName(connection, messages)}
            </OpenItemButton>
          }
          chips={
            <>
              {settings?.connection === connection.id && <Chip>{text.isDefault}</Chip>}
              {connection.server?.status === "unreachable" && <Chip tone="ask">{text.offline}</Chip>}
              {!connection.local && <Chip tone="ask">{text.cloud}</Chip>}
            </>
          }
          end={connections.length > 1 && <MoveConnection connection={connection} connections={connections} />}
        >
          <p className="text-small text-ink-muted [overflow-wrap:anywhere]">
            {[
              serviceName(connection, presets, messages),
              connection.model === "" ? modelCountText(connection, messages) : connection.model,
              keySourceText(connection, messages),
              ...(connection.local ? [text.local] : []),
            ].join(" · ")}
          </p>
        </ItemRow>
      ))}
    </ul>
  );
}

/** Model count for a connection without a default model. */
function modelCountText({ server }: Connection, { connectionSettings: text }: FullMessages): string {
  return server?.status === "ready" ? text.modelCount(server.models.length) : text.noModel;
}

/** Service name of a connection; a custom server is identified by its host. */
function serviceName(connection: Connection, presets: readonly ConnectionPreset[], messages: FullMessages): string {
  if (isOllamaConnection(connection))
    return [messages.connectionSettings.ollama, urlHost(connection.baseUrl)]
      .filter((part) => part !== null)
      .join(" · ");
  if (connection.preset === "custom") return urlHost(connection.baseUrl) ?? messages.connectionSettings.custom;
  const preset = presets.find(({ id }) => id === connection.preset);
  return preset === undefined ? connection.preset : presetDisplayName(preset, messages);
}

const urlHost = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null);

function keySourceText({ key }: Connection, messages: FullMessages): string {
  const text = messages.connectionSettings;
  if (key.from === "environment") return text.keyEnvironment(key.name ?? "");
  return key.from === "file" ? text.keyFile : text.keyNone;
}
