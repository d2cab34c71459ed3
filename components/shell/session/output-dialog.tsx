"use client";
/**
 * Dialog with the full output of a tool call that was truncated for the model; the complete text can be saved as a
 * file.
 */
import type { CallId, SessionId } from "@/lib/events/id";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";
import { saveFile } from "../../ui/browser/save-file";
import { Skeleton } from "../../ui/indicators/skeleton";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useFullMessages } from "../../messages/full-messages";
import { CallError, pushed } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";

interface OutputDialogProps {
  readonly sessionId: SessionId;
  readonly callId: CallId;
  readonly onClose: () => void;
}

/** More text than this makes the page slow; the saved file is complete. */
const displayMaxChars = 200_000;

export function OutputDialog({ sessionId, callId, onClose }: OutputDialogProps) {
  const messages = useFullMessages();
  const { tools } = useConversationMessages();
  const output = useCommandQuery(
    "session.full_output",
    { sessionId, callId },
    {
      // Never changes.
      ...pushed,
      gcTime: 0,
    },
  );
  const text = output.data?.text ?? "";
  const isCut = text.length > displayMaxChars;
  return (
    <Dialog
      wide
      title={messages.sessionHistory.output.title}
      closeName={messages.common.close}
      onClose={onClose}
      footer={
        output.isSuccess && (
          <Button onClick={() => saveFile(text, `${callId}.txt`)}>{messages.sessionHistory.output.save}</Button>
        )
      }
    >
      {output.isPending && <Skeleton label={messages.common.loading} className="h-24" />}
      {output.isError && (
        <p role="alert" className="text-danger">
          {output.error instanceof CallError ? messages.errors.sentences[output.error.error.code] : tools.loadFailed}
        </p>
      )}
      {isCut && (
        <p className="mb-2 text-small text-ink-muted">
          {messages.sessionHistory.output.cut(
            messages.figures.number(displayMaxChars),
            messages.figures.number(text.length),
          )}
        </p>
      )}
      <pre tabIndex={0} className="overflow-x-auto text-code whitespace-pre">
        <VisibleText text={text.slice(0, displayMaxChars)} names={messages.common.hidden} />
      </pre>
    </Dialog>
  );
}
