"use client";
/** Dialogs that list servers to choose from, of a pasted text or of other programs, and add the chosen ones. */
import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useId, useState } from "react";
import { type AgentError, anyFacts } from "@/lib/events/error";
import type { McpCandidate, McpFound } from "@/lib/tools/mcp";
import type { Project } from "@/lib/workspace/project";
import { type FullMessages, useFullMessages } from "../../../messages/full-messages";
import { joinSentences } from "../../../messages/join-sentences";
import { useClient } from "../../../state/client";
import { invalidateCommands } from "../../../state/command-query";
import { useCommandQuery } from "../../../state/use-command-query";
import { Button } from "../../../ui/controls/button";
import { TextArea } from "../../../ui/controls/text-area";
import { Dialog } from "../../../ui/overlays/dialog";
import { formatItemAddress, openItem } from "../../item-section/open-item";
import { CandidateList } from "./candidate-list";
import { FileProblems } from "../file-problems";
import { judgeCandidates } from "./judge-candidates";
import { mcpErrorText } from "../mcp-error-text";
import { useChange } from "../../../state/use-change";

interface AddDialogProps {
  readonly project: Project;
  readonly onClose: () => void;
}

export function PasteDialog({ project, onClose }: AddDialogProps) {
  const messages = useFullMessages();
  const { mcp: text } = messages;
  const { call } = useClient();
  const [typed, setTyped] = useState("");
  const pasted = useDeferredValue(typed.trim());
  const noteId = useId();
  const { data: answer } = useQuery({
    queryKey: ["mcp.find", { text: pasted }],
    queryFn: pasted === "" ? skipToken : () => call("mcp.find", { text: pasted }),
    retry: false,
    // It may contain secrets.
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const found = pasted === "" || answer?.ok !== true ? null : answer.value;
  const problem = pasted === "" || answer?.ok !== false ? null : answer.error;
  return (
    <ChooseDialog
      title={text.paste}
      project={project}
      text={pasted}
      candidates={found?.candidates ?? []}
      skipped={found?.skipped}
      onClose={onClose}
    >
      <p id={noteId} className="text-ink-muted">
        {text.pasteNote}
      </p>
      <TextArea
        rows={8}
        value={typed}
        aria-label={text.pasteField}
        aria-describedby={noteId}
        aria-invalid={problem !== null || undefined}
        placeholder={example}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p role="status" className="text-danger empty:hidden [overflow-wrap:anywhere]">
        {problem !== null && joinSentences(messages, [lineText(problem, text), mcpErrorText(problem, messages)])}
        {found?.candidates.length === 0 && text.noneFound}
      </p>
    </ChooseDialog>
  );
}

const lineText = (error: AgentError, text: FullMessages["mcp"]): string => {
  const { line } = anyFacts(error);
  return typeof line === "number" ? text.line(line) : "";
};

const example = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] }
  }
}`;

interface ImportDialogProps extends AddDialogProps {
  readonly candidates: readonly McpCandidate[];
  readonly skipped: McpFound["skipped"];
}

export function ImportDialog({ project, candidates, skipped, onClose }: ImportDialogProps) {
  const { mcp: text } = useFullMessages();
  return (
    <ChooseDialog title={text.importMany} project={project} candidates={candidates} skipped={skipped} onClose={onClose}>
      <p className="text-ink-muted">{text.importNote}</p>
    </ChooseDialog>
  );
}

interface ChooseDialogProps extends ImportDialogProps {
  readonly title: string;
  /** The pasted text; absent = the files of other programs. */
  readonly text?: string;
  readonly children: ReactNode;
}

/** All servers that can be added are chosen at first. */
function ChooseDialog({
  title,
  project,
  text: pasted,
  candidates: found,
  skipped,
  onClose,
  children,
}: ChooseDialogProps) {
  const { mcp: text, common } = useFullMessages();
  const { toasts } = useClient();
  const cache = useQueryClient();
  const { isBusy, perform } = useChange("toast", mcpErrorText);
  const state = useCommandQuery("mcp.state", { projectId: project.id }).data;
  const candidates = judgeCandidates(found, state?.servers ?? []);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const names = candidates.flatMap(({ name, error }) => (error === undefined && !leftOut.has(name) ? [name] : []));
  const choose = (name: string, isChosen: boolean): void =>
    setLeftOut(new Set(isChosen ? [...leftOut].filter((one) => one !== name) : [...leftOut, name]));
  const add = async (): Promise<void> => {
    const next = await perform("mcp.add", { projectId: project.id, text: pasted, names });
    if (next === undefined) return;
    void invalidateCommands(cache, ["mcp.find"]);
    toasts.show({ text: text.added(names.length) });
    onClose();
    const added = next.servers.filter(({ name, isOfProject }) => !isOfProject && names.includes(name));
    if (added.length === 1 && added[0] !== undefined) openItem(formatItemAddress("mcp", project.id, added[0].id));
  };
  return (
    <Dialog
      wide
      title={title}
      closeName={common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" busy={isBusy} disabled={names.length === 0} onClick={() => void add()}>
            {names.length === 0 ? text.addNone : text.add(names.length)}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 *:min-w-0">
        {children}
        {candidates.length > 0 && <CandidateList candidates={candidates} leftOut={leftOut} onChoose={choose} />}
        <FileProblems title={text.skippedServers} problems={skipped ?? []} />
      </div>
    </Dialog>
  );
}
