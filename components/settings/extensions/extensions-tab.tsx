"use client";
/** Extensions tab: the extensions of a project and of all projects, or the page of one. */
import type { ExtensionPlaceView, ExtensionsState } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { BackLink } from "../back-link";
import { useOpenItem } from "../open-item";
import { LoadedQuery, ProjectHeader, useShownProject } from "../project-section";
import type { SettingsSectionContext } from "../settings-section";
import { UnreadableFile } from "../unreadable-file";
import { FolderPath } from "../item-section/folder-path";
import { parseExtensionAddress } from "./extension-address";
import { ExtensionList } from "./extension-list";
import { ExtensionPage } from "./extension-page";
import { NewExtension } from "./new-extension";
import { useCommandQuery } from "../../state/use-command-query";

export function ExtensionsTab({ projects }: SettingsSectionContext) {
  const { extensions: text } = useFullMessages();
  const opened = parseExtensionAddress(useOpenItem());
  const shown = useShownProject(projects, opened?.projectId);
  const { project } = shown;
  if (project !== undefined && opened !== null)
    return (
      <>
        <BackLink label={text.back} />
        <OpenExtension path={opened.path} project={project} />
      </>
    );
  return (
    <section aria-label={text.title} className="mb-8 grid gap-5">
      <ProjectHeader title={text.title} about={text.about} projects={projects} {...shown} />
      {project === undefined ? <p>{text.noProject}</p> : <ProjectExtensionList key={project.id} project={project} />}
    </section>
  );
}

const useExtensions = (project: Project) => useCommandQuery("extensions.list", { projectId: project.id });

function ProjectExtensionList({ project }: { readonly project: Project }) {
  const { extensions: text } = useFullMessages();
  const query = useExtensions(project);
  return (
    <LoadedQuery query={query} failed={text.failed}>
      {(state) => (
        <>
          <div className="flex flex-wrap gap-2">
            <NewExtension project={project} />
            <Button look="quiet" busy={query.isFetching} onClick={() => void query.refetch()}>
              {text.reload}
            </Button>
          </div>
          <LoadedExtensions state={state} project={project} />
        </>
      )}
    </LoadedQuery>
  );
}

function LoadedExtensions({ state, project }: { readonly state: ExtensionsState; readonly project: Project }) {
  const { extensions: text } = useFullMessages();
  const { isTrusted, problem, places } = state;
  const titles: Readonly<Record<ExtensionPlaceView["kind"], string>> = { data: text.ofHome, project: text.ofProject };
  const home = places.find(({ kind }) => kind === "data");
  return (
    <>
      <UnreadableFile problem={problem} sentence={text.unreadable} />
      {!isTrusted && places.some(({ kind, exists }) => kind === "project" && exists) && (
        <p className="max-w-[68ch] rounded-card border border-line bg-raised px-3.5 py-3">{text.untrusted}</p>
      )}
      {places.every(({ extensions }) => extensions.length === 0) && home !== undefined && (
        <div className="grid gap-2 *:min-w-0">
          <h3 className="font-medium">{text.empty}</h3>
          <p className="max-w-[60ch] text-ink-muted">{text.emptyNote}</p>
          <FolderPath path={home.path} />
        </div>
      )}
      {places.map((place) => (
        <ExtensionList key={place.path} title={titles[place.kind]} place={place} project={project} />
      ))}
    </>
  );
}

function OpenExtension({ path, project }: { readonly path: string; readonly project: Project }) {
  const { extensions: text } = useFullMessages();
  return (
    <LoadedQuery query={useExtensions(project)} failed={text.failed}>
      {({ places }) => {
        const found = places.flatMap(({ extensions }) => extensions).find((one) => one.path === path);
        return found === undefined ? (
          <p>{text.missing}</p>
        ) : (
          <ExtensionPage key={path} extension={found} project={project} />
        );
      }}
    </LoadedQuery>
  );
}
