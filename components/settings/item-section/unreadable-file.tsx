"use client";
/** Says at the top of a section that the file with what the user decided cannot be read, and what to do. */
import type { AgentError } from "@/lib/events/error";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";

interface UnreadableFileProps {
  /** Undefined = the file can be read. */
  readonly problem: AgentError | undefined;
  /** The sentences about the file at `path`. */
  readonly sentence: (path: string) => string;
}

export function UnreadableFile({ problem, sentence }: UnreadableFileProps) {
  const { common } = useFullMessages();
  if (problem === undefined) return null;
  return (
    <p role="alert" className="max-w-[68ch] rounded-card bg-danger-soft px-3.5 py-3 [overflow-wrap:anywhere]">
      <VisibleText text={sentence(problem.facts?.path ?? "")} names={common.hidden} />
    </p>
  );
}
