"use client";
/** Tools tab: the MCP servers of a project, or the page of one server. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { McpState } from "@/lib/tools/mcp";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { Skeleton } from "../../ui/indicators/skeleton";
import { BackLink } from "../back-link";
import { useOpenItem } from "../open-item";
import type { SettingsSectionContext } from "../settings-sections";
import { AddServers } from "./add/add-servers";
import { FileProblems } from "./file-problems";
import { mcpQuery } from "./mcp-queries";
import { parseServerAddress } from "./server-address";
import { ServerList } from "./server-list";
import { ServerPage } from "./server/server-page";

export function ToolsTab({ projects }: SettingsSectionContext) {
  const { mcp: text } = useFullMessages();
  const openProject = useStore(useClient().workbench, ({ projectId }) => projectId);
  const [chosen, setChosen] = useState<Project["id"] | null>(null);
  const opened = parseServerAddress(useOpenItem());
  const project =
    [opened?.projectId, chosen, openProject].flatMap((id) => projects.filter((one) => one.id === id))[0] ?? projects[0];
  if (project !== undefined && opened !== null)
    return (
      <>
        <BackLink label={text.back} />
        <OpenServer id={opened.serverId} project={project} />
      </>
    );
  return (
    <section aria-label={text.title} className="mb-8 grid gap-4">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="mb-1 text-title font-semibold">{text.title}</h2>
          <p className="max-w-[68ch] text-ink-muted">{text.about}</p>
        </div>
        {project !== undefined && projects.length > 1 && (
          <Select
            aria-label={text.project}
            value={String(project.id)}
            options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(id) => setChosen(projects.find((one) => one.id === id)?.id ?? null)}
            className="max-w-52"
          />
        )}
      </div>
      {project === undefined ? <p>{text.noProject}</p> : <Servers key={project.id} project={project} />}
    </section>
  );
}

/** The state, or what is shown in its place. */
function useServers(project: Project) {
  const messages = useFullMessages();
  const query = useQuery(mcpQuery(useClient().call, project.id));
  const instead = query.isError ? (
    <p role="alert" className="flex flex-wrap items-center gap-3">
      {messages.mcp.failed}
      <Button size="small" onClick={() => void query.refetch()}>
        {messages.common.retry}
      </Button>
    </p>
  ) : (
    <Skeleton label={messages.common.loading} className="h-24" />
  );
  return { state: query.data, instead };
}

function Servers({ project }: { readonly project: Project }) {
  const { state, instead } = useServers(project);
  return state === undefined ? instead : <LoadedServers state={state} project={project} />;
}

function LoadedServers({ state, project }: { readonly state: McpState; readonly project: Project }) {
  const { mcp: text } = useFullMessages();
  const isEmpty = state.servers.length === 0;
  return (
    <>
      <FileProblems problems={state.problems} />
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

function OpenServer({ id, project }: { readonly id: string; readonly project: Project }) {
  const { mcp: text } = useFullMessages();
  const { state, instead } = useServers(project);
  if (state === undefined) return instead;
  const server = state.servers.find((one) => one.id === id);
  return server === undefined ? <p>{text.missing}</p> : <ServerPage key={id} server={server} project={project} />;
}
