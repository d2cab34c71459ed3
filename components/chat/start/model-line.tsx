"use client";
/** Model status: "qwen2.5-coder:7b is ready. 16k window, all on the GPU.", or that the model is missing. */
import { connectionDisplayName, isEngineConnection } from "../../messages/connection-name";
import { useMessages } from "../../messages/messages";
import type { Connection, ModelServerState } from "@/lib/models/models";
import { isOnCpu, isOnGpu } from "@/lib/models/loaded-model";
import { isSameModelName } from "@/lib/models/model-names";
import { SettingsLink } from "../settings-link";

interface ModelLineProps {
  readonly server: ModelServerState;
  readonly model: string;
  /** Window of a new session, tokens; the server may have allocated less. */
  readonly window: number;
}

export function ModelLine({ server, model, window }: ModelLineProps) {
  const messages = useMessages();
  const { models, figures } = messages;
  if (server.status === "unknown") return <p role="status">{models.looking}</p>;
  if (!isInstalled(server, model))
    return (
      <p>
        {messages.chat.missing(model)} <SettingsLink tab="model" />
      </p>
    );
  const loaded = server.loaded.find((one) => isSameModelName(model, one.name));
  if (loaded === undefined) return <p>{models.idle(model, figures.tokens(window))}</p>;
  const place = isOnGpu(loaded.vramShare)
    ? models.allOnGpu
    : isOnCpu(loaded.vramShare)
      ? models.onCpu
      : models.onGpu(figures.percent(loaded.vramShare));
  return <p>{models.ready(model, figures.tokens(Math.min(loaded.contextLength ?? window, window)), place)}</p>;
}

const isInstalled = ({ models }: ModelServerState, model: string): boolean =>
  models.some(({ name }) => isSameModelName(model, name));

/** "claude-sonnet · Anthropic. What you send leaves this machine."; an empty model asks to choose one. */
export function ConnectionLine({ model, connection }: { readonly model: string; readonly connection: Connection }) {
  const messages = useMessages();
  const { models, connections } = messages;
  const place = isEngineConnection(connection)
    ? connections.engineNote
    : connection.local
      ? connections.localNote
      : connections.cloudNote;
  const name = connectionDisplayName(connection, messages);
  return <p>{model === "" ? models.chooseAt(name, place) : models.readyAt(model, name, place)}</p>;
}
