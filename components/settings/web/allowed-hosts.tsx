"use client";
/** The hosts that rules of projects are about, with a link to where rules are changed. */
import { formatRulePattern } from "@/lib/permissions/policy";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";
import { SettingGroup } from "../fields/setting-row";
import { effectTone } from "../security/effect-tone";
import { withBasePath } from "../../state/base-path";
import { useCommandQuery } from "../../state/use-command-query";

export function AllowedHosts({ projects }: { readonly projects: readonly Project[] }) {
  const { web: text, sessions } = useFullMessages();
  const rules = useCommandQuery("rules.list", {}).data?.rules.filter(({ tool }) => tool === "net");
  if (rules === undefined) return null;
  const nameOf = (id: Project["id"]): string =>
    projects.find((project) => project.id === id)?.name ?? sessions.otherProject;
  return (
    <SettingGroup title={text.hosts}>
      <p className="flex flex-wrap gap-x-3 gap-y-1 py-3 text-ink-muted">
        {text.hostsNote}
        <a
          href={withBasePath("/settings/permissions#rules")}
          className="text-accent underline underline-offset-3 max-tablet:py-2.5"
        >
          {text.toRules}
        </a>
      </p>
      {rules.length === 0 ? (
        <p className="py-3">{text.noHosts}</p>
      ) : (
        <ul aria-label={text.hosts} className="divide-y divide-line">
          {rules.map((rule) => (
            <li key={rule.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <Chip tone={effectTone[rule.effect]}>{text.effects[rule.effect]}</Chip>
              <code className="min-w-40 flex-1 text-code break-all">{formatRulePattern(rule)}</code>
              <span className="cut max-w-40 text-small text-ink-muted">{nameOf(rule.projectId)}</span>
            </li>
          ))}
        </ul>
      )}
    </SettingGroup>
  );
}
