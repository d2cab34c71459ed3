"use client";
/**
 * Dialog with the full output of a tool call that was truncated for the model; the complete text can be saved as a
 * file.
 */
import { useQuery } from "@tanstack/react-query";
import type { CallId, SessionId } from "@/lib/id";
import { useClient } from "../state/client";
import { CallFailed, valueOf } from "../state/queries";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { saveFile } from "../ui/save-file";
import { Skeleton } from "../ui/skeleton";
import { VisibleText } from "../ui/visible-text";
import { useWords } from "../words/words";

export interface OutputDialogProps {
  readonly sessionId: SessionId;
  readonly callId: CallId;
  readonly onClose: () => void;
}

/** More text than this makes the page slow; the saved file is complete. */
const shownChars = 200_000;

export function OutputDialog({ sessionId, callId, onClose }: OutputDialogProps) {
  const words = useWords();
  const { call } = useClient();
  const output = useQuery({
    queryKey: ["output", sessionId, callId],
    queryFn: () => valueOf(call, "session.full_output", { sessionId, callId }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const text = output.data?.text ?? "";
  const isCut = text.length > shownChars;
  return (
    <Dialog
      wide
      title={words.shell.output}
      closeName={words.common.close}
      onClose={onClose}
      footer={
        output.isSuccess && <Button onClick={() => saveFile(text, `${callId}.txt`)}>{words.shell.saveOutput}</Button>
      }
    >
      {output.isPending && <Skeleton label={words.common.loading} className="h-24" />}
      {output.isError && (
        <p role="alert" className="text-danger">
          {output.error instanceof CallFailed
            ? words.errors.sentences[output.error.error.code]
            : words.tools.loadFailed}
        </p>
      )}
      {isCut && (
        <p className="mb-2 text-small text-ink-muted">
          {words.shell.outputCut(words.figures.number(shownChars), words.figures.number(text.length))}
        </p>
      )}
      <pre tabIndex={0} className="overflow-x-auto text-code whitespace-pre">
        <VisibleText text={text.slice(0, shownChars)} names={words.common.hidden} />
      </pre>
    </Dialog>
  );
}
