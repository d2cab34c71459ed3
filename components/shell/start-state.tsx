"use client";
/** Model status in an empty conversation: one line, or a card that helps to set up a server or model. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { ModelServerState } from "@/lib/models";
import { limits } from "@/lib/settings";
import { ConnectionLine, ModelLine } from "../chat/start/model-line";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { useWords } from "../words/words";
import { tellError } from "./tell-error";
import type { ModelChoice } from "./model-choice";

const NoServerCard = lazy(async () => ({ default: (await import("../chat/start/no-server-card")).NoServerCard }));
const NoModelCard = lazy(async () => ({ default: (await import("../chat/start/no-model-card")).NoModelCard }));

const installHref = "https://ollama.com/download";

export function StartState({ choice }: { readonly choice: ModelChoice }) {
  const client = useClient();
  const words = useWords();
  const { call } = client;
  const server = useQuery(queries.models()).data;
  const pulls = useQuery(queries.pulls()).data ?? [];
  const settings = useQuery(queries.settings()).data;
  const connections = useQuery(queries.connections()).data ?? [];
  const [busy, setBusy] = useState<"start" | "retry" | null>(null);
  if (server === undefined || settings === undefined) return <p role="status">{words.models.looking}</p>;
  const connection = connections.find((one) => one.id === choice.connection);
  if (connection !== undefined) return <ConnectionLine model={choice.model} connection={connection} />;
  const { model } = choice;
  const ask = (what: "start" | "retry"): void => {
    setBusy(what);
    void call(what === "start" ? "models.start" : "models.refresh", {}).then((answer) => {
      setBusy(null);
      if (answer.ok) client.cache.setQueryData(["models"], answer.value);
      else tellError(client, words, answer.error);
    });
  };
  const connect = async (baseUrl: string): Promise<void> => {
    const name = new URL(baseUrl).host;
    const saved = await call("connections.save", { name, preset: "custom", baseUrl, model: "", numCtx: 0 });
    const used = saved.ok ? await call("settings.write", { patch: { connection: saved.value.id } }) : saved;
    if (!used.ok) tellError(client, words, used.error);
  };
  if (server.status === "unreachable")
    return (
      <Suspense>
        <NoServerCard
          server={server}
          busy={busy}
          onStart={() => ask("start")}
          onRetry={() => ask("retry")}
          onAddress={(ollamaHost) => void call("settings.write", { patch: { ollamaHost } })}
          onConnect={(baseUrl) => void connect(baseUrl)}
          installHref={installHref}
        />
      </Suspense>
    );
  // No model is installed, or none supports chat.
  if (server.status === "ready" && (server.models.length === 0 || model === ""))
    return (
      <Suspense>
        <NoModelCard
          pulls={pulls}
          onPull={(name) =>
            void call("models.pull", { name }).then((answer) => {
              if (!answer.ok) tellError(client, words, answer.error);
            })
          }
          onCancel={(name) => void call("models.cancel_pull", { name })}
        />
      </Suspense>
    );
  return <ModelState server={server} model={model} fallback={settings.contextMaxTokens} />;
}

interface ModelStateProps {
  readonly server: ModelServerState;
  readonly model: string;
  /** tokens; used if the window cannot be determined; 0 = the default of this program */
  readonly fallback: number;
}

/** Model line with the window a new session would use, including the user's own choice for the model. */
function ModelState({ server, model, fallback }: ModelStateProps) {
  const { call } = useClient();
  const plan = useQuery(queries.windowPlan(call, model));
  const window = plan.data?.chosen ?? (fallback === 0 ? limits.windowDefaultTokens : fallback);
  // Invisible but in the layout until the window has loaded, so that the line does not jump.
  return (
    <div className={plan.isLoading ? "invisible" : undefined}>
      <ModelLine server={server} model={model} window={window} />
    </div>
  );
}
