"use client";
/** Downloads of models for the built-in engine, and the models that are suggested for this machine. */
import { X } from "lucide-react";
import type { EngineState, ModelDownload } from "@/lib/models/engine";
import { openSuggestions } from "@/lib/models/open-suggestions";
import { useFullMessages } from "../../../messages/full-messages";
import { joinSentences } from "../../../messages/join-sentences";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { Progress } from "../../../ui/indicators/meter";
import { useChange } from "../../../state/use-change";
import { DownloadOffer } from "./download-offer";
import { EngineError } from "./engine-error";
import { downloadText, isBrokenOnServer } from "./engine-texts";
import { ItemList } from "../../item-section/item-section";

export function ModelDownloads({ downloads }: Pick<EngineState, "downloads">) {
  const text = useFullMessages().engine;
  if (downloads.length === 0) return null;
  return (
    <ItemList label={text.downloads}>
      {downloads.map((download) => (
        <li key={download.reference}>
          <DownloadRow download={download} />
        </li>
      ))}
    </ItemList>
  );
}

interface DownloadRowProps {
  readonly download: ModelDownload;
  /** It is what the screen is about: its button is filled. */
  readonly isMain?: boolean;
}

export function DownloadRow({ download, isMain = false }: DownloadRowProps) {
  const messages = useFullMessages();
  const text = messages.engine;
  const { perform } = useChange("toast");
  const start = useChange("inline");
  const { reference, name, status, completed, bytes } = download;
  const error = start.error ?? download.error;
  const isRunning = status !== "paused" && status !== "failed";
  const isBroken = isBrokenOnServer(download);
  const look = isMain ? "primary" : "plain";
  const labelOf = (action: string): string => text.actionOn(action, name);
  const again = status === "failed" ? text.tryAgain : text.resume;
  const remove = (): void => void perform("engine.cancelDownload", { model: reference });
  return (
    <div className="grid gap-2 py-2.5 pr-2.5 pl-3.5">
      <div className="flex items-center gap-2">
        <div className="grid min-w-0 flex-1 gap-0.5">
          <p title={reference} className="font-mono text-code font-medium [overflow-wrap:anywhere]">
            {name}
          </p>
          <p className="text-small text-ink-muted tabular-nums">{downloadText(download, messages)}</p>
        </div>
        {isRunning ? (
          <Button
            size="small"
            aria-label={labelOf(text.pause)}
            onClick={() => void perform("engine.pauseDownload", { model: reference })}
          >
            {text.pause}
          </Button>
        ) : isBroken ? (
          <Button size="small" look={look} aria-label={labelOf(text.deleteFile)} onClick={remove}>
            {text.deleteFile}
          </Button>
        ) : (
          <Button
            size="small"
            look={look}
            aria-label={labelOf(again)}
            onClick={() => void start.perform("engine.download", { model: reference })}
          >
            {again}
          </Button>
        )}
        {!isBroken && <IconButton icon={X} name={labelOf(text.giveUp)} onClick={remove} />}
      </div>
      {error !== undefined && !isRunning && (
        <EngineError error={error} sentence={isBroken ? text.brokenOnServer : undefined} mirror="modelHub" />
      )}
      {status !== "failed" && (
        <Progress label={text.modelProgress(name)} share={status === "checking" ? null : completed / bytes} />
      )}
    </div>
  );
}

/** Nothing while all are there or on their way, and none was tested here. */
export function ModelSuggestions({ state }: { readonly state: EngineState }) {
  const messages = useFullMessages();
  const text = messages.engine;
  const { ram, graphics } = state.memory;
  const open = openSuggestions(state);
  const shown = state.suggestions.filter((model) => model.verdict !== undefined || open.includes(model));
  if (shown.length === 0) return null;
  const size = messages.figures.bytes;
  return (
    <div className="grid gap-2">
      <div>
        <h3 className="font-medium">{text.suggested}</h3>
        <p className="text-small text-ink-muted">
          {joinSentences(messages, [
            text.machine(size(ram), graphics === 0 ? null : size(graphics)),
            ...(state.hubProblem === undefined ? [text.comeFrom(state.hub)] : []),
          ])}
        </p>
        {state.hubProblem !== undefined && <EngineError error={state.hubProblem} />}
      </div>
      <ul aria-label={text.suggested} className="divide-y divide-line overflow-hidden rounded-card border border-line">
        {shown.map((model) => (
          // The key has the host: a refusal by another one is not shown any more.
          <li key={`${state.hub} ${model.reference}`}>
            <DownloadOffer model={model} ram={ram} hub={state.hub} isHere={!open.includes(model)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
