"use client";
/** A model that can be downloaded: its size, what it needs, whether this machine has it, and the button. */
import { X } from "lucide-react";
import { useState } from "react";
import type { ModelPreview, SuggestedModel } from "@/lib/models/engine";
import type { DoctorVerdict } from "@/lib/models/models";
import { useFullMessages } from "../../../messages/full-messages";
import { joinSentences } from "../../../messages/join-sentences";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { ConfirmDialog } from "../../../ui/overlays/confirm-dialog";
import { classes } from "../../../ui/theme/classes";
import { EngineError } from "./engine-error";
import { memoryNeedText } from "./engine-texts";
import { useChange } from "../../../state/use-change";
import { downloadProblemText } from "./download-problem-text";

export interface DownloadOfferProps {
  readonly model: ModelPreview & Partial<Pick<SuggestedModel, "license" | "verdict">>;
  /** Memory of this machine, bytes. */
  readonly ram: number;
  /** Host name that models are downloaded from. */
  readonly hub: string;
  /** It is on this machine already. */
  readonly isHere?: boolean;
  /** Called when the download has begun. */
  readonly onStarted?: () => void;
  /** Absent = it cannot be closed. */
  readonly onClose?: () => void;
}

/** As text: the first-run card, which is loaded early, has the same code. */
const verdictColors: Readonly<Record<DoctorVerdict, string>> = {
  agent: "text-accent",
  helper: "text-ink-muted",
  chat: "text-danger",
  unusable: "text-danger",
};

/** One that does not fit into the memory is downloaded only after a question. */
export function DownloadOffer({ model, ram, hub, isHere = false, onStarted, onClose }: DownloadOfferProps) {
  const messages = useFullMessages();
  const text = messages.engine;
  const { isBusy, error, perform } = useChange("inline");
  const [isAsking, setIsAsking] = useState(false);
  const { name, reference, bytes, license, fit, verdict } = model;
  const begin = async (): Promise<void> => {
    setIsAsking(false);
    if ((await perform("engine.download", { model: reference })) !== undefined) onStarted?.();
  };
  const facts = [
    messages.figures.bytes(bytes),
    memoryNeedText(model, messages),
    ...(license === undefined ? [] : [license]),
  ];
  return (
    <div className="grid gap-1 py-2 pr-2.5 pl-3.5">
      <div className="flex items-center gap-3">
        <div className="grid min-w-0 flex-1">
          <p title={reference} className="cut font-medium">
            {name}
          </p>
          <p className="text-small text-ink-muted tabular-nums">{facts.join(" · ")}</p>
        </div>
        {verdict !== undefined && (
          <span className={classes("text-small font-medium", verdictColors[verdict])}>
            {messages.models.verdicts[verdict]}
          </span>
        )}
        {isHere ? (
          <span className="text-small text-ink-muted">{text.isHere}</span>
        ) : (
          <Button
            size="small"
            look={fit === "too_large" ? "quiet" : "plain"}
            aria-label={text.getOne(name)}
            busy={isBusy}
            onClick={() => (fit === "too_large" ? setIsAsking(true) : void begin())}
          >
            {text.get}
          </Button>
        )}
        {onClose !== undefined && <IconButton icon={X} name={text.actionOn(text.giveUp, name)} onClick={onClose} />}
      </div>
      {error !== null && (
        <EngineError error={error} sentence={downloadProblemText(error, messages, hub)} mirror="modelHub" />
      )}
      {isAsking && (
        <TooLargeDialog model={model} ram={ram} onYes={() => void begin()} onClose={() => setIsAsking(false)} />
      )}
    </div>
  );
}

interface TooLargeDialogProps extends Pick<DownloadOfferProps, "model" | "ram"> {
  readonly onYes: () => void;
  readonly onClose: () => void;
}

/** Asks whether a model that does not fit into the memory is downloaded. */
function TooLargeDialog({ model: { name, memoryBytes }, ram, onYes, onClose }: TooLargeDialogProps) {
  const messages = useFullMessages();
  const { engine: text, figures } = messages;
  const needs = text.hereNeeds(figures.bytes(memoryBytes), figures.bytes(ram));
  return (
    <ConfirmDialog title={text.tooLargeTitle(name)} yes={text.tooLargeYes} onYes={onYes} onClose={onClose}>
      <p>{joinSentences(messages, [needs, text.tooLargeNote])}</p>
    </ConfirmDialog>
  );
}
