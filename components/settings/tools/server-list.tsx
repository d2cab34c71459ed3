"use client";
/** List of the servers that a project can use; a row opens the server's page. */
import { ChevronRight } from "lucide-react";
import type { McpServerView } from "@/lib/tools/mcp";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { formatItemAddress } from "../item-section/open-item";
import { OpenItemButton } from "../item-section/open-item-button";
import { SourceId } from "../item-section/source-id";
import { mcpErrorText } from "./mcp-error-text";
import { ServerDot, ServerStatus } from "./server-status";
import { changedTools, fileInProject, toolSumText } from "./server-texts";
import { ItemList } from "../item-section/item-section";

interface ServerListProps {
  readonly servers: readonly McpServerView[];
  readonly project: Project;
}

export function ServerList({ servers, project }: ServerListProps) {
  const { mcp: text } = useFullMessages();
  return (
    <ItemList label={text.servers}>
      {servers.map((server) => (
        <ServerRow key={server.id} server={server} project={project} />
      ))}
    </ItemList>
  );
}

function ServerRow({ server, project }: { readonly server: McpServerView; readonly project: Project }) {
  const messages = useFullMessages();
  const { mcp: text, common } = messages;
  const { id, name, status, error } = server;
  const waiting = changedTools(server.tools).length;
  const origin = server.isOfProject ? text.ofProject(fileInProject(server.file, project.path)) : text.allProjects;
  const facts = [toolSumText(server, messages), origin].filter((fact) => fact !== "");
  return (
    <li className="relative flex items-center gap-3 py-2.5 pr-2.5 pl-3.5 transition-colors hover:bg-hover">
      <div className="grid min-w-0 flex-1 grid-cols-[auto_1fr] items-center gap-x-2.5 gap-y-0.5">
        <ServerDot status={status} />
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <OpenItemButton item={formatItemAddress("mcp", project.id, id)} title={name} className="cut">
            <VisibleText text={name} names={common.hidden} />
          </OpenItemButton>
          <SourceId id={id} name={name} />
          {waiting > 0 && <Chip tone="ask">{text.waiting(waiting)}</Chip>}
        </p>
        <p className="col-start-2 text-small text-ink-muted tabular-nums [overflow-wrap:anywhere]">
          <span className={status === "unapproved" ? "text-ask" : status === "failed" ? "text-danger" : undefined}>
            <ServerStatus server={server} />
          </span>
          {facts.map((fact) => ` · ${fact}`)}
        </p>
        {error !== undefined && (
          <p className="col-start-2 text-small text-danger [overflow-wrap:anywhere]">
            <VisibleText text={mcpErrorText(error, messages)} names={common.hidden} />
          </p>
        )}
      </div>
      <Icon of={ChevronRight} className="text-ink-faint" />
    </li>
  );
}
