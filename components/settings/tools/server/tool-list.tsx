"use client";
/** The approved tools of a server: switch, pin, tokens, and on demand the whole definition. */
import { ChevronRight, Pin } from "lucide-react";
import { useId, useState } from "react";
import type { McpToolView } from "@/lib/tools/mcp";
import { useFullMessages } from "../../../messages/full-messages";
import { joinSentences } from "../../../messages/join-sentences";
import { IconButton } from "../../../ui/controls/icon-button";
import { Switch } from "../../../ui/controls/switch";
import { Chip } from "../../../ui/indicators/chip";
import { Icon } from "../../../ui/indicators/icon";
import { VisibleText } from "../../../ui/text/visible-text";
import { classes } from "../../../ui/theme/classes";
import { formatParameters } from "./definition-diff";
import { ForeignText, Quote } from "../foreign-text";
import type { ServerPartProps } from "./server-page";
import { changedTools } from "../server-texts";
import { useChangeServers } from "../use-change-servers";

export function ToolList({ server, project }: ServerPartProps) {
  const messages = useFullMessages();
  const { mcp: text } = messages;
  const change = useChangeServers();
  const changed = new Set(changedTools(server.tools));
  const tools = server.tools.filter((tool) => !changed.has(tool));
  const set = (tool: string, patch: { readonly isOff?: boolean; readonly isPinned?: boolean }): void =>
    void change("mcp.set_tool", { projectId: project.id, server: server.id, tool, ...patch });
  if (tools.length === 0 && changed.size > 0) return null;
  return (
    <section aria-label={text.tools} className="grid gap-2">
      <h3 className="font-semibold">{text.tools}</h3>
      {tools.length === 0 ? (
        <p className="text-ink-muted">
          {server.status === "unapproved" || server.status === "starting" ? text.noTools : text.noneOffered}
        </p>
      ) : (
        <>
          <p className="max-w-[68ch] text-small text-ink-muted">
            {joinSentences(messages, [text.switchNote, text.quoteNote])}
          </p>
          <ul
            aria-label={text.tools}
            className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
          >
            {tools.map((tool) => (
              <ToolRow key={tool.ownName} tool={tool} onSet={(patch) => set(tool.ownName, patch)} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface ToolRowProps {
  readonly tool: McpToolView;
  readonly onSet: (patch: { readonly isOff?: boolean; readonly isPinned?: boolean }) => void;
}

function ToolRow({ tool, onSet }: ToolRowProps) {
  const { mcp: text, common, figures } = useFullMessages();
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  const { ownName, status, detail, definition, isPinned, tokens } = tool;
  const isUnusable = status === "unusable";
  return (
    <li className="py-2 pr-3.5 pl-2">
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-control py-0.5 text-left max-tablet:min-h-11"
        >
          <Icon
            of={ChevronRight}
            size={14}
            className={classes("text-ink-faint transition-transform", isOpen && "rotate-90")}
          />
          <span className="grid min-w-0 flex-1">
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <span
                className={classes(
                  "font-mono text-code font-medium [overflow-wrap:anywhere]",
                  status !== "ready" && "text-ink-muted",
                )}
              >
                <VisibleText text={ownName} names={common.hidden} />
              </span>
              {isUnusable ? (
                <Chip tone="danger">{text.unusable}</Chip>
              ) : (
                <span className="text-small text-ink-muted tabular-nums">{text.tokens(figures.tokens(tokens))}</span>
              )}
            </span>
            {!isOpen && definition.description !== "" && (
              <Quote text={firstLine(definition.description)} className="cut text-small text-ink-muted" />
            )}
          </span>
        </button>
        {!isUnusable && (
          <>
            <IconButton
              icon={Pin}
              on={isPinned}
              name={isPinned ? text.unpinTool(ownName) : text.pinTool(ownName)}
              onClick={() => onSet({ isPinned: !isPinned })}
            />
            <Switch
              aria-label={text.useTool(ownName)}
              on={status === "ready"}
              onChange={(on) => onSet({ isOff: !on })}
              className="ml-2"
            />
          </>
        )}
      </div>
      {isUnusable && detail !== undefined && (
        <p className="pl-5 text-small text-danger [overflow-wrap:anywhere]">
          <VisibleText text={detail} names={common.hidden} />
        </p>
      )}
      {isOpen && <ToolDefinitionText id={detailsId} tool={tool} />}
    </li>
  );
}

function ToolDefinitionText({ id, tool: { definition } }: { readonly id: string; readonly tool: McpToolView }) {
  const { mcp: text } = useFullMessages();
  return (
    <div id={id} className="grid gap-2 pt-1 pb-2 pl-5 *:min-w-0">
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
    </div>
  );
}

const maxLineChars = 300;

/** A row shows one line; a description may have any length. */
const firstLine = (text: string): string => (text.trimStart().split("\n", 1)[0] ?? "").slice(0, maxLineChars);
