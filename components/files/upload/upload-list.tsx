"use client";
/** The uploads that run: progress, Cancel, and the question of the first one that has one. */
import { X } from "lucide-react";
import { baseName } from "@/lib/workspace/project-path";
import { useFullMessages } from "../../messages/full-messages";
import type { RunningUpload } from "../../state/uploads";
import { IconButton } from "../../ui/controls/icon-button";
import { Progress } from "../../ui/indicators/meter";
import { UploadQuestion } from "./upload-question";

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
