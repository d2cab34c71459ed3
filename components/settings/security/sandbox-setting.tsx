"use client";
/** Sandbox settings: when it is used, with or without network, writable folders, and whether it works on this machine. */
import { type SandboxState, type SandboxUse, sandboxUses } from "@/lib/permissions/guard";
import { useServerState } from "../../state/use-server-state";
import { Segmented } from "../../ui/controls/segmented";
import { Switch } from "../../ui/controls/switch";
import { useFullMessages, type FullMessages } from "../../messages/full-messages";
import { ListSetting } from "../fields/list-setting";
import { SettingField } from "../fields/setting-field";
import { SettingGroup } from "../fields/setting-row";

export function SandboxSetting() {
  const messages = useFullMessages();
  const text = messages.guard;
  const state = useServerState("sandbox");
  return (
    <SettingGroup title={text.fence}>
      <SettingField name="sandbox">
        {({ settings, save }) => (
          <div className="grid justify-items-start gap-1 tablet:justify-items-end">
            <Segmented
              name={text.fenceOn}
              value={settings.sandbox}
              options={sandboxUses.map((value) => ({ value, label: text.fenceUses[value] }))}
              onChange={(sandbox) => save({ sandbox })}
            />
            {state !== undefined && (
              <p className="text-small text-ink-muted [overflow-wrap:anywhere]">
                {sandboxStateText(state, settings.sandbox, messages)}
              </p>
            )}
          </div>
        )}
      </SettingField>
      <SettingField name="sandboxNetwork">
        {({ settings, save, labelId }) => (
          <Switch
            aria-labelledby={labelId}
            disabled={settings.sandbox === "off"}
            on={settings.sandboxNetwork}
            onChange={(on) => save({ sandboxNetwork: on })}
          />
        )}
      </SettingField>
      <SettingField name="sandboxWritable" isWide>
        {({ settings, save, labelId }) => (
          <ListSetting
            values={settings.sandboxWritable}
            labelId={labelId}
            addLabel={text.fenceWritableAdd}
            placeholder={text.fenceWritableAdd}
            isValid={(folder) => folder.length <= 300 && /^(?:~\/|\/)./.test(folder)}
            onSave={(sandboxWritable) => save({ sandboxWritable })}
          />
        )}
      </SettingField>
    </SettingGroup>
  );
}

/** "always" is tested when it is chosen, so it counts as working. */
function sandboxStateText(
  { program, works, why }: SandboxState,
  use: SandboxUse,
  { guard: text }: FullMessages,
): string {
  if (program === null) return text.fenceMissing;
  if (!works && why !== undefined) return use === "always" ? text.fenceBrokenAlways(why) : text.fenceBroken(why);
  return works || use === "always"
    ? text.fenceWorks(text.fencePrograms[program])
    : text.fenceFound(text.fencePrograms[program]);
}
