/** Groups the selectable models by server. Pure. */
import { connectionDisplayName } from "../../messages/connection-name";
import type { Messages } from "../../messages/messages";
import { canChat } from "@/lib/models/can-chat";
import { isSameModelName } from "@/lib/models/model-names";
import type { Connection, ModelInfo } from "@/lib/models/models";

export interface ModelGroup {
  /** null = Ollama */
  readonly connection: Connection | null;
  readonly models: readonly ModelInfo[];
  /** The server's list is loaded; otherwise only the connection's own model is listed. */
  readonly isComplete: boolean;
}

export type ListedModels = Readonly<Record<string, readonly ModelInfo[]>>;

interface ModelGroupInput {
  /** Models installed in Ollama. */
  readonly installed: readonly ModelInfo[];
  readonly connections: readonly Connection[];
  readonly listed: ListedModels;
  readonly query: string;
}

/** Returns Ollama first, then the connections in order, filtered by display name. Drops groups without a match. */
export function groupModels(
  { installed, connections, listed, query }: ModelGroupInput,
  names: Messages,
): readonly ModelGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const groups: readonly ModelGroup[] = [
    { connection: null, models: installed, isComplete: true },
    ...connections.map((connection) => toConnectionGroup(connection, listed[connection.id])),
  ];
  return groups
    .map((group) => {
      const place = group.connection === null ? "" : connectionDisplayName(group.connection, names);
      return { ...group, models: group.models.filter((model) => matches(`${place} ${model.name}`)) };
    })
    .filter((group) => group.models.length > 0 || (words.length === 0 && group.connection !== null));
}

function toConnectionGroup(connection: Connection, listed: readonly ModelInfo[] | undefined): ModelGroup {
  const { server } = connection;
  const list = server === undefined || server.status === "unknown" ? listed : server.models.filter(canChat);
  const isListed = (name: string): boolean => list?.some((model) => isSameModelName(name, model.name)) ?? false;
  const own: readonly ModelInfo[] =
    connection.model === "" ? [] : [{ name: connection.model, capabilities: [], cloud: !connection.local }];
  if (list === undefined) return { connection, models: own, isComplete: false };
  const models = isListed(connection.model) ? list : [...own, ...list];
  return { connection, models, isComplete: true };
}

/** Whether the server reports that the model has no native tool calls; no report counts as false. */
export const readsCallsFromText = ({ capabilities }: ModelInfo): boolean =>
  capabilities.length > 0 && !capabilities.includes("tools");
