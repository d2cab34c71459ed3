"use client";
/** Sandbox settings: when it is used, with or without network, writable folders, and whether it works on this machine. */
import { type SandboxUse, sandboxUses } from "@/lib/permissions/guard";
import { Segmented } from "../../ui/controls/segmented";
import { Switch } from "../../ui/controls/switch";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { Setting } from "../fields/setting";
import { SettingField } from "../fields/setting-field";
import { SettingGroup } from "../fields/setting-row";
import { useCommandQuery } from "../../state/use-command-query";
import { settingText } from "../fields/setting-list";

export function SandboxSetting() {
  const messages = useFullMessages();
  const { guard: text } = messages;
  return (
    <SettingGroup title={text.fence}>
      <SettingField name="sandbox" isWide>
        {({ settings, save }) => (
          <div className="grid justify-items-start gap-1.5">
            <Segmented
              name={settingText(messages, "sandbox").label}
              value={settings.sandbox}
              options={sandboxUses.map((value) => ({ value, label: text.fenceUses[value] }))}
              onChange={(sandbox) => save({ sandbox })}
            />
            <p role="status" className="min-h-5 text-small text-ink-muted [overflow-wrap:anywhere]">
              <SandboxStateText use={settings.sandbox} />
            </p>
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
      <Setting name="sandboxWritable" isFolded />
    </SettingGroup>
  );
}

/** Whether the sandbox works on this machine; else what happens without it, and the command that provides it. */
function SandboxStateText({ use }: { readonly use: SandboxUse }) {
  const messages = useFullMessages();
  const { guard: text } = messages;
  const { data } = useCommandQuery("settings.sandbox", {});
  if (data === undefined) return text.fenceTesting;
  const { program, works, why, fix } = data;
  if (works && program !== null) return text.fenceWorks(text.fencePrograms[program]);
  const cause =
    program !== null
      ? text.fenceBroken(why ?? "")
      : why === "unknown_system"
        ? text.fenceUnsupported
        : text.fenceMissing;
  const effects = { off: "", full_access: text.fenceWithout, always: text.fenceAsks };
  return (
    <>
      {joinSentences(messages, [cause, effects[use], fix === undefined ? "" : text.fenceFix.before])}
      {fix !== undefined && (
        <>
          <code className="font-mono text-ink select-all">{fix}</code>
          {text.fenceFix.after}
        </>
      )}
    </>
  );
}
