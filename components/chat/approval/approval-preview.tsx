"use client";
/** Full preview of a call: the command with its parts, the diff, or the deleted path. Nothing is truncated. */
import { type ReactNode, lazy, Suspense } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { CallPreview } from "@/lib/events/tool-kind";
import { countHidden } from "../../ui/text/hidden-characters";
import { LazyDiffView } from "../../ui/code/lazy-diff-view";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationFacts } from "../actions";
import { CommandParts } from "./command-parts";
import type { ExternalPreviewProps } from "./external-preview";

const Loaded = lazy(async () => ({ default: (await import("./external-preview")).ExternalPreview }));

/** Lazily loaded preview of a call of another program's tool; the fallback has about its height. */
const LazyExternalPreview = (props: ExternalPreviewProps) => (
  <Suspense fallback={<div className="h-24 border-t border-line" />}>
    <Loaded {...props} />
  </Suspense>
);

type PreviewOf<K extends CallPreview["kind"]> = Extract<CallPreview, { kind: K }>;

function CommandPreview({
  preview,
  needsNetwork,
}: {
  readonly preview: PreviewOf<"command">;
  readonly needsNetwork: boolean;
}) {
  const messages = useConversationMessages();
  const hidden = countHidden(preview.command);
  const { wantsSandbox } = useConversationFacts();
  return (
    <div className="border-t border-line">
      {hidden > 0 && (
        <p className="bg-danger-soft px-3 py-1 text-small text-danger">{messages.approval.hiddenCharacters(hidden)}</p>
      )}
      <pre
        tabIndex={0}
        className="max-h-[40dvh] overflow-auto bg-canvas px-3 py-2.5 text-code whitespace-break-spaces text-ink [overflow-wrap:anywhere] [tab-size:4]"
      >
        <VisibleText text={preview.command} names={messages.common.hidden} />
      </pre>
      <CommandParts parts={preview.parts} />
      <p className="border-t border-line px-3 py-1.5 text-small text-ink-muted [overflow-wrap:anywhere]">
        {messages.approval.runIn(preview.cwd)} ·{" "}
        {messages.approval.timeLimit(messages.figures.duration(preview.timeoutMs))}
        {preview.sandbox !== undefined &&
          ` · ${preview.sandbox.network ? messages.approval.fencedNetwork : messages.approval.fenced}`}
      </p>
      {needsNetwork && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{messages.approval.needsNetwork}</p>
      )}
      {preview.noUndo === true && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{messages.approval.noUndo}</p>
      )}
      {preview.sandbox === undefined && wantsSandbox && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{messages.approval.notFenced}</p>
      )}
    </div>
  );
}

function DiffPreview({ preview }: { readonly preview: PreviewOf<"diff"> }) {
  const messages = useConversationMessages();
  return (
    <>
      {preview.readOnly === true && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{messages.approval.readOnly}</p>
      )}
      {preview.hunks.length === 0 ? (
        <p className="border-t border-line px-3 py-2 text-ink-muted">{messages.tools.noHunks}</p>
      ) : (
        <LazyDiffView
          hunks={preview.hunks}
          path={preview.path}
          names={messages.common.hidden}
          label={preview.path}
          className="max-h-[50dvh] border-t border-line"
        />
      )}
      {preview.loose !== undefined && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{messages.approval.loose[preview.loose]}</p>
      )}
    </>
  );
}

function DeletePreview({ preview }: { readonly preview: PreviewOf<"delete"> }) {
  const messages = useConversationMessages();
  return (
    <p className="border-t border-line px-3 py-2 text-ink-muted">
      {messages.figures.bytes(preview.bytes)} · {messages.approval.toTrash}
    </p>
  );
}

export function ApprovalPreview({
  preview,
  needsNetwork = false,
}: {
  readonly preview: CallPreview | undefined;
  readonly needsNetwork?: boolean;
}): ReactNode {
  const messages = useConversationMessages();
  switch (preview?.kind) {
    case "command":
      return <CommandPreview preview={preview} needsNetwork={needsNetwork} />;
    case "diff":
      return <DiffPreview preview={preview} />;
    case "delete":
      return <DeletePreview preview={preview} />;
    case "external":
      return <LazyExternalPreview preview={preview} />;
    case undefined:
      return <p className="border-t border-line px-3 py-2 text-ink-muted">{messages.approval.noPreview}</p>;
  }
}
