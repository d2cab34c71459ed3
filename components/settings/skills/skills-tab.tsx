"use client";
/** Skills tab: the skills of a project and of all projects, or the page of one. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SkillPlaceView, SkillsState } from "@/lib/tools/skills";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { skillsQuery } from "../../state/skill-queries";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { Skeleton } from "../../ui/indicators/skeleton";
import { BackLink } from "../back-link";
import { Disclosure, RawText } from "../disclosure";
import { useOpenItem } from "../open-item";
import type { SettingsSectionContext } from "../settings-sections";
import { FolderPath } from "./folder-path";
import { parseSkillAddress } from "./skill-address";
import { SkillList } from "./skill-list";
import { SkillPage } from "./skill-page";

export function SkillsTab({ projects }: SettingsSectionContext) {
  const { skills: text } = useFullMessages();
  const openProject = useStore(useClient().workbench, ({ projectId }) => projectId);
  const [chosen, setChosen] = useState<Project["id"] | null>(null);
  const opened = parseSkillAddress(useOpenItem());
  const project =
    [opened?.projectId, chosen, openProject].flatMap((id) => projects.filter((one) => one.id === id))[0] ?? projects[0];
  if (project !== undefined && opened !== null)
    return (
      <>
        <BackLink label={text.back} />
        <OpenSkill folder={opened.folder} project={project} />
      </>
    );
  return (
    <section aria-label={text.title} className="mb-8 grid gap-5">
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
      {project === undefined ? <p>{text.noProject}</p> : <ProjectSkillList key={project.id} project={project} />}
    </section>
  );
}

/** The state, or what is shown in its place. */
function useSkills(project: Project) {
  const messages = useFullMessages();
  const query = useQuery(skillsQuery(useClient().call, project.id));
  const instead = query.isError ? (
    <p role="alert" className="flex flex-wrap items-center gap-3">
      {messages.skills.failed}
      <Button size="small" onClick={() => void query.refetch()}>
        {messages.common.retry}
      </Button>
    </p>
  ) : (
    <Skeleton label={messages.common.loading} className="h-24" />
  );
  return { state: query.data, instead };
}

function ProjectSkillList({ project }: { readonly project: Project }) {
  const { skills: text } = useFullMessages();
  const { state, instead } = useSkills(project);
  if (state === undefined) return instead;
  const { isTrusted, places } = state;
  const isEmpty = places.every(({ skills }) => skills.length === 0);
  const own = places.filter(({ kind }) => kind === "project");
  return (
    <>
      {!isTrusted && own.some(({ exists }) => exists) && (
        <p className="max-w-[68ch] rounded-card border border-line bg-raised px-3.5 py-3">{text.untrusted}</p>
      )}
      {isEmpty && <NoSkills places={places} />}
      <SkillList title={text.ofProject} places={own} project={project} />
      <SkillList title={text.ofHome} places={places.filter((place) => !own.includes(place))} project={project} />
      <PlaceList state={state} />
    </>
  );
}

/** What a skill is and where to put one. */
function NoSkills({ places }: { readonly places: readonly SkillPlaceView[] }) {
  const { skills: text } = useFullMessages();
  const place = places.find(({ kind }) => kind === "data");
  return (
    <div className="grid gap-3 rounded-card border border-line bg-raised p-5 *:min-w-0">
      <div>
        <h3 className="font-medium">{text.empty}</h3>
        <p className="max-w-[60ch] text-ink-muted">{text.emptyNote}</p>
      </div>
      {place !== undefined && <FolderPath path={place.path} />}
      <figure className="grid gap-1">
        <figcaption className="font-mono text-small text-ink-muted">{text.exampleName}</figcaption>
        <RawText text={text.example} />
      </figure>
      <p className="max-w-[60ch] text-ink-muted">{text.emptyEffect}</p>
    </div>
  );
}

function PlaceList({ state: { places } }: { readonly state: SkillsState }) {
  const { skills: text } = useFullMessages();
  return (
    <Disclosure title={text.places}>
      <p className="mb-1.5 max-w-[68ch] text-small text-ink-muted">{text.placesNote}</p>
      <ol className="grid gap-1">
        {places.map(({ path, exists, skills }) => (
          <li key={path} className="flex flex-wrap items-baseline gap-x-3">
            <FolderPath path={path} />
            <span className="text-small text-ink-muted">{exists ? text.skillCount(skills.length) : text.noFolder}</span>
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}

function OpenSkill({ folder, project }: { readonly folder: string; readonly project: Project }) {
  const { skills: text } = useFullMessages();
  const { state, instead } = useSkills(project);
  if (state === undefined) return instead;
  const skill = state.places.flatMap(({ skills }) => skills).find((one) => one.folder === folder);
  return skill === undefined ? <p>{text.missing}</p> : <SkillPage key={folder} skill={skill} project={project} />;
}
