"use client";
/** Page of the connection defined by environment variables: address and test; read-only. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Connection } from "@/lib/models";
import { queries } from "../../state/queries";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { useWords } from "../../words/words";
import { useToldCall } from "../use-told-call";
import { connectionName } from "../../words/connection-name";
import { ConnectionTest, type TestState } from "./connection-test";

export function EnvironmentPage({ connection }: { readonly connection: Connection }) {
  const words = useWords();
  const text = words.connections;
  const call = useToldCall();
  const settings = useQuery(queries.settings()).data;
  const [test, setTest] = useState<TestState | null>(null);
  const isDefault = settings?.connection === connection.id;
  const runTest = async (): Promise<void> => {
    setTest("running");
    const answer = await call("connections.test", { id: connection.id });
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
        <h2 className="min-w-0 text-title font-semibold">{connectionName(connection, words)}</h2>
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
          <Button look="quiet" onClick={() => void call("settings.write", { patch: { connection: connection.id } })}>
            {text.makeDefault}
          </Button>
        )}
      </div>
      {test !== null && <ConnectionTest test={test} />}
    </>
  );
}
