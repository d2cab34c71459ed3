"use client";
/** The approved tools of a server: switch, pin, tokens, and on demand the whole definition. */
import type { McpToolView } from "@/lib/tools/mcp";
import { useFullMessages } from "../../../messages/full-messages";
import { joinSentences } from "../../../messages/join-sentences";
import { formatParameters } from "./definition-diff";
import { ForeignText, Quote } from "../../item-section/foreign-text";
import type { ServerPartProps } from "./server-page";
import { ToolTrialForm } from "../../trials/tool-trial";
import { changedTools } from "../server-texts";
import { type ToolChange, ToolRow } from "../tool-row";
import { useChange } from "../../../state/use-change";
import { mcpErrorText } from "../mcp-error-text";
import { ItemList } from "../../item-section/item-section";

export function ToolList({ server, project }: ServerPartProps) {
  const messages = useFullMessages();
  const { mcp: text } = messages;
  const { perform } = useChange("toast", mcpErrorText);
  const changed = new Set(changedTools(server.tools));
  const tools = server.tools.filter((tool) => !changed.has(tool));
  const set = (tool: string, patch: ToolChange): void =>
    void perform("mcp.set_tool", { projectId: project.id, server: server.id, tool, ...patch });
  if (tools.length === 0 && changed.size > 0) return null;
  return (
    <section aria-label={text.tools} className="grid gap-2">
      <h3 className="font-semibold">{text.tools}</h3>
      {server.listProblems?.map((problem) => (
        <p key={problem} className="max-w-[68ch] text-danger">
          {text.listProblems[problem]}
        </p>
      ))}
      {tools.length === 0 ? (
        <p className="text-ink-muted">
          {server.status === "unapproved" || server.status === "starting" ? text.noTools : text.noneOffered}
        </p>
      ) : (
        <>
          <p className="max-w-[68ch] text-small text-ink-muted">
            {joinSentences(messages, [text.switchNote, text.quoteNote])}
          </p>
          <ItemList label={text.tools}>
            {tools.map((tool) => (
              <ServerTool
                key={tool.ownName}
                project={project}
                tool={tool}
                onSet={(patch) => set(tool.ownName, patch)}
              />
            ))}
          </ItemList>
        </>
      )}
    </section>
  );
}

interface ServerToolProps extends Pick<ServerPartProps, "project"> {
  readonly tool: McpToolView;
  readonly onSet: (change: ToolChange) => void;
}

function ServerTool({ project, tool, onSet }: ServerToolProps) {
  const { ownName, status, detail = "", definition, isPinned, tokens } = tool;
  return (
    <ToolRow
      name={ownName}
      isOn={status === "ready"}
      isPinned={isPinned}
      tokens={tokens}
      problem={status === "unusable" ? detail : undefined}
      about={(isOpen) =>
        !isOpen &&
        definition.description !== "" && (
          <Quote text={firstLine(definition.description)} className="cut text-small text-ink-muted" />
        )
      }
      details={() => (
        <>
          <ToolDefinitionText tool={tool} />
          {status === "ready" && <ToolTrialForm projectId={project.id} tool={tool.name} />}
        </>
      )}
      onSet={onSet}
    />
  );
}

function ToolDefinitionText({ tool: { definition } }: { readonly tool: McpToolView }) {
  const { mcp: text } = useFullMessages();
  return (
    <>
      {definition.description !== "" && (
        <Quote
          text={definition.description}
          className="block max-h-60 overflow-auto whitespace-pre-wrap text-ink-muted [overflow-wrap:anywhere]"
        />
      )}
      <div className="grid gap-1">
        <h4 className="text-small text-ink-muted">{text.parameters}</h4>
        <ForeignText mono text={formatParameters(definition.parameters)} label={text.parameters} />
      </div>
    </>
  );
}

const maxLineChars = 300;

/** A row shows one line; a description may have any length. */
const firstLine = (text: string): string => (text.trimStart().split("\n", 1)[0] ?? "").slice(0, maxLineChars);
