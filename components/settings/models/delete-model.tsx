"use client";
/** Button that deletes a model from the server after a confirmation that states what is deleted. */
import { useState } from "react";
import type { ModelInfo } from "@/lib/models/models";
import { Button } from "../../ui/controls/button";
import { useFullMessages } from "../../messages/full-messages";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { openItem } from "../open-item";
import { useCallWithToast } from "../use-call-with-toast";

export function DeleteModel({ model }: { readonly model: ModelInfo }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const call = useCallWithToast();
  const [state, setState] = useState<"closed" | "open" | "deleting">("closed");
  const frees =
    model.size === undefined || model.size === 0
      ? text.removeNote
      : text.removeFrees(messages.figures.bytes(model.size));
  const remove = (): void => {
    setState("deleting");
    void call("models.remove", { model: model.name }, { busy: text.removeBusy }).then((answer) => {
      setState("closed");
      if (answer === null) openItem(null, "replace");
    });
  };
  return (
    <section className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line py-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{text.remove}</p>
        <p className="text-ink-muted">{frees}</p>
      </div>
      <Button look="danger" onClick={() => setState("open")}>
        {text.removeShort}
      </Button>
      {state !== "closed" && (
        <ConfirmDialog
          title={text.removeTitle(model.name)}
          yes={text.removeYes}
          busy={state === "deleting"}
          onYes={remove}
          onClose={() => setState("closed")}
        >
          <p>{frees}</p>
          <p className="text-ink-muted">{text.removeSessions}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
