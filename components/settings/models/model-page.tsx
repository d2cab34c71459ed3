"use client";
/** Page of one installed model: test, window, options, facts, removal. */
import { useState } from "react";
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelInfo, ModelServerState } from "@/lib/models/models";
import { useCommandQuery } from "../../state/use-command-query";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useFullMessages } from "../../messages/full-messages";
import { BackLink } from "../item-section/back-link";
import { useChange } from "../../state/use-change";
import { DeleteModel } from "./delete-model";
import { DoctorPanel } from "./doctor/doctor-panel";
import { ModelOptionSettings, type PendingModelOptions } from "./model-option-settings";
import { LoadedLine } from "./loaded-line";
import { ModelFactsTable } from "./model-facts-table";
import { modelFactTexts } from "./model-facts";
import { WindowPlanChoice } from "./window-plan-choice";

interface ModelPageProps {
  readonly name: string;
  readonly server: ModelServerState;
}

export function ModelPage({ name, server }: ModelPageProps) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const model = server.models.find((one) => isSameModelName(one.name, name));
  return (
    <>
      <BackLink label={text.back} />
      {model === undefined ? <p>{text.missing}</p> : <InstalledModel key={name} model={model} server={server} />}
    </>
  );
}

function InstalledModel({ model, server }: { readonly model: ModelInfo; readonly server: ModelServerState }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { perform } = useChange("toast");
  const details = useCommandQuery("models.show", { model: model.name }, { enabled: server.status === "ready" });
  const loaded = server.loaded.find((one) => isSameModelName(one.name, model.name));
  const [pending, setPending] = useState<PendingModelOptions>({});
  const choose = async (more: PendingModelOptions): Promise<void> => {
    setPending(more);
    await perform("models.choose", { model: model.name, ...more });
    await details.refetch();
    setPending({});
  };
  return (
    <>
      <ModelHeading model={model} />
      {loaded !== undefined && (
        <div className="-mt-4 mb-6">
          <LoadedLine loaded={loaded} />
        </div>
      )}
      {model.cloud && (
        <p className="mb-6 rounded-card border border-ask-edge/40 bg-ask-soft px-3.5 py-2.5">{text.cloudNote}</p>
      )}
      <DoctorPanel
        model={model}
        loaded={loaded}
        plan={details.data?.window}
        canTest={server.status === "ready"}
        onWindow={(numCtx) => void choose({ numCtx })}
        onToolMode={(toolMode) => void choose({ toolMode })}
      />
      {details.data !== undefined && (
        <WindowPlanChoice
          plan={details.data.window}
          isUsers={(model.note?.numCtx ?? 0) > 0}
          pending={pending.numCtx}
          onChoose={(numCtx) => void choose({ numCtx })}
        />
      )}
      <ModelOptionSettings
        isOllama
        isUnloaded
        note={model.note}
        pending={pending}
        onChoose={(more) => void choose(more)}
      />
      <ModelFactsTable model={model} details={details.data} />
      {details.isPending && server.status === "ready" && (
        <Skeleton label={messages.common.loading} className="mb-8 h-24" />
      )}
      {details.isError && (
        <p role="alert" className="mb-8 flex items-center gap-3">
          {text.detailsFailed}
          <Button size="small" onClick={() => void details.refetch()}>
            {messages.common.retry}
          </Button>
        </p>
      )}
      {server.status === "ready" && <DeleteModel model={model} />}
    </>
  );
}

/** Name and facts, with a button that makes the model the default of new sessions. */
function ModelHeading({ model }: { readonly model: ModelInfo }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { isBusy, perform } = useChange("toast");
  const settings = useServerState("settings");
  const isDefault = settings?.connection === "" && isSameModelName(settings.model, model.name);
  const canTalk = model.capabilities.length === 0 || model.capabilities.includes("completion");
  const makeDefault = (): void => void perform("settings.write", { patch: { model: model.name, connection: "" } });
  return (
    <div className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="min-w-0 font-mono text-title font-semibold [overflow-wrap:anywhere]">{model.name}</h2>
          {isDefault && <Chip>{text.isDefault}</Chip>}
          {model.cloud && <Chip tone="ask">{text.cloud}</Chip>}
        </div>
        <p className="text-ink-muted">{modelFactTexts(messages, model).join(" · ")}</p>
      </div>
      {!isDefault && canTalk && (
        <Button busy={isBusy} onClick={makeDefault}>
          {text.makeDefault}
        </Button>
      )}
    </div>
  );
}
