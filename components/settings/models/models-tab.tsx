"use client";
/**
 * Tab of the models: Ollama's server, models and downloads, the built-in engine, defaults of new sessions; or the page of
 * one model.
 */
import { Fragment, useState } from "react";
import { engineConnectionId } from "@/lib/models/engine";
import type { ModelServerState, Connection } from "@/lib/models/models";
import { parseModelName } from "@/lib/models/parse-model-name";
import { useServerState } from "../../state/use-server-state";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useFullMessages } from "../../messages/full-messages";
import { ConfigFileSetting } from "../config/config-file-setting";
import { useOpenItem } from "../item-section/open-item";
import { EngineModelPage } from "./engine/engine-model-page";
import { EngineSection } from "./engine/engine-section";
import { EngineSettings } from "./engine/engine-settings";
import { ModelList } from "./model-list";
import { ModelPage } from "./model-page";
import { NewSessionSettings } from "./new-session-settings";
import { PullSection } from "./pull-section";
import { ConnectionModels } from "./connection-models";
import { ServerSection } from "./server-section";
import { withBasePath } from "../../state/base-path";
import { connectionDisplayName } from "../../messages/connection-name";
import { BackLink } from "../item-section/back-link";
import { ConnectionDoctor } from "./doctor/connection-doctor";
import { useChange } from "../../state/use-change";
import { modelFactTexts } from "./model-facts";
import { useCommandQuery } from "../../state/use-command-query";

interface ConnectionModelPageProps {
  readonly connection: Connection;
  readonly name: string;
}

/** Page of one model of a connection: test, options. */
function ConnectionModelPage({ connection, name }: ConnectionModelPageProps) {
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

export function ModelsTab() {
  const server = useServerState("models");
  const connections = useServerState("connections");
  const opened = useOpenItem();
  const isEngineFirst = useIsEngineFirst(server);
  if (opened !== null && server !== undefined) {
    const others = (connections ?? []).filter(({ id }) => id !== engineConnectionId);
    const engine = { id: engineConnectionId, model: "" };
    const { name, connection } = parseModelName(opened, server.models, [engine, ...others]);
    if (connection === engineConnectionId) return <EngineModelPage name={name} />;
    const other = others.find(({ id }) => id === connection);
    return other === undefined ? (
      <ModelPage name={name} server={server} />
    ) : (
      <ConnectionModelPage connection={other} name={name} />
    );
  }
  const ollama = (
    <Fragment key="ollama">
      <ServerSection server={server} />
      {!(server !== undefined && isWithoutOllama(server)) && <InstalledModels server={server} />}
    </Fragment>
  );
  const engine = (
    <Fragment key="engine">
      <EngineSection />
      <EngineSettings />
    </Fragment>
  );
  return (
    <>
      {isEngineFirst ? [engine, ollama] : [ollama, engine]}
      <ConnectionModels />
      <NewSessionSettings server={server} />
      <ConfigFileSetting name="models" />
    </>
  );
}

/** Ollama is neither reachable nor installed, and none of its models is known. */
const isWithoutOllama = ({ status, canStart, models }: ModelServerState): boolean =>
  status === "unreachable" && !canStart && models.length === 0;

/** On a machine without Ollama the engine comes first. The order stays while the page is open: nothing jumps. */
function useIsEngineFirst(server: ModelServerState | undefined): boolean {
  const [isFirst, setIsFirst] = useState<boolean>();
  if (isFirst === undefined && server !== undefined && server.status !== "unknown") setIsFirst(isWithoutOllama(server));
  return isFirst ?? false;
}

function InstalledModels({ server }: { readonly server: ModelServerState | undefined }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  return (
    <section aria-label={text.installed} className="mb-8">
      <h2 className="mb-2 flex items-baseline gap-2 text-title font-semibold">
        {text.installed}
        {server !== undefined && server.models.length > 0 && (
          <span className="text-base font-normal text-ink-muted tabular-nums">{text.count(server.models.length)}</span>
        )}
      </h2>
      {server === undefined || server.status === "unknown" ? (
        <Skeleton label={messages.common.loading} className="h-24" />
      ) : (
        <div className="grid gap-2">
          {server.models.length > 0 ? (
            <>
              <ModelList server={server} />
              <a href={withBasePath("/settings/evals")} className="w-fit text-accent hover:underline max-tablet:py-2.5">
                {messages.evals.title}
              </a>
            </>
          ) : (
            <p className="text-ink-muted">{server.status === "ready" ? text.none : text.noneUnreachable}</p>
          )}
          <PullSection server={server} />
        </div>
      )}
    </section>
  );
}
