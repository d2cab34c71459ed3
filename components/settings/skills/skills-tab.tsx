"use client";
/** Skills tab: the skills of a project and of all projects, or the page of one. */
import type { SkillPlaceView, SkillsState } from "@/lib/tools/skills";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { BackLink } from "../back-link";
import { Disclosure, RawText } from "../disclosure";
import { useOpenItem } from "../open-item";
import { LoadedQuery, ProjectHeader, useShownProject } from "../project-section";
import type { SettingsSectionContext } from "../settings-section";
import { UnreadableFile } from "../unreadable-file";
import { FolderPath } from "../item-section/folder-path";
import { parseSkillAddress } from "./skill-address";
import { SkillList } from "./skill-list";
import { SkillPage } from "./skill-page";
import { useCommandQuery } from "../../state/use-command-query";

export function SkillsTab({ projects }: SettingsSectionContext) {
  const { skills: text } = useFullMessages();
  const opened = parseSkillAddress(useOpenItem());
  const shown = useShownProject(projects, opened?.projectId);
  const { project } = shown;
  if (project !== undefined && opened !== null)
    return (
      <>
        <BackLink label={text.back} />
        <OpenSkill folder={opened.folder} project={project} />
      </>
    );
  return (
    <section aria-label={text.title} className="mb-8 grid gap-5">
      <ProjectHeader title={text.title} about={text.about} projects={projects} {...shown} />
      {project === undefined ? <p>{text.noProject}</p> : <ProjectSkillList key={project.id} project={project} />}
    </section>
  );
}

const useSkills = (project: Project) => useCommandQuery("skills.list", { projectId: project.id });

function ProjectSkillList({ project }: { readonly project: Project }) {
  const { skills: text } = useFullMessages();
  return (
    <LoadedQuery query={useSkills(project)} failed={text.failed}>
      {(state) => <LoadedSkills state={state} project={project} />}
    </LoadedQuery>
  );
}

function LoadedSkills({ state, project }: { readonly state: SkillsState; readonly project: Project }) {
  const { skills: text } = useFullMessages();
  const { isTrusted, problem, places } = state;
  const shipped = places.filter(({ kind }) => kind === "shipped");
  const isEmpty = places.every((place) => place.skills.length === 0 || shipped.includes(place));
  const own = places.filter(({ kind }) => kind === "project");
  return (
    <>
      <UnreadableFile problem={problem} sentence={text.unreadable} />
      {!isTrusted && own.some(({ exists }) => exists) && (
        <p className="max-w-[68ch] rounded-card border border-line bg-raised px-3.5 py-3">{text.untrusted}</p>
      )}
      {isEmpty && <NoSkills places={places} />}
      <SkillList title={text.ofProject} places={own} project={project} />
      <SkillList
        title={text.ofHome}
        places={places.filter((place) => !own.includes(place) && !shipped.includes(place))}
        project={project}
      />
      <SkillList title={text.shipped} places={shipped} project={project} />
      <PlaceList state={state} />
    </>
  );
}

/** Explains skills with an example, and shows the folder for them. */
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
  return (
    <LoadedQuery query={useSkills(project)} failed={text.failed}>
      {({ places }) => {
        const skill = places.flatMap(({ skills }) => skills).find((one) => one.folder === folder);
        return skill === undefined ? <p>{text.missing}</p> : <SkillPage key={folder} skill={skill} project={project} />;
      }}
    </LoadedQuery>
  );
}
