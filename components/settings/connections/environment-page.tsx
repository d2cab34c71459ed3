"use client";
/** Page of the connection defined by environment variables: address and test; read-only. */
import { useState } from "react";
import type { Connection } from "@/lib/models/models";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { useFullMessages } from "../../messages/full-messages";
import { useChange } from "../use-change";
import { connectionDisplayName } from "../../messages/connection-name";
import { ConnectionTest, type ConnectionTestState } from "./connection-test";

export function EnvironmentPage({ connection }: { readonly connection: Connection }) {
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const { perform } = useChange("toast");
  const settings = useServerState("settings");
  const [test, setTest] = useState<ConnectionTestState | null>(null);
  const isDefault = settings?.connection === connection.id;
  const runTest = async (): Promise<void> => {
    setTest("running");
    const answer = await perform("connections.test", { id: connection.id });
    setTest(answer ?? null);
  };
  const { key } = connection;
  const facts = [
    [text.baseUrl, connection.baseUrl],
    [text.key, key.name ?? text.keyNone],
  ] as const;
  return (
    <>
      <div className="mb-1 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 text-title font-semibold">{connectionDisplayName(connection, messages)}</h2>
        {isDefault && <Chip>{text.isDefault}</Chip>}
        {!connection.local && <Chip tone="ask">{text.cloud}</Chip>}
      </div>
      <p className="max-w-[68ch] text-ink-muted">{text.environmentNote}</p>
      <p className="mt-1.5 mb-4 max-w-[68ch]">{connection.local ? text.localNote : text.leaves}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 border-y border-line py-3.5">
        {facts.map(([name, fact]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{fact}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center gap-2 py-4">
        <Button busy={test === "running"} onClick={() => void runTest()}>
          {text.test}
        </Button>
        {!isDefault && (
          <Button look="quiet" onClick={() => void perform("settings.write", { patch: { connection: connection.id } })}>
            {text.makeDefault}
          </Button>
        )}
      </div>
      {test !== null && <ConnectionTest test={test} />}
    </>
  );
}
