"use client";
/** Tools tab: the MCP servers of a project and the APIs, or the page of one of them. */
import { skipToken } from "@tanstack/react-query";
import type { McpServerView, McpState } from "@/lib/tools/mcp";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { ProjectItemSection } from "../item-section/item-section";
import { ApiSection } from "../openapi/api-section";
import { parseItemAddress, useOpenItem } from "../item-section/open-item";
import { useShownProject } from "../item-section/project-section";
import type { SettingsSectionContext } from "../item-section/settings-section";
import { AddServers } from "./add/add-servers";
import { FileProblems } from "./file-problems";
import { OwnTools } from "./own-tools";
import { ServerList } from "./server-list";
import { fileInProject } from "./server-texts";
import { ServerPage } from "./server/server-page";
import { useCommandQuery } from "../../state/use-command-query";

export function ToolsTab({ projects }: SettingsSectionContext) {
  const { mcp: text } = useFullMessages();
  const shown = useShownProject(projects, "mcp");
  const { project } = shown;
  const openedApi = parseItemAddress("api", useOpenItem());
  const query = useCommandQuery("mcp.state", openedApi === null ? shown.input : skipToken);
  if (openedApi !== null) return <ApiSection opened={openedApi} />;
  return (
    <>
      <ProjectItemSection<McpState, McpServerView>
        text={text}
        about={text.about}
        shown={shown}
        query={query}
        items={({ servers }) => servers}
        addressOf={({ id }) => id}
        list={(state, one) => <LoadedServers state={state} project={one} />}
        page={(server, one) => <ServerPage server={server} project={one} />}
      />
      {shown.opened === null && <ApiSection opened={null} />}
      {shown.opened === null && project !== undefined && <OwnTools key={project.id} project={project} />}
    </>
  );
}

function LoadedServers({ state, project }: { readonly state: McpState; readonly project: Project }) {
  const { mcp: text } = useFullMessages();
  const isEmpty = state.servers.length === 0;
  return (
    <>
      <FileProblems problems={state.problems} />
      {state.untrusted !== undefined && <UntrustedFiles files={state.untrusted} project={project} />}
      {isEmpty ? (
        <div className="grid gap-3 rounded-card border border-line bg-raised p-5">
          <div>
            <h3 className="font-medium">{text.empty}</h3>
            <p className="max-w-[60ch] text-ink-muted">{text.emptyNote}</p>
          </div>
          <AddServers project={project} isMain />
        </div>
      ) : (
        <>
          <ServerList servers={state.servers} project={project} />
          <AddServers project={project} />
        </>
      )}
    </>
  );
}

/** The servers of a project's files are not read before the user trusts it. */
function UntrustedFiles({ files, project }: { readonly files: readonly string[]; readonly project: Project }) {
  const { mcp: text, common } = useFullMessages();
  return (
    <p className="max-w-[68ch] rounded-card border border-line bg-raised px-3.5 py-3 [overflow-wrap:anywhere]">
      <VisibleText
        text={text.untrusted(files.map((file) => fileInProject(file, project.path)).join(", "))}
        names={common.hidden}
      />
    </p>
  );
}
