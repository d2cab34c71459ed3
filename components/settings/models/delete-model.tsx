"use client";
/** Deletes a model from its server after a confirmation that states what is deleted. */
import { useState } from "react";
import type { ModelInfo } from "@/lib/models/models";
import { Button } from "../../ui/controls/button";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { openItem } from "../item-section/open-item";
import { useChange } from "../../state/use-change";

export function DeleteModel({ model }: { readonly model: ModelInfo }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const [isAsking, setAsking] = useState(false);
  return (
    <section className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line py-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{text.remove}</p>
        <p className="text-ink-muted">{freesText(model, messages)}</p>
      </div>
      <Button look="danger" onClick={() => setAsking(true)}>
        {text.removeShort}
      </Button>
      {isAsking && (
        <DeleteModelDialog model={model} onDeleted={() => openItem(null, "replace")} onClose={() => setAsking(false)} />
      )}
    </section>
  );
}

function freesText({ size = 0 }: ModelInfo, { settings, figures }: FullMessages): string {
  const text = settings.models;
  return size === 0 ? text.removeNote : text.removeFrees(figures.bytes(size));
}

interface DeleteModelDialogProps {
  readonly model: ModelInfo;
  /** Id of the connection that has it; absent = the Ollama of the settings. */
  readonly connection?: string;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export function DeleteModelDialog({ model, connection, onDeleted, onClose }: DeleteModelDialogProps) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { isBusy, perform } = useChange("toast", { busy: text.removeBusy });
  const remove = (): void => {
    void perform("models.remove", { model: model.name, connection }).then((answer) => {
      onClose();
      if (answer === null) onDeleted();
    });
  };
  return (
    <ConfirmDialog
      title={text.removeTitle(model.name)}
      yes={text.removeYes}
      busy={isBusy}
      onYes={remove}
      onClose={onClose}
    >
      <p>{freesText(model, messages)}</p>
      <p className="text-ink-muted">{text.removeSessions}</p>
    </ConfirmDialog>
  );
}
