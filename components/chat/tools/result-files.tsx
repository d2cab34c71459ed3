"use client";
/** The files in the result of a call, each with a button that saves it. A viewer gets none. */
import { File } from "lucide-react";
import { useState } from "react";
import type { CallId } from "@/lib/events/id";
import type { ResultFile } from "@/lib/events/tool-kind";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { saveFile } from "../../ui/browser/save-file";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationFacts } from "../actions";

interface ResultFilesProps {
  readonly callId: CallId;
  readonly files: readonly ResultFile[];
}

export function ResultFiles({ callId, files }: ResultFilesProps) {
  const { externalTools } = useFullMessages();
  return (
    <ul aria-label={externalTools.files} className="border-b border-line px-3 py-1.5">
      {files.map((file, index) => (
        <FileRow key={index} {...{ callId, file, index }} />
      ))}
    </ul>
  );
}

interface FileRowProps {
  readonly callId: CallId;
  readonly file: ResultFile;
  readonly index: number;
}

function FileRow({ callId, file, index }: FileRowProps) {
  const { externalTools: text, figures, common } = useFullMessages();
  const { call } = useClient();
  const { sessionId } = useConversationFacts();
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const { name, bytes } = file;
  const read = async (): Promise<readonly Uint8Array<ArrayBuffer>[] | null> => {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (let from = 0; sessionId !== null && from < bytes; ) {
      const answer = await call("session.result_file", { sessionId, callId, index, from });
      const piece = answer.ok ? Uint8Array.from(atob(answer.value.data), (unit) => unit.charCodeAt(0)) : null;
      if (piece === null || piece.length === 0) return null;
      pieces.push(piece);
      from += piece.length;
    }
    return pieces;
  };
  const save = async (): Promise<void> => {
    setState("busy");
    const pieces = await read();
    setState(pieces === null ? "failed" : "idle");
    // Never a type of the other program: the browser must not show the file as a page of this address.
    if (pieces !== null) saveFile(pieces, name, "application/octet-stream");
  };
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-2">
      <Icon of={File} size={14} className="shrink-0 text-ink-muted" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <VisibleText text={name} names={common.hidden} />
      </span>
      <span className="flex-1 text-small text-ink-muted tabular-nums">{figures.bytes(bytes)}</span>
      <span role="status" className="text-small text-danger empty:hidden">
        {state === "failed" ? text.saveFailed : null}
      </span>
      {sessionId !== null && (
        <Button size="small" aria-label={text.saveFile(name)} busy={state === "busy"} onClick={() => void save()}>
          {text.save}
        </Button>
      )}
    </li>
  );
}
