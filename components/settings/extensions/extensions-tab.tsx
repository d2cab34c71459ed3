"use client";
/** Extensions tab: the extensions of a project and of all projects, or the page of one. */
import type { ExtensionPlaceView, ExtensionsState, ExtensionView } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { useShownProject } from "../item-section/project-section";
import type { SettingsSectionContext } from "../item-section/settings-section";
import { UnreadableFile } from "../item-section/unreadable-file";
import { FolderPath } from "../item-section/folder-path";
import { ProjectItemSection } from "../item-section/item-section";
import { ExtensionList } from "./extension-list";
import { ExtensionPage } from "./extension-page";
import { NewExtension } from "./new-extension";
import { useCommandQuery } from "../../state/use-command-query";

export function ExtensionsTab({ projects }: SettingsSectionContext) {
  const { extensions: text } = useFullMessages();
  const shown = useShownProject(projects, "extension");
  const query = useCommandQuery("extensions.list", shown.input);
  return (
    <ProjectItemSection<ExtensionsState, ExtensionView>
      text={text}
      about={text.about}
      shown={shown}
      query={query}
      items={({ places }) => places.flatMap(({ extensions }) => extensions)}
      addressOf={({ path }) => path}
      list={(state, project) => (
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
      page={(extension, project) => <ExtensionPage extension={extension} project={project} />}
    />
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
          <h2 className="font-medium">{text.empty}</h2>
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
