"use client";
/** Button that removes the item of a page after a confirmation, then shows the list. */
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/controls/button";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { openItem } from "./open-item";

interface RemoveItemProps {
  readonly label: string;
  /** Title of the confirmation; its children name what is deleted. */
  readonly title: string;
  readonly yes: string;
  readonly children: ReactNode;
  /** Resolves with false after a failure, which was shown. */
  readonly remove: () => Promise<boolean>;
}

export function RemoveItem({ label, title, yes, children, remove }: RemoveItemProps) {
  const [state, setState] = useState<"closed" | "open" | "removing">("closed");
  const confirm = async (): Promise<void> => {
    setState("removing");
    if (await remove()) openItem(null, "replace");
    else setState("closed");
  };
  return (
    <>
      <Button look="danger" onClick={() => setState("open")}>
        {label}
      </Button>
      {state !== "closed" && (
        <ConfirmDialog
          title={title}
          yes={yes}
          busy={state === "removing"}
          onYes={() => void confirm()}
          onClose={() => setState("closed")}
        >
          {children}
        </ConfirmDialog>
      )}
    </>
  );
}
