"use client";
/** Closing of tabs: files with unsaved text are asked about, one after the other. */
import { type ReactNode, useEffect, useState } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { isInBothGroups } from "../../state/workbench/editor-groups";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";
import type { OpenFiles } from "../open-files";

interface CloseFiles {
  /** Closes the tabs of the group. */
  readonly askToClose: (paths: readonly string[]) => void;
  /** The open question about a file. */
  readonly question: ReactNode;
}

/** `close` closes a tab of the group, `save` returns whether the file was saved. */
export function useCloseFiles(
  { documents, autosave }: OpenFiles,
  close: (path: string) => void,
  save: (path: string) => Promise<boolean>,
): CloseFiles {
  const { workbench } = useClient();
  /** Files with unsaved text that are to be closed; the question is about the first. */
  const [unanswered, setUnanswered] = useState<readonly string[]>([]);
  const [path] = unanswered;
  const goOn = (): void => setUnanswered((now) => now.slice(1));
  const askToClose = (paths: readonly string[]): void => {
    for (const one of paths) {
      const isElsewhere = isInBothGroups(workbench.get().layout, one);
      if (documents.get().get(one)?.isDirty !== true || isElsewhere) close(one);
      else
        void autosave
          .settle(one)
          .then((isSettled) =>
            isSettled ? close(one) : setUnanswered((now) => (now.includes(one) ? now : [...now, one])),
          );
    }
  };
  useEffect(() => (path === undefined ? undefined : autosave.pause(path)), [path, autosave]);
  const closeFirst = (first: string): void => {
    goOn();
    close(first);
  };
  const question = path !== undefined && (
    <CloseDialog
      key={path}
      path={path}
      isDeleted={documents.get().get(path)?.isDeleted === true}
      onCancel={() => setUnanswered([])}
      onDiscard={() => closeFirst(path)}
      onSave={() => void save(path).then((isSaved) => (isSaved ? closeFirst(path) : setUnanswered([])))}
    />
  );
  return { askToClose, question };
}

interface CloseDialogProps {
  readonly path: string;
  readonly isDeleted: boolean;
  readonly onCancel: () => void;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

function CloseDialog({ path, isDeleted, onCancel, onDiscard, onSave }: CloseDialogProps) {
  const { editor, common } = useFullMessages();
  return (
    <Dialog
      title={isDeleted ? editor.closeDeletedTitle : editor.closeTitle}
      closeName={common.cancel}
      onClose={onCancel}
      footer={
        <>
          <Button look="quiet" onClick={onCancel}>
            {common.cancel}
          </Button>
          <Button look="danger" onClick={onDiscard}>
            {isDeleted ? editor.discardDeleted : editor.discard}
          </Button>
          <Button look="primary" autoFocus onClick={onSave}>
            {common.save}
          </Button>
        </>
      }
    >
      <p>{isDeleted ? editor.closeDeletedNote : editor.closeNote}</p>
      <p className="mt-1 font-mono text-code break-all text-ink-muted">{path}</p>
    </Dialog>
  );
}
