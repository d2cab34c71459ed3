"use client";
/** Facts about the repository that a commit depends on. */
import type { CommitFacts } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../../messages/full-messages";

interface CommitNotesProps {
  readonly facts: CommitFacts | undefined;
  readonly isAmend: boolean;
  readonly isSigned: boolean;
  readonly hasConflicts: boolean;
}

export function CommitNotes({ facts, isAmend, isSigned, hasConflicts }: CommitNotesProps) {
  const { commit: text } = useFullMessages();
  const notes = [
    hasConflicts ? text.resolveFirst : "",
    facts?.identity === null ? text.noIdentity : "",
    isAmend && facts?.lastIsPushed === true ? text.isPushed : "",
    isSigned ? text.willSignOff : "",
  ].filter((note) => note !== "");
  return notes.map((note) => (
    <p key={note} className="text-small text-pretty text-ink-muted">
      {note}
    </p>
  ));
}
