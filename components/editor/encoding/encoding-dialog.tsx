"use client";
/** Chooses the encoding in which the shown file is opened again or saved. */
import { Check } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import { encodingName } from "@/lib/workspace/encoding-name";
import { type TextEncoding, textEncodings } from "@/lib/workspace/project-files";
import { useFullMessages } from "../../messages/full-messages";
import type { EncodingPurpose } from "../../state/workbench/component-handles";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { Dialog } from "../../ui/overlays/dialog";
import type { EditorDocument } from "../documents/open-documents";
import { describeEncodingError } from "./encoding-error";

interface EncodingDialogProps {
  readonly purpose: EncodingPurpose;
  readonly document: EditorDocument;
  /** Returns why it was not possible, else null. */
  readonly onChoose: (encoding: TextEncoding) => Promise<AgentError | null>;
  readonly onClose: () => void;
}

/** Whether a file has a byte order mark is read from its bytes. */
const isOffered = (purpose: EncodingPurpose, encoding: TextEncoding): boolean =>
  purpose === "save" || !/-(?:bom|bare)$/.test(encoding);

export function EncodingDialog({ purpose, document, onChoose, onClose }: EncodingDialogProps) {
  const messages = useFullMessages();
  const text = messages.editor.encoding;
  const [error, setError] = useState<AgentError | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<TextEncoding | null>(null);
  const notes: Partial<Record<TextEncoding, string>> = text.notes;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const rows = list.current;
    (rows?.querySelector<HTMLElement>("[aria-current=true]") ?? rows?.querySelector("button"))?.focus();
  }, [unconfirmed]);
  const choose = async (encoding: TextEncoding): Promise<void> => {
    const failure = await onChoose(encoding);
    setUnconfirmed(null);
    setError(failure);
    if (failure === null) onClose();
  };
  const current = document.file?.encoding ?? null;
  return (
    <Dialog
      title={text[purpose]}
      closeName={messages.common.cancel}
      onClose={onClose}
      footer={
        unconfirmed === null ? undefined : (
          <>
            <Button look="quiet" autoFocus onClick={() => setUnconfirmed(null)}>
              {messages.common.cancel}
            </Button>
            <Button look="danger" onClick={() => void choose(unconfirmed)}>
              {text.discard}
            </Button>
          </>
        )
      }
    >
      <p className="mb-2 font-mono text-code break-all text-ink-muted">{document.path}</p>
      {unconfirmed !== null && <p role="alert">{text.unsaved(encodingName(unconfirmed))}</p>}
      {error !== null && (
        <p role="alert" className="mb-2 text-danger">
          {text.failed[purpose]} {describeEncodingError(error, messages)}
        </p>
      )}
      {unconfirmed === null && (
        <ul ref={list} aria-label={text.list} onKeyDown={moveInList} className="-mx-2">
          {textEncodings
            .filter((encoding) => isOffered(purpose, encoding))
            .map((encoding) => (
              <li key={encoding}>
                <button
                  type="button"
                  aria-current={encoding === current}
                  onClick={() => {
                    if (purpose === "reopen" && document.isDirty) setUnconfirmed(encoding);
                    else void choose(encoding);
                  }}
                  className="flex min-h-8 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-hover max-tablet:min-h-11"
                >
                  <span className="w-4">{encoding === current && <Icon of={Check} size={14} />}</span>
                  <span className="flex-1">{encodingName(encoding)}</span>
                  <span className="text-small text-ink-muted">{notes[encoding]}</span>
                </button>
              </li>
            ))}
        </ul>
      )}
    </Dialog>
  );
}

/** The arrow keys move between the encodings, as Tab does. */
function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll("button")];
  const at = rows.findIndex((row) => row === globalThis.document.activeElement);
  rows[(at + step + rows.length) % rows.length]?.focus();
}
