"use client";
/**
 * Models of the connections on this machine and network; a row opens the model's page. Where a server loads models on demand:
 * state, window, loading, unloading, downloading, deleting.
 */
import { Trash2 } from "lucide-react";
import { Fragment, useState } from "react";
import { engineConnectionId } from "@/lib/models/engine";
import type { Connection, ModelInfo, ModelLoad, PullState } from "@/lib/models/models";
import { isOllamaConnection } from "@/lib/models/ollama-connection";
import { useServerState } from "../../state/use-server-state";
import { useCommandQuery } from "../../state/use-command-query";
import { connectionDisplayName } from "../../messages/connection-name";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { Progress } from "../../ui/indicators/meter";
import { classes } from "../../ui/theme/classes";
import { OpenItemButton } from "../item-section/open-item-button";
import { useChange } from "../../state/use-change";
import { DeleteModelDialog } from "./delete-model";
import { isPulling, modelFactTexts, visiblePulls } from "./model-facts";
import { matchesFilter, ModelFilter } from "./model-filter";
import { PullForm } from "./pull-form";
import { PullRow } from "./pull-row";

/** While a model is loading or being downloaded, the list is read again after this time, ms. */
const pollMs = 1_000;

const isPassing = (state: ModelLoad["state"] | undefined): boolean => state === "loading" || state === "downloading";
const isInMemory = (state: ModelLoad["state"]): boolean => state === "loaded" || state === "sleeping";

export function ConnectionModels() {
  const messages = useFullMessages();
  const connections = useServerState("connections") ?? [];
  return connections
    .filter((one) => one.local && !isOllamaConnection(one) && one.id !== engineConnectionId)
    .map((connection) => (
      <Fragment key={connection.id}>
        {connection.runsCommands === true && (
          <p role="note" className="mb-6 rounded-card border border-ask-edge/40 bg-ask-soft px-3.5 py-2.5">
            {messages.routers.runsCommands(
              connectionDisplayName(connection, messages),
              new URL(connection.baseUrl).host,
            )}
          </p>
        )}
        <ConnectionSection connection={connection} />
      </Fragment>
    ));
}

function ConnectionSection({ connection }: { readonly connection: Connection }) {
  const messages = useFullMessages();
  const [filter, setFilter] = useState("");
  const list = useCommandQuery(
    "connections.models",
    { id: connection.id },
    {
      // A session may have loaded one since.
      refetchOnMount: "always",
      refetchInterval: ({ state }) =>
        state.data?.models.some(({ load }) => isPassing(load?.state)) === true ? pollMs : false,
    },
  );
  const pulls = (useServerState("pulls") ?? []).filter((pull) => pull.connection === connection.id);
  const isOwnPull = (name: string): boolean => pulls.some((pull) => pull.name === name && isPulling(pull));
  const models = (list.data?.models ?? []).filter(({ name }) => !isOwnPull(name));
  if (models.length === 0 && (connection.downloads !== true || list.data === undefined)) return null;
  const shown = models.filter(({ name }) => matchesFilter(name, filter));
  const title = connectionDisplayName(connection, messages);
  return (
    <section aria-label={title} className="mb-8 grid gap-2">
      <h2 className="flex items-baseline gap-2 text-title font-semibold">
        {title}
        <span className="text-base font-normal text-ink-muted tabular-nums">
          {messages.settings.models.count(models.length)}
        </span>
      </h2>
      <ModelFilter count={models.length} value={filter} onChange={setFilter} />
      {shown.length === 0 ? (
        <p className="py-2 text-ink-muted">
          {models.length === 0 ? messages.settings.models.none : messages.settings.models.noMatch}
        </p>
      ) : (
        <ul className="max-h-120 divide-y divide-line overflow-auto rounded-card border border-line bg-raised">
          {shown.map((model) => (
            <ModelRow
              key={model.name}
              model={model}
              connection={connection.id}
              onChanged={async () => void (await list.refetch())}
            />
          ))}
        </ul>
      )}
      {connection.downloads === true && <RouterDownloads connection={connection.id} pulls={pulls} models={models} />}
    </section>
  );
}

interface RouterDownloadsProps {
  readonly connection: string;
  readonly pulls: readonly PullState[];
  readonly models: readonly ModelInfo[];
}

