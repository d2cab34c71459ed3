"use client";
/** Page of one model of the built-in engine: test, options, facts. */
import { engineConnectionId } from "@/lib/models/engine";
import { useFullMessages } from "../../../messages/full-messages";
import { Skeleton } from "../../../ui/indicators/skeleton";
import { BackLink } from "../../item-section/back-link";
import { ConnectionDoctor } from "../doctor/connection-doctor";
import { useChange } from "../../../state/use-change";
import { modelFactTexts } from "../model-facts";
import { ModelFactsTable } from "../model-facts-table";
import { EngineError } from "./engine-error";
import { useCommandQuery } from "../../../state/use-command-query";

export function EngineModelPage({ name }: { readonly name: string }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { perform } = useChange("toast");
  const { data: state, isPending } = useCommandQuery("engine.state", {});
  const model = state?.models.find((one) => one.name === name);
  return (
    <>
      <BackLink label={text.back} />
      {model === undefined ? (
        isPending ? (
          <Skeleton label={messages.common.loading} className="h-24" />
        ) : (
          <p>{text.missing}</p>
        )
      ) : (
        <>
          <div className="mb-6">
            <h2 className="min-w-0 font-mono text-title font-semibold [overflow-wrap:anywhere]">{name}</h2>
            {model.info !== undefined && (
              <p className="text-ink-muted">{modelFactTexts(messages, model.info).join(" · ")}</p>
            )}
            {model.error !== undefined && <EngineError error={model.error} program={state?.program} />}
          </div>
          <ConnectionDoctor
            key={name}
            connection={{ id: engineConnectionId, model: name, local: true }}
            canTest={model.info !== undefined && state?.program !== null}
            // The written file is pushed, after which the list of the models is fetched again.
            onWindow={(numCtx) =>
              void perform("models.choose", { model: name, connection: engineConnectionId, numCtx })
            }
          />
          {model.info !== undefined && <ModelFactsTable model={model.info} details={undefined} />}
        </>
      )}
    </>
  );
}
