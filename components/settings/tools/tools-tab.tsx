"use client";
/** Tools tab: the MCP servers of a project and the APIs, or the page of one of them. */
import type { McpState } from "@/lib/tools/mcp";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";
import { BackLink } from "../back-link";
import { parseApiAddress } from "../openapi/api-address";
import { ApiSection, OpenApi } from "../openapi/api-section";
import { useOpenItem } from "../open-item";
import { LoadedQuery, ProjectHeader, useShownProject } from "../project-section";
import type { SettingsSectionContext } from "../settings-section";
import { AddServers } from "./add/add-servers";
import { FileProblems } from "./file-problems";
import { OwnTools } from "./own-tools";
import { parseServerAddress } from "./server-address";
import { ServerList } from "./server-list";
import { fileInProject } from "./server-texts";
import { ServerPage } from "./server/server-page";
import { useCommandQuery } from "../../state/use-command-query";

export function ToolsTab({ projects }: SettingsSectionContext) {
  const { mcp: text } = useFullMessages();
  const item = useOpenItem();
  const opened = parseServerAddress(item);
  const openedApi = parseApiAddress(item);
  const shown = useShownProject(projects, opened?.projectId);
  const { project } = shown;
  if (openedApi !== null)
    return (
      <>
        <BackLink label={text.back} />
        <OpenApi id={openedApi} />
      </>
    );
  if (project !== undefined && opened !== null)
    return (
      <>
        <BackLink label={text.back} />
        <OpenServer id={opened.serverId} project={project} />
      </>
    );
  return (
    <>
      <section aria-label={text.title} className="mb-8 grid gap-4">
        <ProjectHeader title={text.title} about={text.about} projects={projects} {...shown} />
        {project === undefined ? <p>{text.noProject}</p> : <Servers key={project.id} project={project} />}
      </section>
      <ApiSection />
      {project !== undefined && <OwnTools key={project.id} project={project} />}
    </>
  );
}

const useServers = (project: Project) => useCommandQuery("mcp.state", { projectId: project.id });

function Servers({ project }: { readonly project: Project }) {
  const { mcp: text } = useFullMessages();
  return (
    <LoadedQuery query={useServers(project)} failed={text.failed}>
      {(state) => <LoadedServers state={state} project={project} />}
    </LoadedQuery>
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

function OpenServer({ id, project }: { readonly id: string; readonly project: Project }) {
  const { mcp: text } = useFullMessages();
  return (
    <LoadedQuery query={useServers(project)} failed={text.failed}>
      {({ servers }) => {
        const server = servers.find((one) => one.id === id);
        return server === undefined ? <p>{text.missing}</p> : <ServerPage key={id} server={server} project={project} />;
      }}
    </LoadedQuery>
  );
}
