"use client";
/** Model status in an empty conversation: one line, or a card that helps to set up a server or model. */
import { skipToken } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
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

const SetupCard = lazy(async () => ({ default: (await import("./setup-card")).SetupCard }));
const ChooseConnectionModel = lazy(async () => ({
  default: (await import("./choose-connection-model")).ChooseConnectionModel,
}));
const TourRow = lazy(async () => ({ default: (await import("./tour-row")).TourRow }));
const MissingEngineCard = lazy(async () => ({ default: (await import("./missing-engine-card")).MissingEngineCard }));
const NoModelCard = lazy(async () => ({ default: (await import("../../chat/start/no-model-card")).NoModelCard }));

export function StartState({ choice }: { readonly choice: ModelSelection }) {
  const client = useClient();
  const messages = useMessages();
  const { call } = client;
  const server = useServerState("models");
  const pulls = useServerState("pulls") ?? [];
  const settings = useServerState("settings");
  const connections = useServerState("connections") ?? [];
  if (server === undefined || settings === undefined) return <p role="status">{messages.models.looking}</p>;
  const { model } = choice;
  const connection = connections.find((one) => one.id === choice.connection);
  if (connection !== undefined)
    return (
      <>
        <ConnectionLine model={model} connection={connection} />
        <Suspense>
          {isEngineConnection(connection) && <MissingEngineCard />}
          {model === "" && <ChooseConnectionModel connection={connection} />}
        </Suspense>
      </>
    );
  if (server.status === "unreachable")
    return (
      <Suspense>
        <SetupCard server={server} />
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
              if (!answer.ok) toastError(client, messages, answer.error);
            })
          }
          onCancel={(name) => void call("models.cancel_pull", { name })}
        >
          <div className="mt-3 rounded-card border border-line bg-raised text-ink">
            <TourRow />
          </div>
        </NoModelCard>
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
