"use client";
/** Models of the connections whose servers load them on demand: state, window, loading and unloading. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { engineConnectionId } from "@/lib/models/engine";
import type { Connection, ModelInfo, ModelLoad } from "@/lib/models/models";
import { isOllamaConnection } from "@/lib/models/ollama-connection";
import { useClient } from "../../state/client";
import { queries } from "../../state/queries";
import { useServerState } from "../../state/use-server-state";
import { connectionDisplayName } from "../../messages/connection-name";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { classes } from "../../ui/theme/classes";
import { useCallWithToast } from "../use-call-with-toast";

/** Lists of this length or more have a filter. */
const filterMinModels = 9;
/** While a model is loading or being downloaded, the list is read again after this time, ms. */
const pollMs = 1_000;

const isPassing = (state: ModelLoad["state"] | undefined): boolean => state === "loading" || state === "downloading";
const isInMemory = (state: ModelLoad["state"]): boolean => state === "loaded" || state === "sleeping";

export function RouterSections() {
  const connections = useServerState("connections") ?? [];
  return connections
    .filter((one) => one.local && !isOllamaConnection(one) && one.id !== engineConnectionId)
    .map((connection) => <RouterSection key={connection.id} connection={connection} />);
}

function RouterSection({ connection }: { readonly connection: Connection }) {
  const messages = useFullMessages();
  const text = messages.routers;
  const { call } = useClient();
  const [filter, setFilter] = useState("");
  const list = useQuery({
    ...queries.connectionModels(call, connection.id),
    // A session may have loaded one since.
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.some(({ load }) => isPassing(load?.state)) === true ? pollMs : false),
  });
  const models = (list.data ?? []).filter(({ load }) => load !== undefined);
  if (models.length === 0) return null;
  const wanted = filter.trim().toLowerCase();
  const shown = models.filter(({ name }) => name.toLowerCase().includes(wanted));
  const title = connectionDisplayName(connection, messages);
  return (
    <section aria-label={title} className="mb-8 grid gap-2">
      <h2 className="flex items-baseline gap-2 text-title font-semibold">
        {title}
        <span className="text-base font-normal text-ink-muted tabular-nums">
          {messages.settings.models.count(models.length)}
        </span>
      </h2>
      {models.length >= filterMinModels && (
        <TextField
          type="search"
          value={filter}
          aria-label={text.filter}
          placeholder={text.filter}
          className="max-w-80"
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {shown.length === 0 ? (
        <p className="py-2 text-ink-muted">{text.noMatch}</p>
      ) : (
        <ul className="max-h-120 divide-y divide-line overflow-auto rounded-card border border-line bg-raised">
          {shown.map((model) => (
            <RouterModel
              key={model.name}
              model={model}
              connection={connection.id}
              onChanged={async () => void (await list.refetch())}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface RouterModelProps {
  readonly model: ModelInfo;
  readonly connection: string;
  readonly onChanged: () => Promise<void>;
}

function RouterModel({ model, connection, onChanged }: RouterModelProps) {
  const messages = useFullMessages();
  const text = messages.routers;
  const call = useCallWithToast();
  const [isBusy, setBusy] = useState(false);
  const { name, load } = model;
  if (load === undefined) return null;
  const leaves = isInMemory(load.state);
  const change = async (): Promise<void> => {
    setBusy(true);
    await call(leaves ? "models.unload" : "models.load", { model: name, connection });
    await onChanged();
    setBusy(false);
  };
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="cut font-mono text-code" title={name}>
          {name}
        </p>
        <p className="text-small text-ink-muted tabular-nums">
          <span
            aria-hidden
            className={classes(
              "mr-1.5 inline-block size-1.5 rounded-full align-middle",
              load.state === "loaded" ? "bg-accent" : "bg-ink-faint",
            )}
          />
          <span className={load.state === "failed" ? "text-danger" : "text-ink"}>{text.states[load.state]}</span>
          {factTexts(messages, model, load).map((fact) => ` · ${fact}`)}
        </p>
      </div>
      {!isPassing(load.state) && (
        <Button
          size="small"
          busy={isBusy}
          aria-label={leaves ? text.unloadLabel(name) : text.loadLabel(name)}
          onClick={() => void change()}
        >
          {leaves ? text.unload : text.load}
        </Button>
      )}
    </li>
  );
}

function factTexts({ routers: text, figures }: FullMessages, model: ModelInfo, load: ModelLoad): readonly string[] {
  const { contextLength, parameters, quantization } = model;
  const window = contextLength === undefined ? text.windowLater : text.window(figures.tokens(contextLength));
  return [
    ...(load.exitCode === undefined ? [] : [text.exitCode(String(load.exitCode))]),
    ...(parameters === undefined ? [] : [parameters]),
    ...(quantization === undefined ? [] : [quantization]),
    window,
  ];
}