function RouterDownloads({ connection, pulls, models }: RouterDownloadsProps) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { perform } = useChange("toast");
  const pull = (name: string): void => void perform("models.pull", { name, connection });
  return (
    <div className="mt-3 grid gap-3">
      <h3 className="font-medium">{text.pullTitle}</h3>
      {visiblePulls(pulls, models).map((one) => (
        <PullRow key={one.name} pull={one} onResume={() => pull(one.name)} />
      ))}
      <PullForm label={messages.routers.downloadName} note={messages.routers.downloadNote} onPull={pull} />
    </div>
  );
}

interface ModelRowProps {
  readonly model: ModelInfo;
  readonly connection: string;
  readonly onChanged: () => Promise<void>;
}

function ModelRow({ model, connection, onChanged }: ModelRowProps) {
  const messages = useFullMessages();
  const text = messages.routers;
  const { perform } = useChange("toast");
  const [isBusy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { name, load } = model;
  const leaves = load !== undefined && isInMemory(load.state);
  const change = async (): Promise<void> => {
    setBusy(true);
    await perform(leaves ? "models.unload" : "models.load", { model: name, connection });
    await onChanged();
    setBusy(false);
  };
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <OpenItemButton
          look="link"
          item={`${connection}/${name}`}
          title={name}
          className="font-mono text-code [overflow-wrap:anywhere]"
        >
          {name}
        </OpenItemButton>
        {load === undefined ? (
          <p className="text-small text-ink-muted tabular-nums">{modelFactTexts(messages, model).join(" · ")}</p>
        ) : (
          <LoadLine model={model} load={load} />
        )}
      </div>
      {load !== undefined && !isPassing(load.state) && (
        <div className="flex shrink-0 items-center gap-1">
          {load.canRemove === true && (
            <IconButton icon={Trash2} name={text.deleteLabel(name)} size="small" onClick={() => setDeleting(true)} />
          )}
          <Button
            size="small"
            busy={isBusy}
            className="min-w-18"
            aria-label={leaves ? text.unloadLabel(name) : text.loadLabel(name)}
            onClick={() => void change()}
          >
            {leaves ? text.unload : text.load}
          </Button>
        </div>
      )}
      {isDeleting && (
        <DeleteModelDialog
          model={model}
          connection={connection}
          onDeleted={() => void onChanged()}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  );
}

function LoadLine({ model, load }: { readonly model: ModelInfo; readonly load: ModelLoad }) {
  const messages = useFullMessages();
  const state = messages.routers.states[load.state];
  return (
    <>
      <p className="text-small text-ink-muted tabular-nums">
        <span
          aria-hidden
          className={classes(
            "mr-1.5 inline-block size-1.5 rounded-full align-middle",
            load.state === "loaded" ? "bg-accent" : load.state === "failed" ? "bg-danger" : "bg-ink-faint",
          )}
        />
        <span className={load.state === "failed" ? "text-danger" : "text-ink"}>{state}</span>
        {factTexts(messages, model, load).map((fact) => ` · ${fact}`)}
      </p>
      {isPassing(load.state) && <Progress className="mt-1" label={`${model.name}: ${state}`} share={doneShare(load)} />}
    </>
  );
}

/** The share of a load or a download that is done; null = unknown. */
function doneShare({ share, receivedBytes = 0, totalBytes = 0 }: ModelLoad): number | null {
  return share ?? (totalBytes === 0 ? null : receivedBytes / totalBytes);
}

function factTexts(messages: FullMessages, model: ModelInfo, load: ModelLoad): readonly string[] {
  const { routers: text, figures, models: words } = messages;
  const { contextLength, parameters, quantization } = model;
  const { receivedBytes = 0, totalBytes = 0, slots, busySlots = 0 } = load;
  if (load.state === "downloading")
    return totalBytes === 0 ? [] : [words.ofTotal(figures.bytes(receivedBytes), figures.bytes(totalBytes))];
  const later = load.state === "failed" ? [] : [text.windowLater];
  return [
    ...stageTexts(messages, load),
    ...(load.exitCode === undefined ? [] : [text.exitCode(String(load.exitCode))]),
    ...(parameters === undefined ? [] : [parameters]),
    ...(quantization === undefined ? [] : [quantization]),
    ...(contextLength === undefined ? later : [text.window(figures.tokens(contextLength))]),
    ...(slots === undefined ? [] : [text.slots(figures.number(busySlots), figures.number(slots))]),
  ];
}

function stageTexts({ routers: text, figures }: FullMessages, { stage, share }: ModelLoad): readonly string[] {
  if (stage === undefined || share === undefined) return [];
  const names: { readonly [stage: string]: string } = text.stages;
  return [`${names[stage] ?? stage} ${figures.percent(share)}`];
}
