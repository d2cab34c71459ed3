"use client";
/** Question what an upload does with a file whose path exists. */
import { useState } from "react";
import { baseName, parentFolder } from "@/lib/workspace/project-path";
import { useFullMessages } from "../../messages/full-messages";
import type { UploadQuestion as Question } from "../../state/uploads";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";

interface UploadQuestionProps {
  readonly question: Question;
  readonly onCancel: () => void;
}

export function UploadQuestion({ question, onCancel }: UploadQuestionProps) {
  const { upload, files, common } = useFullMessages();
  const [isForAll, setIsForAll] = useState(false);
  const { path, isFolder, others, answer } = question;
  const folder = parentFolder(path) || files.projectFolder;
  return (
    <Dialog
      title={upload.existsTitle}
      closeName={common.cancel}
      onClose={onCancel}
      footer={
        <>
          <Button onClick={() => answer("skip", isForAll)}>{upload.skip}</Button>
          <Button look={isFolder ? "primary" : "plain"} onClick={() => answer("keep", isForAll)}>
            {upload.keepBoth}
          </Button>
          {!isFolder && (
            <Button look="primary" onClick={() => answer("replace", isForAll)}>
              {upload.replace}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-3">
        <p className="[overflow-wrap:anywhere]">
          {isFolder ? upload.folderExists(baseName(path), folder) : upload.fileExists(baseName(path), folder)}
        </p>
        {others > 0 && (
          <label className="flex min-h-7 w-fit items-center gap-2 max-tablet:min-h-11">
            <input
              type="checkbox"
              checked={isForAll}
              onChange={(event) => setIsForAll(event.target.checked)}
              className="size-4 shrink-0 accent-accent"
            />
            {upload.forAll(others)}
          </label>
        )}
      </div>
    </Dialog>
  );
}
