"use client";
/** Tools that are new, changed or gone since the approval: what has changed, and the decision. */
import { useMemo, useState } from "react";
import type { McpToolView } from "@/lib/tools/mcp";
import type { ToolDefinition } from "@/lib/tools/tool-definitions";
import { useFullMessages } from "../../../messages/full-messages";
import { joinSentences } from "../../../messages/join-sentences";
import { LazyDiffView } from "../../../ui/code/lazy-diff-view";
import { Button } from "../../../ui/controls/button";
import { Chip } from "../../../ui/indicators/chip";
import { VisibleText } from "../../../ui/text/visible-text";
import { Disclosure } from "../../item-section/disclosure";
import { diffDefinitions, formatParameters } from "./definition-diff";
import { ForeignText, Quote } from "../../item-section/foreign-text";
import type { ServerPartProps } from "./server-page";
import { changedTools, unapprovedTools } from "../server-texts";
import { useChange } from "../../../state/use-change";
import { mcpErrorText } from "../mcp-error-text";

/** Nothing while the list is as approved. */
export function ChangedTools({ server, project }: ServerPartProps) {
  const messages = useFullMessages();
  const { mcp: text } = messages;
  const { perform } = useChange("toast", mcpErrorText);
  const [busy, setBusy] = useState<readonly string[]>([]);
  const changed = changedTools(server.tools);
  const unapproved = unapprovedTools(server.tools);
  if (changed.length === 0) return null;
  const accept = async (tools: readonly McpToolView[]): Promise<void> => {
    setBusy(tools.map(({ ownName }) => ownName));
    const shown = tools.map(({ ownName: name, hash }) => ({ name, hash }));
    await perform("mcp.accept", { projectId: project.id, server: server.id, tools: shown });
    setBusy([]);
  };
  return (
    <section aria-label={text.changesTitle} className="overflow-hidden rounded-card border border-ask/60 bg-raised">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-ask/40 bg-ask-soft py-2 pr-2.5 pl-3.5">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="font-medium">{text.changesTitle}</h3>
          <p className="text-small text-ink-muted">{joinSentences(messages, [text.changesNote, text.quoteNote])}</p>
        </div>
        {unapproved.length > 1 && (
          <Button size="small" busy={busy.length > 1} onClick={() => void accept(unapproved)}>
            {text.approveAll(unapproved.length)}
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line">
        {changed.map((tool) => (
          <ChangedTool
            key={tool.ownName}
            tool={tool}
            busy={busy.includes(tool.ownName)}
            onAccept={() => void accept([tool])}
          />
        ))}
      </ul>
    </section>
  );
}

interface ChangedToolProps {
  readonly tool: McpToolView;
  readonly busy: boolean;
  readonly onAccept: () => void;
}

function ChangedTool({ tool, busy, onAccept }: ChangedToolProps) {
  const { mcp: text, common, figures } = useFullMessages();
  const { ownName, status, approved, definition, tokens } = tool;
  if (status !== "new" && status !== "changed" && status !== "gone") return null;
  const action = { new: text.approveTool, changed: text.approveChange, gone: text.forget }[status];
  return (
    <li className="grid gap-2 py-2.5 pr-2.5 pl-3.5 *:min-w-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="flex min-w-0 flex-1 basis-48 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="font-mono text-code font-medium [overflow-wrap:anywhere]">
            <VisibleText text={ownName} names={common.hidden} />
          </span>
          <Chip tone={status === "gone" ? "plain" : "ask"}>{text.toolStatuses[status]}</Chip>
          {status !== "gone" && (
            <span className="text-small text-ink-muted tabular-nums">{text.tokens(figures.tokens(tokens))}</span>
          )}
        </p>
        <Button size="small" busy={busy} aria-label={text.actOn(action, ownName)} onClick={onAccept}>
          {action}
        </Button>
      </div>
      {status === "gone" && <p className="text-small text-ink-muted">{text.goneNote}</p>}
      {status === "new" && (
        <>
          {definition.description !== "" && (
            <Quote
              text={definition.description}
              className="block max-h-60 overflow-auto whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]"
            />
          )}
          <Disclosure title={text.parameters}>
            <ForeignText mono text={formatParameters(definition.parameters)} label={text.parameters} />
          </Disclosure>
        </>
      )}
      {status === "changed" && approved !== undefined && (
        <DefinitionChange name={ownName} approved={approved} current={definition} />
      )}
    </li>
  );
}

interface DefinitionChangeProps {
  readonly name: string;
  readonly approved: ToolDefinition;
  readonly current: ToolDefinition;
}

export function DefinitionChange({ name, approved, current }: DefinitionChangeProps) {
  const { mcp: text, common } = useFullMessages();
  const { description, parameters } = useMemo(() => diffDefinitions(approved, current), [approved, current]);
  const parts = [
    { label: text.description, hunks: description, path: "description.txt" },
    { label: text.parameters, hunks: parameters, path: "parameters.json" },
  ];
  return parts.map(
    ({ label, hunks, path }) =>
      hunks.length > 0 && (
        <div key={path} className="grid gap-1">
          <h4 className="text-small text-ink-muted">{label}</h4>
          <div className="overflow-hidden rounded-card border border-line">
            <LazyDiffView
              hunks={hunks}
              path={path}
              names={common.hidden}
              label={text.changeOf(label, name)}
              wraps
              className="max-h-96"
            />
          </div>
        </div>
      ),
  );
}
