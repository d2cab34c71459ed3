"use client";
/** Model status in an empty conversation: one line, or a card that helps to set up a server or model. */
import { skipToken } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { ModelServerState } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import { ConnectionLine, ModelLine } from "../../chat/start/model-line";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { useServerState } from "../../state/use-server-state";
import { isEngineConnection } from "../../messages/connection-name";
import { useMessages } from "../../messages/messages";
import { toastError } from "../notices/toast-error";
import type { ModelSelection } from "./model-selection";

const NoServerCard = lazy(async () => ({ default: (await import("../../chat/start/no-server-card")).NoServerCard }));
const RunHereCard = lazy(async () => ({ default: (await import("./run-here-card")).RunHereCard }));
const MissingEngineCard = lazy(async () => ({ default: (await import("./missing-engine-card")).MissingEngineCard }));
const NoModelCard = lazy(async () => ({ default: (await import("../../chat/start/no-model-card")).NoModelCard }));

const installHref = "https://ollama.com/download";

export function StartState({ choice }: { readonly choice: ModelSelection }) {
  const client = useClient();
  const messages = useMessages();
  const { call } = client;
  const server = useServerState("models");
  const pulls = useServerState("pulls") ?? [];
  const settings = useServerState("settings");
  const connections = useServerState("connections") ?? [];
  const [busy, setBusy] = useState<"start" | "retry" | null>(null);
  if (server === undefined || settings === undefined) return <p role="status">{messages.models.looking}</p>;
  const connection = connections.find((one) => one.id === choice.connection);
  if (connection !== undefined)
    return (
      <>
        <ConnectionLine model={choice.model} connection={connection} />
        {isEngineConnection(connection) && (
          <Suspense>
            <MissingEngineCard />
          </Suspense>
        )}
      </>
    );
  const { model } = choice;
  const ask = (action: "start" | "retry"): void => {
    setBusy(action);
    void call(action === "start" ? "models.start" : "models.refresh", {}).then((answer) => {
      setBusy(null);
      if (answer.ok) client.serverState.merge({ models: answer.value });
      else toastError(client, messages, answer.error);
    });
  };
  const connect = async (baseUrl: string): Promise<void> => {
    const name = new URL(baseUrl).host;
    const saved = await call("connections.save", { name, preset: "custom", baseUrl, model: "", numCtx: 0 });
    const used = saved.ok ? await call("settings.write", { patch: { connection: saved.value.id } }) : saved;
    if (!used.ok) toastError(client, messages, used.error);
  };
  if (server.status === "unreachable") {
    const runHere = (
      <Suspense>
        <RunHereCard />
      </Suspense>
    );
    // An installed Ollama needs no download.
    return (
      <Suspense>
        {!server.canStart && runHere}
        <NoServerCard
          server={server}
          busy={busy}
          onStart={() => ask("start")}
          onRetry={() => ask("retry")}
          onAddress={(ollamaHost) => void call("settings.write", { patch: { ollamaHost } })}
          onConnect={(baseUrl) => void connect(baseUrl)}
          installHref={installHref}
        />
        {server.canStart && runHere}
      </Suspense>
    );
  }
  // No model is installed, or none supports chat.
  if (server.status === "ready" && (server.models.length === 0 || model === ""))
    return (
      <Suspense>
        <NoModelCard
          pulls={pulls}
          onPull={(name) =>
            void call("models.pull", { name }).then((answer) => {
              if (!answer.ok) toastError(client, messages, answer.error);
            })
          }
          onCancel={(name) => void call("models.cancel_pull", { name })}
        />
      </Suspense>
    );
  return <OllamaModelLine server={server} model={model} fallback={settings.contextMaxTokens} />;
}

interface OllamaModelLineProps {
  readonly server: ModelServerState;
  readonly model: string;
  /** tokens; used if the window cannot be determined; 0 = the default of this program */
  readonly fallback: number;
}

/** Model line with the window a new session would use, including the user's own choice for the model. */
function OllamaModelLine({ server, model, fallback }: OllamaModelLineProps) {
  const plan = useCommandQuery("models.window", model === "" ? skipToken : { model }, { retry: false });
  const window = plan.data?.chosen ?? (fallback === 0 ? limits.windowDefaultTokens : fallback);
  // Invisible but in the layout until the window has loaded, so that the line does not jump.
  return (
    <div className={plan.isLoading ? "invisible" : undefined}>
      <ModelLine server={server} model={model} window={window} />
    </div>
  );
}
