"use client";
/** Web tab: the switch of the web tools, the search engines in their order, the hosts that rules are about. */
import type { WebState } from "@/lib/tools/web";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Switch } from "../../ui/controls/switch";
import { Skeleton } from "../../ui/indicators/skeleton";
import { SettingGroup, SettingRow } from "../fields/setting-row";
import type { SettingsSectionContext } from "../item-section/settings-section";
import { UnreadableFile } from "../item-section/unreadable-file";
import { EngineList } from "./engine-list";
import { useChange } from "../../state/use-change";
import { useCommandQuery } from "../../state/use-command-query";
import { formatRulePattern } from "@/lib/permissions/policy";
import type { Project } from "@/lib/workspace/project";
import { Chip } from "../../ui/indicators/chip";
import { effectTone } from "../security/effect-tone";
import { withBasePath } from "../../state/base-path";

/** The hosts that rules of projects are about, with a link to where rules are changed. */
function AllowedHosts({ projects }: { readonly projects: readonly Project[] }) {
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

const switchId = "web-switch";

export function WebTab({ projects }: SettingsSectionContext) {
  const messages = useFullMessages();
  const { web: text, common } = messages;
  const query = useCommandQuery("web.state", {}, { refetchOnWindowFocus: true });
  if (query.isError)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3">
        {text.failed}
        <Button size="small" onClick={() => void query.refetch()}>
          {common.retry}
        </Button>
      </p>
    );
  if (query.data === undefined) return <Skeleton label={common.loading} className="h-24" />;
  return (
    <>
      <div className="mb-6 empty:hidden">
        <UnreadableFile problem={query.data.problem} sentence={text.unreadable} />
      </div>
      <WebSwitch state={query.data} />
      <EngineList providers={query.data.providers} isOn={query.data.isEnabled} />
      <AllowedHosts projects={projects} />
    </>
  );
}

function WebSwitch({ state }: { readonly state: WebState }) {
  const { web: text } = useFullMessages();
  const { perform } = useChange("toast", { bad_input: text.badAddress });
  return (
    <SettingGroup title={text.title}>
      <div className="py-3">
        <p className="max-w-[68ch] text-ink-muted">{text.about}</p>
      </div>
      <SettingRow label={text.switch} labelId={switchId} note={text.switchNote}>
        <Switch
          aria-labelledby={switchId}
          on={state.isEnabled}
          onChange={(isEnabled) => void perform("web.set", { isEnabled })}
        />
      </SettingRow>
    </SettingGroup>
  );
}
