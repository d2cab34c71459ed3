"use client";
/** Skills tab: the skills of a project and of all projects, or the page of one. */
import type { SkillPlaceView, SkillsState, SkillView } from "@/lib/tools/skills";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Disclosure, RawText } from "../item-section/disclosure";
import { useShownProject } from "../item-section/project-section";
import type { SettingsSectionContext } from "../item-section/settings-section";
import { UnreadableFile } from "../item-section/unreadable-file";
import { FolderPath } from "../item-section/folder-path";
import { ProjectItemSection } from "../item-section/item-section";
import { SkillList } from "./skill-list";
import { SkillPage } from "./skill-page";
import { useCommandQuery } from "../../state/use-command-query";

export function SkillsTab({ projects }: SettingsSectionContext) {
  const { skills: text } = useFullMessages();
  const shown = useShownProject(projects, "skill");
  return (
    <ProjectItemSection<SkillsState, SkillView>
      text={text}
      about={text.about}
      shown={shown}
      query={useCommandQuery("skills.list", shown.input)}
      items={({ places }) => places.flatMap(({ skills }) => skills)}
      addressOf={({ folder }) => folder}
      list={(state, project) => <LoadedSkills state={state} project={project} />}
      page={(skill, project) => <SkillPage skill={skill} project={project} />}
    />
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
        <h2 className="font-medium">{text.empty}</h2>
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
