"use client";
/** The uploads that run: progress, Cancel, and the question of the first one that has one. */
import { X } from "lucide-react";
import { baseName, parentFolder } from "@/lib/workspace/project-path";
import { useFullMessages } from "../../messages/full-messages";
import type { RunningUpload, UploadQuestion as Question } from "../../state/uploads";
import { IconButton } from "../../ui/controls/icon-button";
import { Progress } from "../../ui/indicators/meter";
import { useState } from "react";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";

interface UploadQuestionProps {
  readonly question: Question;
  readonly onCancel: () => void;
}

/** Question what an upload does with a file whose path exists. */
function UploadQuestion({ question, onCancel }: UploadQuestionProps) {
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

export function UploadList({ uploads }: { readonly uploads: readonly RunningUpload[] }) {
  const { upload: text, figures } = useFullMessages();
  const asking = uploads.find(({ question }) => question !== null);
  return (
    <>
      {uploads
        .filter(({ files }) => files > 0)
        .map(({ id, path, number, files, sentBytes, bytes, cancel }) => (
          <div key={id} className="flex shrink-0 items-center gap-2 border-t border-line py-2 pr-2 pl-3 text-small">
            <div className="grid min-w-0 flex-1 gap-1">
              <span className="cut">{text.running(baseName(path), number, files)}</span>
              <Progress share={bytes === 0 ? null : sentBytes / bytes} label={text.progress} />
              <span className="text-ink-muted">{text.bytes(figures.bytes(sentBytes), figures.bytes(bytes))}</span>
            </div>
            <IconButton icon={X} name={text.cancel} size="small" onClick={cancel} />
          </div>
        ))}
      {asking?.question && (
        <UploadQuestion key={asking.question.path} question={asking.question} onCancel={asking.cancel} />
      )}
    </>
  );
}
