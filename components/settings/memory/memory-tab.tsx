"use client";
/** Memory tab: the files that new sessions are given, the diary, and the text that results from them. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { MemoryState } from "@/lib/tools/memory";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { Skeleton } from "../../ui/indicators/skeleton";
import { SettingGroup } from "../fields/setting-row";
import { SwitchSetting } from "../fields/switch-setting";
import type { SettingsSectionContext } from "../settings-sections";
import { DiaryCalendar } from "./diary-calendar";
import { MemoryFile } from "./memory-file";
import { memoryQuery } from "./memory-queries";
import { MemoryStartText } from "./memory-start-text";

export function MemoryTab({ projects }: SettingsSectionContext) {
  const { memory: text } = useFullMessages();
  const openProject = useStore(useClient().workbench, ({ projectId }) => projectId);
  const [chosen, setChosen] = useState<Project["id"] | null>(null);
  const project = [chosen, openProject].flatMap((id) => projects.filter((one) => one.id === id))[0] ?? projects[0];
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start gap-x-6 gap-y-3">
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
      <div className="mb-8 divide-y divide-line border-y border-line">
        <SwitchSetting name="memory" />
        <SwitchSetting name="diary" />
      </div>
      {project === undefined ? <p>{text.noProject}</p> : <ProjectMemory key={project.id} project={project} />}
    </>
  );
}

function ProjectMemory({ project }: { readonly project: Project }) {
  const messages = useFullMessages();
  const [window, setWindow] = useState<number | null>(null);
  const query = useQuery(memoryQuery(useClient().call, project.id, window));
  if (query.isError)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3">
        {messages.memory.failed}
        <Button size="small" onClick={() => void query.refetch()}>
          {messages.common.retry}
        </Button>
      </p>
    );
  if (query.data === undefined) return <Skeleton label={messages.common.loading} className="h-40" />;
  return <LoadedMemory state={query.data} onWindow={setWindow} />;
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
          <MemoryFile key={file.name} file={file} folder={state.folder} />
        ))}
      </SettingGroup>
      <DiaryCalendar days={state.days} folder={state.folder} />
      <MemoryStartText start={state.start} onWindow={onWindow} />
    </>
  );
}
