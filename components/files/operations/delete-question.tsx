"use client";
/** Question before files with unsaved text are deleted. */
import { useFullMessages } from "../../messages/full-messages";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { PathText } from "../../ui/text/path-text";

interface DeleteQuestionProps {
  /** Paths of the files with unsaved text. */
  readonly unsaved: readonly string[];
  readonly onAnswer: (isYes: boolean) => void;
}

export function DeleteQuestion({ unsaved, onAnswer }: DeleteQuestionProps) {
  const { files, common } = useFullMessages();
  return (
    <ConfirmDialog
      title={files.deleteTitle}
      yes={files.delete}
      onYes={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    >
      <p>{files.deleteNote}</p>
      <ul>
        {unsaved.map((path) => (
          <li key={path}>
            <PathText path={path} names={common.hidden} className="font-mono text-code text-ink-muted" />
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
