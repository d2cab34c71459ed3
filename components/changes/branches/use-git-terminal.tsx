"use client";
/** Work of git in a terminal, with the question whether the repository's programs may run there. */
import { type ReactNode, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { GitTerminalLine, TerminalWork } from "@/lib/workspace/source-refs";
import { useFullMessages } from "../../messages/full-messages";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { useSourceChange } from "../source/use-source-change";

interface GitTerminal {
  readonly isBusy: boolean;
  readonly begin: (work: TerminalWork) => void;
  /** The dialog with the question, while it is request. */
  readonly question: ReactNode;
}

export function useGitTerminal(projectId: ProjectId): GitTerminal {
  const { gitRefs: text } = useFullMessages();
  const { isBusy, perform, runLine } = useSourceChange(projectId);
  const [request, setRequest] = useState<
    (Extract<GitTerminalLine, { kind: "ask" }> & { readonly work: TerminalWork }) | null
  >(null);
  const begin = async (work: TerminalWork, allowed: object = {}): Promise<void> => {
    setRequest(null);
    const answer = await perform("source.terminal_line", { projectId, work, ...allowed });
    if (answer?.kind === "ask") setRequest({ ...answer, work });
    else if (answer !== undefined) await runLine(answer);
  };
  return {
    isBusy,
    begin: (work) => void begin(work),
    question: request !== null && (
      <ConfirmDialog
        title={text.programsTitle}
        yes={text.runPrograms}
        onYes={() => void begin(request.work, { allowed: request.hash })}
        onClose={() => setRequest(null)}
      >
        <p className="text-pretty">{text.programs}</p>
        <p className="font-mono text-code [overflow-wrap:anywhere]">{request.programs.join(", ")}</p>
      </ConfirmDialog>
    ),
  };
}
