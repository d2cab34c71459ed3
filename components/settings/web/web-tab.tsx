"use client";
/** Web tab: the switch of the web tools, the search engines in their order, the hosts that rules are about. */
import type { WebState } from "@/lib/tools/web";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Switch } from "../../ui/controls/switch";
import { Skeleton } from "../../ui/indicators/skeleton";
import { SettingGroup, SettingRow } from "../fields/setting-row";
import type { SettingsSectionContext } from "../settings-section";
import { UnreadableFile } from "../unreadable-file";
import { AllowedHosts } from "./allowed-hosts";
import { EngineList } from "./engine-list";
import { useChange } from "../use-change";
import { useCommandQuery } from "../../state/use-command-query";

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
