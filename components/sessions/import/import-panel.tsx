"use client";
/** Import on the history page: button, drop area, progress and failures. */
import { anyFacts } from "@/lib/events/error";
import { FileUp, X } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { IconButton } from "../../ui/controls/icon-button";
import { Spinner } from "../../ui/indicators/spinner";
import { useFullMessages } from "../../messages/full-messages";
import type { ImportFailure, SessionImports } from "./use-import";

export function ImportButton({ imports }: { readonly imports: SessionImports }) {
  const messages = useFullMessages();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        busy={imports.busy !== null}
        title={messages.sessionHistory.import.note}
        onClick={() => chooser.current?.click()}
        className="max-tablet:px-2.5"
      >
        {imports.busy === null && <Icon of={FileUp} className="text-ink-muted" />}
        {messages.sessionHistory.import.action}
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        accept=".jsonl,.ndjson,application/x-ndjson,application/jsonl"
        aria-label={messages.sessionHistory.import.note}
        onChange={(event) => {
          imports.add([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}

export function ImportStatus({ imports }: { readonly imports: SessionImports }) {
  const messages = useFullMessages();
  const { busy, failures, clearFailures } = imports;
  return (
    <>
      <div role="status">
        {busy !== null && (
          <p className="mb-3 flex items-center gap-2 px-3 text-small text-ink-muted">
            <Spinner />
            <span className="min-w-0 cut">{messages.sessionHistory.import.busy(busy)}</span>
          </p>
        )}
      </div>
      {failures.length > 0 && (
        <div
          role="alert"
          className="mb-4 flex items-start gap-2 rounded-card border border-danger/40 bg-danger-soft py-1 pr-1 pl-3"
        >
          <div className="min-w-0 flex-1 py-1">
            <p className="font-medium text-danger">{messages.sessionHistory.import.failed}</p>
            <ul className="mt-1 grid gap-1">
              {failures.map((failure) => (
                <ImportFailureRow key={failure.key} failure={failure} />
              ))}
            </ul>
          </div>
          <IconButton
            icon={X}
            name={messages.sessionHistory.import.close}
            size="small"
            side="below"
            onClick={clearFailures}
          />
        </div>
      )}
    </>
  );
}

function ImportFailureRow({ failure }: { readonly failure: ImportFailure }) {
  const messages = useFullMessages();
  const { line } = anyFacts(failure.error);
  return (
    <li className="[overflow-wrap:anywhere]">
      <span className="font-mono text-code">{failure.name}</span>
      {typeof line === "number" && <> · {messages.sessionHistory.import.line(messages.figures.number(line))}</>}
      <span className="block text-ink-muted">{messages.errors.sentences[failure.error.code]}</span>
    </li>
  );
}

interface DropAreaProps {
  /** Name of the project the sessions are added to; null = none. */
  readonly project: string | null;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
  readonly className?: string;
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");

/** Accepts files dropped anywhere inside it. */
export function DropArea({ project, onFiles, children, className }: DropAreaProps) {
  const messages = useFullMessages();
  const [isOver, setOver] = useState(false);
  return (
    <main
      className={className}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none fixed inset-3 z-40 grid place-items-center rounded-dialog border-2 border-dashed border-accent bg-canvas/85">
          <p className="flex items-center gap-2 text-title font-medium">
            <Icon of={FileUp} className="text-accent" />
            {project === null ? messages.sessionHistory.import.noProject : messages.sessionHistory.import.drop(project)}
          </p>
        </div>
      )}
    </main>
  );
}
