"use client";
/** The skills by the folder in which they are; a row opens the skill's page. */
import type { SkillPlaceView, SkillView } from "@/lib/tools/skills";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Switch } from "../../ui/controls/switch";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemDescription, ItemRow } from "../item-section/item-row";
import { ItemList } from "../item-section/item-section";
import { OpenItemButton } from "../item-section/open-item-button";
import { FolderPath } from "../item-section/folder-path";
import { formatItemAddress } from "../item-section/open-item";
import { isSwitchable, SkillStatusChip } from "./skill-status";
import { PlaceWarnings } from "./skill-warnings";
import { useChange } from "../../state/use-change";

interface SkillListProps {
  readonly title: string;
  readonly places: readonly SkillPlaceView[];
  readonly project: Project;
}

/** The places that have skills or warnings; nothing if none has. */
export function SkillList({ title, places, project }: SkillListProps) {
  const shown = places.filter(({ skills, warnings }) => skills.length > 0 || warnings.length > 0);
  if (shown.length === 0) return null;
  return (
    <section aria-label={title} className="grid gap-3">
      <h3 className="font-semibold">{title}</h3>
      {shown.map((place) => (
        <Place key={place.path} place={place} project={project} />
      ))}
    </section>
  );
}

function Place({ place, project }: { readonly place: SkillPlaceView; readonly project: Project }) {
  const { skills: text } = useFullMessages();
  const { path, skills, warnings } = place;
  return (
    <div className="grid gap-2 *:min-w-0">
      <div className="text-ink-muted">
        <FolderPath path={path} />
      </div>
      {warnings.length > 0 && <PlaceWarnings warnings={warnings} />}
      {skills.length > 0 && (
        <ItemList label={text.inFolder(path)}>
          {skills.map((skill) => (
            <SkillRow key={skill.folder} skill={skill} project={project} />
          ))}
        </ItemList>
      )}
    </div>
  );
}

function SkillRow({ skill, project }: { readonly skill: SkillView; readonly project: Project }) {
  const { skills: text, common, figures } = useFullMessages();
  const { perform } = useChange("toast");
  const { folder, name, description, status, lineTokens, textTokens, warnings } = skill;
  const costs =
    status === "unusable" ? [] : [text.lineCost(figures.tokens(lineTokens)), text.textCost(figures.tokens(textTokens))];
  const facts = [...costs, ...(warnings.length === 0 ? [] : [text.notes(warnings.length)])];
  return (
    <ItemRow
      name={
        <OpenItemButton item={formatItemAddress("skill", project.id, folder)} className="[overflow-wrap:anywhere]">
          <VisibleText text={name} names={common.hidden} />
        </OpenItemButton>
      }
      chips={<SkillStatusChip skill={skill} />}
      end={
        isSwitchable(skill) && (
          <Switch
            aria-label={text.use(name)}
            on={status === "on"}
            onChange={(on) => void perform("skills.set", { projectId: project.id, folder, isOff: !on })}
            className="z-10"
          />
        )
      }
    >
      <ItemDescription text={description} />
      <p className="text-small text-ink-muted tabular-nums">{facts.join(" · ")}</p>
    </ItemRow>
  );
}
