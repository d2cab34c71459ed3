"use client";
/** Page of one skill: switch, what is unusual about it, its place and cost, its files, and its text as it is. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import type { SkillContent, SkillView } from "@/lib/tools/skills";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { skillTextQuery } from "../../state/skill-queries";
import { Switch } from "../../ui/controls/switch";
import { Skeleton } from "../../ui/indicators/skeleton";
import { VisibleText } from "../../ui/text/visible-text";
import { ForeignText, Quote } from "../tools/foreign-text";
import { FolderPath } from "./folder-path";
import { isSwitchable, SkillStatusChip } from "./skill-status";
import { SkillWarnings } from "./skill-warnings";
import { useSwitchSkill } from "./use-switch-skill";

interface SkillPageProps {
  readonly skill: SkillView;
  readonly project: Project;
}

export function SkillPage({ skill, project }: SkillPageProps) {
  const { skills: text, common } = useFullMessages();
  const { name, description, status, isManual } = skill;
  const command = `/skill:${name}`;
  return (
    <div className="grid gap-5 *:min-w-0">
      <div className="grid gap-1">
        <h2 className="flex flex-wrap items-center gap-x-2 text-title font-semibold [overflow-wrap:anywhere]">
          <VisibleText text={name} names={common.hidden} />
          <SkillStatusChip skill={skill} />
        </h2>
        {description !== "" && (
          <Quote text={description} className="max-w-[68ch] text-ink-muted [overflow-wrap:anywhere]" />
        )}
        {status === "on" && (
          <p className="mt-1 max-w-[68ch]">{isManual ? text.manualNote(command) : text.slashNote(command)}</p>
        )}
      </div>
      {isSwitchable(skill) && <SkillSwitch skill={skill} project={project} />}
      <SkillWarnings warnings={skill.warnings} />
      <SkillFactList skill={skill} />
      <SkillFile skill={skill} project={project} />
    </div>
  );
}

function SkillSwitch({ skill: { folder, status }, project }: SkillPageProps) {
  const { skills: text } = useFullMessages();
  const set = useSwitchSkill(project.id);
  const id = useId();
  return (
    <div className="flex items-center gap-4">
      <div className="min-w-0 flex-1">
        <p id={id} className="font-medium">
          {text.offer}
        </p>
        <p className="text-small text-ink-muted">{text.offerNote}</p>
      </div>
      <Switch aria-labelledby={id} on={status === "on"} onChange={(on) => void set(folder, !on)} />
    </div>
  );
}

function SkillFactList({ skill }: { readonly skill: SkillView }) {
  const { skills: text, common, figures } = useFullMessages();
  const { folder, shadowedBy, compatibility, status, lineTokens, textTokens } = skill;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 border-y border-line py-3.5 max-tablet:grid-cols-1 max-tablet:gap-y-0.5">
      <SkillFact name={text.folder}>
        <FolderPath path={folder} />
      </SkillFact>
      {shadowedBy !== undefined && (
        <SkillFact name={text.shadowed}>
          {text.shadowedBy}
          <FolderPath path={shadowedBy} />
        </SkillFact>
      )}
      {compatibility !== "" && (
        <SkillFact name={text.compatibility}>
          <VisibleText text={compatibility.slice(0, 500)} names={common.hidden} />
        </SkillFact>
      )}
      {status !== "unusable" && (
        <SkillFact name={text.cost}>
          {text.lineCost(figures.tokens(lineTokens))} · {text.textCost(figures.tokens(textTokens))}
        </SkillFact>
      )}
    </dl>
  );
}

const SkillFact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="col-span-2 grid grid-cols-subgrid items-baseline max-tablet:col-span-1 max-tablet:block max-tablet:py-1">
    <dt className="text-ink-muted">{name}</dt>
    <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{children}</dd>
  </div>
);

function SkillFile({ skill: { folder }, project }: SkillPageProps) {
  const { skills: text, common } = useFullMessages();
  const query = useQuery(skillTextQuery(useClient().call, project.id, folder));
  if (query.isError) return <p role="alert">{text.readFailed}</p>;
  if (query.data === undefined) return <Skeleton label={common.loading} className="h-40" />;
  return (
    <>
      <SkillFiles content={query.data} />
      <section aria-label={text.text} className="grid gap-1.5">
        <h3 className="font-semibold">{text.text}</h3>
        <p className="text-small text-ink-muted">{text.ownWords}</p>
        <ForeignText mono text={query.data.text} label={text.text} className="max-h-[60dvh]" />
      </section>
    </>
  );
}

function SkillFiles({ content: { files, moreFiles } }: { readonly content: SkillContent }) {
  const { skills: text, common, figures } = useFullMessages();
  if (files.length === 0) return null;
  return (
    <section aria-label={text.files} className="grid gap-1.5">
      <h3 className="font-semibold">{text.files}</h3>
      <p className="max-w-[68ch] text-small text-ink-muted">{text.filesNote}</p>
      <ul className="max-h-48 overflow-auto font-mono text-code" tabIndex={0} aria-label={text.files}>
        {files.map((file) => (
          <li key={file} className="[overflow-wrap:anywhere]">
            <VisibleText text={file} names={common.hidden} />
          </li>
        ))}
      </ul>
      {moreFiles > 0 && <p className="text-small text-ink-muted">{text.moreFiles(figures.number(moreFiles))}</p>}
    </section>
  );
}
