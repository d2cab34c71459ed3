/** Servers to choose from: name, whole command, variables, secrets, and why one cannot be added. */
import type { McpCandidate } from "@/lib/tools/mcp";
import { useFullMessages } from "../../../messages/full-messages";
import { VisibleText } from "../../../ui/text/visible-text";
import { mcpErrorText } from "../mcp-error-text";
import { launchText } from "../server-texts";
import { ItemList } from "../../item-section/item-section";

interface CandidateListProps {
  readonly candidates: readonly McpCandidate[];
  /** Names that are not chosen. */
  readonly leftOut: ReadonlySet<string>;
  readonly onChoose: (name: string, isChosen: boolean) => void;
}

export function CandidateList({ candidates, leftOut, onChoose }: CandidateListProps) {
  const { mcp: text } = useFullMessages();
  return (
    <ItemList label={text.found}>
      {candidates.map((candidate, index) => (
        <li key={index}>
          <CandidateRow
            candidate={candidate}
            isChosen={candidate.error === undefined && !leftOut.has(candidate.name)}
            onChosen={(isChosen) => onChoose(candidate.name, isChosen)}
          />
        </li>
      ))}
    </ItemList>
  );
}

interface CandidateRowProps {
  readonly candidate: McpCandidate;
  readonly isChosen: boolean;
  readonly onChosen: (isChosen: boolean) => void;
}

function CandidateRow({ candidate, isChosen, onChosen }: CandidateRowProps) {
  const messages = useFullMessages();
  const { mcp: text, common } = messages;
  const { name, from, launch, secrets, error } = candidate;
  const namesText = launch.address === undefined ? text.candidateVariables : text.candidateHeaders;
  const line = launchText(launch);
  const notes = [
    ...(launch.variables.length === 0 ? [] : [namesText(launch.variables.join(", "))]),
    ...(secrets.length === 0 ? [] : [text.secrets(secrets.length, secrets.join(", "))]),
  ];
  return (
    <label className="flex gap-3 px-3.5 py-2.5">
      <input
        type="checkbox"
        aria-label={text.choose(name)}
        checked={isChosen}
        disabled={error !== undefined}
        onChange={(event) => onChosen(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="grid min-w-0 flex-1 gap-0.5 [overflow-wrap:anywhere]">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">
            <VisibleText text={name} names={common.hidden} />
          </span>
          {from !== "text" && <span className="text-small text-ink-muted">{from}</span>}
        </span>
        {line !== "" && (
          <code className="font-mono text-code whitespace-pre-wrap text-ink-muted">
            <VisibleText text={line} names={common.hidden} />
          </code>
        )}
        {notes.map((note) => (
          <span key={note} className="text-small text-ink-muted">
            <VisibleText text={note} names={common.hidden} />
          </span>
        ))}
        {error !== undefined && (
          <span className="text-small text-danger">
            <VisibleText text={mcpErrorText(error, messages)} names={common.hidden} />
          </span>
        )}
      </span>
    </label>
  );
}
