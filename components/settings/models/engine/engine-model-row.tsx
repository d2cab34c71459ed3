"use client";
/** One model of the built-in engine: its facts, what its process does, and its actions. */
import { Trash2, X } from "lucide-react";
import { useState } from "react";
import { engineConnectionId, type EngineModel, type EngineState } from "@/lib/models/engine";
import { windowSteps } from "@/lib/settings/model-settings";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { invalidateCommands } from "../../../state/command-query";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { ConfirmDialog } from "../../../ui/overlays/confirm-dialog";
import { VerdictChip } from "../../../ui/indicators/verdict-chip";
import { classes } from "../../../ui/theme/classes";
import { OpenItemButton } from "../../item-section/open-item-button";
import { useChange } from "../../../state/use-change";
import { modelFactTexts } from "../model-facts";
import { EngineError } from "./engine-error";
import { engineRunText, memoryNeedText, modelInMemory } from "./engine-texts";

interface EngineModelRowProps extends Pick<EngineState, "program"> {
  readonly model: EngineModel;
  /** State of the engine, also if another model is in memory. */
  readonly run: EngineState["run"];
}

/** The name opens the model's page, with the doctor. */
export function EngineModelRow({ model, run: anyRun, program }: EngineModelRowProps) {
  const messages = useFullMessages();
  const { name, file, info, error, memoryBytes, fit } = model;
  const run: EngineState["run"] = anyRun.model === name ? anyRun : { status: "stopped" };
  const isInMemory = modelInMemory(run) !== undefined;
  const failure = error ?? run.error;
  // After a load that failed for lack of memory the estimate is wrong.
  const isKnown = memoryBytes !== undefined && failure?.code !== "out_of_memory";
  const needTexts = isKnown ? [memoryNeedText({ memoryBytes, fit }, messages)] : [];
  const speed = info?.note?.writePerSecond ?? info?.note?.doctor?.writePerSecond ?? 0;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 pr-2.5 pl-3.5">
      <div className="grid min-w-0 flex-1 basis-48 gap-0.5">
        <OpenItemButton
          item={`${engineConnectionId}/${name}`}
          look="link"
          title={file}
          className="w-fit max-w-full max-tablet:-my-2.5 font-mono [overflow-wrap:anywhere] text-code font-medium"
        >
          {name}
        </OpenItemButton>
        {info !== undefined && (
          <p className="text-small text-ink-muted tabular-nums">
            {[...modelFactTexts(messages, info), ...needTexts].join(" · ")}
          </p>
        )}
        {failure === undefined ? (
          <p
            role="status"
            className={classes("text-small tabular-nums", isInMemory ? "text-accent" : "text-ink-muted")}
          >
            {engineRunText(run, messages)}
          </p>
        ) : (
          <EngineError error={failure} program={program} />
        )}
      </div>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
        {info?.note?.doctor !== undefined && <VerdictChip verdict={info.note.doctor.verdict} />}
        {speed > 0 && <span className="text-small text-ink-muted tabular-nums">{messages.figures.speed(speed)}</span>}
        <MemoryButton model={model} run={run} canLoad={program !== null && error === undefined} />
        <RemoveModel model={model} run={run} />
      </div>
    </li>
  );
}

interface MemoryButtonProps extends Pick<EngineModelRowProps, "model" | "run"> {
  readonly canLoad: boolean;
}

/** Unloads the model, or loads it: after a failure for lack of memory also with a smaller window. */
function MemoryButton({ model: { name }, run, canLoad }: MemoryButtonProps) {
  const messages = useFullMessages();
  const text = messages.engine;
  const { perform } = useChange("toast");
  if (modelInMemory(run) !== undefined)
    return (
      <Button size="small" onClick={() => void perform("engine.unload", {})}>
        {text.unload}
      </Button>
    );
  if (!canLoad) return null;
  const smaller =
    run.error?.code === "out_of_memory" ? windowSteps.findLast((tokens) => tokens < (run.window ?? 0)) : undefined;
  const load = (): unknown => perform("engine.load", { model: name });
  const loadSmaller = async (numCtx: number): Promise<void> => {
    const chosen = { model: name, connection: engineConnectionId, numCtx };
    if ((await perform("models.choose", chosen)) !== undefined) load();
  };
  return (
    <>
      {smaller !== undefined && (
        <Button size="small" onClick={() => void loadSmaller(smaller)}>
          {text.useWindow(messages.figures.tokens(smaller))}
        </Button>
      )}
      <Button size="small" aria-label={text.loadOne(name)} onClick={load}>
        {text.load}
      </Button>
    </>
  );
}

/** Takes the model off the list; a question precedes the deletion of a downloaded one's files, and the end of an answer. */
function RemoveModel({ model: { name, isOwned, info }, run }: Pick<EngineModelRowProps, "model" | "run">) {
  const messages = useFullMessages();
  const text = messages.engine;
  const { perform } = useChange("toast");
  const { toasts, cache } = useClient();
  const [isAsking, setIsAsking] = useState(false);
  const isInMemory = modelInMemory(run) !== undefined;
  const remove = async (): Promise<void> => {
    const next = await perform("engine.remove", { model: name });
    if (next === undefined) return;
    void invalidateCommands(cache, ["engine.find"]);
    toasts.show({ text: isOwned ? text.deleted(name) : text.removed(name) });
  };
  return (
    <>
      <IconButton
        icon={isOwned ? Trash2 : X}
        name={isOwned ? text.deleteOne(name) : text.remove(name)}
        onClick={() => (isOwned || isInMemory ? setIsAsking(true) : void remove())}
      />
      {isAsking && (
        <ConfirmDialog
          title={isOwned ? text.deleteTitle(name) : text.removeTitle(name)}
          yes={isOwned ? text.deleteYes : text.removeYes}
          onYes={() => void remove()}
          onClose={() => setIsAsking(false)}
        >
          <p>{isOwned ? text.deleteFrees(messages.figures.bytes(info?.size ?? 0)) : text.removeNote}</p>
          {isInMemory && <p>{text.endsAnswer(name)}</p>}
        </ConfirmDialog>
      )}
    </>
  );
}
