"use client";
/**
 * Doctor and options of a connection's model, as for Ollama models. The model's data comes from the server's model
 * list.
 */
import { useState } from "react";
import { engineConnectionId } from "@/lib/models/engine";
import type { Connection } from "@/lib/models/models";
import { DoctorPanel } from "./doctor-panel";
import { ModelOptionSettings, type PendingModelOptions } from "../model-option-settings";
import { useChange } from "../../../state/use-change";
import { useCommandQuery } from "../../../state/use-command-query";

interface ConnectionDoctorProps {
  readonly connection: Pick<Connection, "id" | "model" | "local">;
  /** False while the form has changes that are not saved. */
  readonly canTest: boolean;
  readonly onWindow: (tokens: number) => void;
}

export function ConnectionDoctor({ connection, canTest, onWindow }: ConnectionDoctorProps) {
  const { perform } = useChange("toast");
  const query = useCommandQuery("connections.models", { id: connection.id });
  const model = query.data?.models.find((one) => one.name === connection.model);
  const [pending, setPending] = useState<PendingModelOptions>({});
  const choose = async (more: PendingModelOptions): Promise<void> => {
    setPending(more);
    await perform("models.choose", { model: connection.model, connection: connection.id, ...more });
    await query.refetch();
    setPending({});
  };
  return (
    <>
      <DoctorPanel
        model={{ ...(model ?? { name: connection.model, capabilities: [] }), cloud: !connection.local }}
        connection={connection.id}
        loaded={undefined}
        plan={undefined}
        canTest={canTest}
        onWindow={onWindow}
        onToolMode={(toolMode) => void choose({ toolMode })}
      />
      <ModelOptionSettings
        isOllama={false}
        isUnloaded={connection.id === engineConnectionId}
        note={model?.note}
        pending={pending}
        onChoose={(more) => void choose(more)}
      />
    </>
  );
}
