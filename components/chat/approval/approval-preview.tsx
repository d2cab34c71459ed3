"use client";
/** Full preview of a call: the command with its parts, the diff, or the deleted path. Nothing is truncated. */
import type { ReactNode } from "react";
import { useWords } from "@/components/words/words";
import type { Preview } from "@/lib/tool-kind";
import { countHidden } from "../../ui/hidden-characters";
import { LazyDiffView } from "../../ui/lazy-diff-view";
import { VisibleText } from "../../ui/visible-text";
import { useConversationFacts } from "../actions";
import { CommandParts } from "./command-parts";

type Of<K extends Preview["kind"]> = Extract<Preview, { kind: K }>;

function Command({ preview }: { readonly preview: Of<"command"> }) {
  const words = useWords();
  const hidden = countHidden(preview.command);
  const { wantsSandbox } = useConversationFacts();
  return (
    <div className="border-t border-line">
      {hidden > 0 && (
        <p className="bg-danger-soft px-3 py-1 text-small text-danger">{words.approval.hiddenCharacters(hidden)}</p>
      )}
      <pre
        tabIndex={0}
        className="max-h-[40dvh] overflow-auto bg-canvas px-3 py-2.5 text-code whitespace-break-spaces text-ink [overflow-wrap:anywhere] [tab-size:4]"
      >
        <VisibleText text={preview.command} names={words.common.hidden} />
      </pre>
      <CommandParts parts={preview.parts} />
      <p className="border-t border-line px-3 py-1.5 text-small text-ink-muted [overflow-wrap:anywhere]">
        {words.approval.runIn(preview.cwd)} · {words.approval.timeLimit(words.figures.duration(preview.timeoutMs))}
        {preview.sandbox !== undefined &&
          ` · ${preview.sandbox.network ? words.approval.fencedNetwork : words.approval.fenced}`}
      </p>
      {preview.sandbox === undefined && wantsSandbox && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{words.approval.notFenced}</p>
      )}
    </div>
  );
}

function Diff({ preview }: { readonly preview: Of<"diff"> }) {
  const words = useWords();
  return (
    <>
      {preview.hunks.length === 0 ? (
        <p className="border-t border-line px-3 py-2 text-ink-muted">{words.approval.noHunks}</p>
      ) : (
        <LazyDiffView
          hunks={preview.hunks}
          path={preview.path}
          names={words.common.hidden}
          label={preview.path}
          className="max-h-[50dvh] border-t border-line"
        />
      )}
      {preview.loose !== undefined && (
        <p className="border-t border-line px-3 py-1.5 text-small text-ask">{words.approval.loose[preview.loose]}</p>
      )}
    </>
  );
}

function Delete({ preview }: { readonly preview: Of<"delete"> }) {
  const words = useWords();
  return (
    <p className="border-t border-line px-3 py-2 text-ink-muted">
      {words.figures.bytes(preview.bytes)} · {words.approval.toTrash}
    </p>
  );
}

export function ApprovalPreview({ preview }: { readonly preview: Preview | undefined }): ReactNode {
  const words = useWords();
  switch (preview?.kind) {
    case "command":
      return <Command preview={preview} />;
    case "diff":
      return <Diff preview={preview} />;
    case "delete":
      return <Delete preview={preview} />;
    case undefined:
      return <p className="border-t border-line px-3 py-2 text-ink-muted">{words.approval.noPreview}</p>;
  }
}
