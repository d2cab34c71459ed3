"use client";
/** The branches and tags of a commit. */
import { Cloud, GitBranch, type LucideIcon, Tag } from "lucide-react";
import type { CommitRef } from "@/lib/workspace/source-history";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";

const icons: Readonly<Record<CommitRef["kind"], LucideIcon>> = {
  head: GitBranch,
  branch: GitBranch,
  remote: Cloud,
  tag: Tag,
};

export function CommitRefs({ refs }: { readonly refs: readonly CommitRef[] }) {
  const { sourceHistory, common } = useFullMessages();
  return refs.map(({ kind, name }) => (
    <Chip
      key={`${kind} ${name}`}
      tone={kind === "head" ? "accent" : "plain"}
      title={`${sourceHistory.refs[kind]}: ${name}`}
      className="max-w-40"
    >
      <Icon of={icons[kind]} size={12} className="shrink-0" />
      <span className="sr-only">{sourceHistory.refs[kind]} </span>
      <span className="min-w-0 cut">
        <VisibleText text={name} names={common.hidden} />
      </span>
    </Chip>
  ));
}
