"use client";
/** Memory tab: the files that new sessions are given, the diary, and the text that results from them. */
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { MemoryState } from "@/lib/tools/memory";
import type { Project } from "@/lib/workspace/project";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { SettingGroup } from "../fields/setting-row";
import { Setting } from "../fields/setting";
import { LoadedQuery, ProjectHeader, useShownProject } from "../item-section/project-section";
import type { SettingsSectionContext } from "../item-section/settings-section";
import { DiaryCalendar } from "./diary-calendar";
import { memoryRefresh } from "./memory-refresh";
import { MemoryFile } from "./memory-file";
import { MemoryStartText } from "./memory-start-text";
import { CallError } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";

export function MemoryTab({ projects }: SettingsSectionContext) {
  const { memory: text } = useFullMessages();
  const shown = useShownProject(projects);
  const { project } = shown;
  return (
    <>
      <div className="mb-4">
        <ProjectHeader title={text.title} about={text.about} shown={shown} />
      </div>
      <div className="mb-8 divide-y divide-line border-y border-line">
        <Setting name="memory" />
        <Setting name="diary" />
      </div>
      {project === undefined ? <p>{text.noProject}</p> : <ProjectMemory key={project.id} project={project} />}
    </>
  );
}

function ProjectMemory({ project }: { readonly project: Project }) {
  const { memory: text } = useFullMessages();
  const [window, setWindow] = useState<number | null>(null);
  const query = useCommandQuery(
    "memory.state",
    { projectId: project.id, ...(window === null ? {} : { window }) },
    { ...memoryRefresh, placeholderData: keepPreviousData },
  );
  const failed = readSilence(query.error, text) ?? text.failed;
  return (
    <>
      {query.isError && query.data !== undefined && (
        <p role="alert" className="mb-4 max-w-[68ch]">
          {failed}
        </p>
      )}
      <LoadedQuery query={query} failed={failed}>
        {(state) => <LoadedMemory state={state} onWindow={setWindow} />}
      </LoadedQuery>
    </>
  );
}

/** Returns what is said of a folder that did not answer; null = the error is another one. */
function readSilence(error: Error | null, text: FullMessages["memory"]): string | null {
  if (!(error instanceof CallError) || error.error.code !== "timeout") return null;
  const { path, seconds } = error.error.facts ?? {};
  return text.noAnswer(String(path), String(seconds));
}

interface LoadedMemoryProps {
  readonly state: MemoryState;
  readonly onWindow: (window: number) => void;
}

function LoadedMemory({ state, onWindow }: LoadedMemoryProps) {
  const { memory: text } = useFullMessages();
  return (
    <>
      <SettingGroup title={text.files}>
        {state.files.map((file) => (
          <MemoryFile key={file.name} file={file} folder={state.folder} start={state.start} />
        ))}
      </SettingGroup>
      <DiaryCalendar days={state.days} folder={state.folder} />
      <MemoryStartText start={state.start} onWindow={onWindow} />
    </>
  );
}
