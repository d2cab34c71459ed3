"use client";
/** Page of one model of a connection: test, options. */
import type { Connection } from "@/lib/models/models";
import { connectionDisplayName } from "../../messages/connection-name";
import { useFullMessages } from "../../messages/full-messages";
import { BackLink } from "../back-link";
import { ConnectionDoctor } from "../connections/connection-doctor";
import { useChange } from "../use-change";
import { modelFactTexts } from "./model-facts";
import { useCommandQuery } from "../../state/use-command-query";

interface ConnectionModelPageProps {
  readonly connection: Connection;
  readonly name: string;
}

export function ConnectionModelPage({ connection, name }: ConnectionModelPageProps) {
  const messages = useFullMessages();
  const { perform } = useChange("toast");
  const { id, local } = connection;
  const list = useCommandQuery("connections.models", { id });
  const model = list.data?.models.find((one) => one.name === name);
  const facts = model === undefined ? [] : modelFactTexts(messages, model);
  const chooseWindow = async (numCtx: number): Promise<void> => {
    await perform("models.choose", { model: name, connection: id, numCtx });
    await list.refetch();
  };
  return (
    <>
      <BackLink label={messages.settings.models.back} />
      <div className="mb-6">
        <h2 className="min-w-0 font-mono text-title font-semibold [overflow-wrap:anywhere]">{name}</h2>
        <p className="text-ink-muted">{[connectionDisplayName(connection, messages), ...facts].join(" · ")}</p>
      </div>
      <ConnectionDoctor
        key={name}
        connection={{ id, model: name, local }}
        canTest
        onWindow={(numCtx) => void chooseWindow(numCtx)}
      />
    </>
  );
}
