"use client";
/** Sandbox settings: on or off, with or without network, writable folders, and whether the sandbox works on this machine. */
import type { SandboxState } from "@/lib/permissions/guard";
import { useServerState } from "../../state/use-server-state";
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
        {({ settings, save, labelId }) => (
          <div className="grid gap-1">
            <Switch
              aria-labelledby={labelId}
              className="tablet:justify-self-end"
              on={settings.sandbox !== "off"}
              onChange={(on) => save({ sandbox: on ? "always" : "off" })}
            />
            {state !== undefined && (
              <p className="text-small text-ink-muted [overflow-wrap:anywhere]">
                {sandboxStateText(state, settings.sandbox === "always", messages)}
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

/** Switching it on tests it, so an enabled setting counts as working. */
function sandboxStateText({ program, works, why }: SandboxState, isOn: boolean, { guard: text }: FullMessages): string {
  if (program === null) return text.fenceMissing;
  if (!works && why !== undefined) return text.fenceBroken(why);
  return works || isOn ? text.fenceWorks(text.fencePrograms[program]) : text.fenceFound(text.fencePrograms[program]);
}
