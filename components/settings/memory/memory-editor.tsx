"use client";
/**
 * The text of a file of the memory. What was typed stays when the file changes on disk: then the user loads the file
 * again or replaces it.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ErrorCode } from "@/lib/events/error";
import type { Hash } from "@/lib/events/id";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { MemoryFileState } from "@/lib/tools/memory";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { Button } from "../../ui/controls/button";
import { TextArea } from "../../ui/controls/text-area";
import { createKeptDrafts } from "../../state/kept-drafts";

const problemText = (code: ErrorCode, { memory, errors }: FullMessages): string => {
  const sentences: { readonly [one in ErrorCode]?: string } = memory.problems;
  return sentences[code] ?? errors.sentences[code];
};

interface MemoryEditorProps {
  readonly file: MemoryFileState;
  readonly title: string;
  /** Absolute path of the memory's folder. */
  readonly folder: string;
}

const useMemoryDraft = createKeptDrafts<{ readonly base: MemoryFileState; readonly text: string }>();

/** The draft of a file, and what can be done with it. */
function useDraft(file: MemoryFileState) {
  const { call } = useClient();
  const cache = useQueryClient();
  const { initial, keep } = useMemoryDraft(file.name);
  const [base, setBase] = useState(initial?.base ?? file);
  const [draft, setDraft] = useState(initial?.text ?? file.text);
  const [failure, setFailure] = useState<ErrorCode | null>(null);
  const [isSaving, setSaving] = useState(false);
  /** Hashes of the texts that were saved over, until the file is read again: it may be listed as it was before. */
  const [replaced, setReplaced] = useState<readonly (Hash | null)[]>([]);
  const isDirty = draft !== base.text;
  const isOther = file.hash !== base.hash && !replaced.includes(file.hash);
  const hasConflict = isDirty && isOther;
  useEffect(() => keep(isDirty ? { base, text: draft } : null));
  useEffect(() => {
    if (file.hash === base.hash && replaced.length > 0) setReplaced([]);
    if (isDirty || !isOther) return;
    setBase(file);
    setDraft(file.text);
  }, [file, base, isDirty, isOther, replaced]);
  const save = async (before: MemoryFileState): Promise<void> => {
    setSaving(true);
    const answer = await call("memory.write", { file: file.name, text: draft, before: before.hash });
    if (!answer.ok) {
      setReplaced([]);
      // A choice between two texts is offered once the text on disk is known.
      await invalidateCommands(cache, ["memory."]);
      setSaving(false);
      setFailure(answer.error.code);
      return;
    }
    setSaving(false);
    setFailure(null);
    setBase(answer.value);
    setReplaced((earlier) => [...earlier, before.hash]);
    // Text typed while the draft was saved stays.
    setDraft((now) => (now === draft ? answer.value.text : now));
    await invalidateCommands(cache, ["memory."]);
  };
  const revert = (to: MemoryFileState): void => {
    setBase(to);
    setDraft(to.text);
    setFailure(null);
  };
  return { base, draft, setDraft, failure, isDirty, isSaving, hasConflict, save, revert };
}

export function MemoryEditor({ file, title, folder }: MemoryEditorProps) {
  const messages = useFullMessages();
  const { memory: text, figures } = messages;
  const { base, draft, setDraft, failure, isDirty, isSaving, hasConflict, save, revert } = useDraft(file);
  const area = useRef<HTMLTextAreaElement>(null);
  /** By keyboard the focus goes to the text: the button will be disabled or gone. */
  const onPress =
    (work: () => unknown) =>
    ({ detail }: { readonly detail: number }): void => {
      if (detail === 0) area.current?.focus();
      work();
    };
  if (file.error !== undefined && !isDirty) return <p role="alert">{problemText(file.error.code, messages)}</p>;
  return (
    <div className="grid gap-2">
      <TextArea
        ref={area}
        rows={Math.min(16, Math.max(5, draft.split("\n").length + 1))}
        value={draft}
        aria-label={text.edit(title)}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          if (isDirty && !hasConflict && !isSaving) void save(base);
        }}
      />
      <p role="alert" className="text-danger empty:hidden">
        {hasConflict ? text.conflict : failure !== null && isDirty ? problemText(failure, messages) : null}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {/* Stays in its place: a press that was meant for it must not choose between two texts. */}
        <Button
          look="primary"
          busy={isSaving && !hasConflict}
          disabled={!isDirty || hasConflict}
          onClick={onPress(() => save(base))}
        >
          {text.save}
        </Button>
        {hasConflict ? (
          <>
            <Button onClick={onPress(() => revert(file))}>{text.reload}</Button>
            <Button look="danger" busy={isSaving} onClick={onPress(() => save(file))}>
              {text.replace}
            </Button>
          </>
        ) : (
          isDirty && (
            <Button look="quiet" onClick={onPress(() => revert(base))}>
              {text.revert}
            </Button>
          )
        )}
        <span className="ml-auto text-small text-ink-muted tabular-nums">
          {text.tokens(figures.tokens(estimateTokens(draft)))}
        </span>
      </div>
      <p className="text-small text-ink-faint [overflow-wrap:anywhere]">{`${folder}/${file.name}`}</p>
    </div>
  );
}
