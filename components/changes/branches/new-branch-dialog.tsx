"use client";
/** Asks for the name of a new branch, which is checked out. */
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { isRefName } from "@/lib/workspace/ref-name";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { Dialog } from "../../ui/overlays/dialog";
import { useSourceChange } from "../source/use-source-change";
import { NameNote } from "./name-note";

interface NewBranchDialogProps {
  readonly projectId: ProjectId;
  readonly onClose: () => void;
}

export function NewBranchDialog({ projectId, onClose }: NewBranchDialogProps) {
  const { gitRefs: text, common } = useFullMessages();
  const { isBusy, perform } = useSourceChange(projectId);
  const [name, setName] = useState("");
  const wanted = name.trim();
  const create = async (): Promise<void> => {
    const order = { projectId, branch: wanted, from: "HEAD" };
    if ((await perform("source.switch", order)) !== undefined) onClose();
  };
  return (
    <Dialog title={text.newBranch} closeName={common.close} onClose={onClose}>
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (isRefName(wanted)) void create();
        }}
      >
        <TextField
          mono
          className="min-w-40 flex-1"
          value={name}
          aria-label={text.name}
          placeholder={text.name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit" look="primary" busy={isBusy} disabled={!isRefName(wanted)}>
          {text.create}
        </Button>
        <NameNote name={wanted} />
      </form>
    </Dialog>
  );
}
