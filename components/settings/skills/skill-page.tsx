"use client";
/** Page of one skill: switch, what is unusual about it, its place and cost, its files, and its text as it is. */
import { useId } from "react";
import type { SkillContent, SkillView } from "@/lib/tools/skills";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Switch } from "../../ui/controls/switch";
import { Skeleton } from "../../ui/indicators/skeleton";
import { VisibleText } from "../../ui/text/visible-text";
import { Fact, FactTable, ItemPage, ItemPart } from "../item-section/item-page";
import { ForeignText, Quote } from "../item-section/foreign-text";
import { FolderPath } from "../item-section/folder-path";
import { isSwitchable, SkillStatusChip } from "./skill-status";
import { SkillWarnings } from "./skill-warnings";
import { useChange } from "../../state/use-change";
import { useCommandQuery } from "../../state/use-command-query";

interface SkillPageProps {
  readonly skill: SkillView;
  readonly project: Project;
}

export function SkillPage({ skill, project }: SkillPageProps) {
  const { skills: text } = useFullMessages();
  const { name, description, status, isManual } = skill;
  const command = `/skill:${name}`;
  return (
    <ItemPage
      name={name}
      chips={<SkillStatusChip skill={skill} />}
      about={
        <>
          {description !== "" && (
            <Quote text={description} className="max-w-[68ch] text-ink-muted [overflow-wrap:anywhere]" />
          )}
          {status === "on" && (
            <p className="mt-1 max-w-[68ch]">{isManual ? text.manualNote(command) : text.slashNote(command)}</p>
          )}
        </>
      }
    >
      {isSwitchable(skill) && <SkillSwitch skill={skill} project={project} />}
      <SkillWarnings warnings={skill.warnings} />
      <SkillFactList skill={skill} />
      <SkillFile skill={skill} project={project} />
    </ItemPage>
  );
}

function SkillSwitch({ skill: { folder, status }, project }: SkillPageProps) {
  const { skills: text } = useFullMessages();
  const { perform } = useChange("toast");
  const id = useId();
  return (
    <div className="flex items-center gap-4">
      <div className="min-w-0 flex-1">
        <p id={id} className="font-medium">
          {text.offer}
        </p>
        <p className="text-small text-ink-muted">{text.offerNote}</p>
      </div>
      <Switch
        aria-labelledby={id}
        on={status === "on"}
        onChange={(on) => void perform("skills.set", { projectId: project.id, folder, isOff: !on })}
      />
    </div>
  );
}

function SkillFactList({ skill }: { readonly skill: SkillView }) {
  const { skills: text, common, figures } = useFullMessages();
  const { folder, shadowedBy, compatibility, status, lineTokens, textTokens } = skill;
  return (
    <FactTable>
      <Fact name={text.folder}>
        <FolderPath path={folder} />
      </Fact>
      {shadowedBy !== undefined && (
        <Fact name={text.shadowed}>
          {text.shadowedBy}
          <FolderPath path={shadowedBy} />
        </Fact>
      )}
      {compatibility !== "" && (
        <Fact name={text.compatibility}>
          <VisibleText text={compatibility.slice(0, 500)} names={common.hidden} />
        </Fact>
      )}
      {status !== "unusable" && (
        <Fact name={text.cost}>
          {text.lineCost(figures.tokens(lineTokens))} · {text.textCost(figures.tokens(textTokens))}
        </Fact>
      )}
    </FactTable>
  );
}

function SkillFile({ skill: { folder }, project }: SkillPageProps) {
  const { skills: text, common } = useFullMessages();
  const query = useCommandQuery("skills.read", { projectId: project.id, folder }, { retry: false, gcTime: 0 });
  if (query.isError) return <p role="alert">{text.readFailed}</p>;
  if (query.data === undefined) return <Skeleton label={common.loading} className="h-40" />;
  return (
    <>
      <SkillFiles content={query.data} />
      <ItemPart title={text.text} note={text.ownWords}>
        <ForeignText mono text={query.data.text} label={text.text} className="max-h-[60dvh]" />
      </ItemPart>
    </>
  );
}

function SkillFiles({ content: { files, moreFiles } }: { readonly content: SkillContent }) {
  const { skills: text, common, figures } = useFullMessages();
  if (files.length === 0) return null;
  return (
    <ItemPart title={text.files} note={text.filesNote}>
      <ul className="max-h-48 overflow-auto font-mono text-code" tabIndex={0} aria-label={text.files}>
        {files.map((file) => (
          <li key={file} className="[overflow-wrap:anywhere]">
            <VisibleText text={file} names={common.hidden} />
          </li>
        ))}
      </ul>
      {moreFiles > 0 && <p className="text-small text-ink-muted">{text.moreFiles(figures.number(moreFiles))}</p>}
    </ItemPart>
  );
}
