"use client";
/**
 * Permissions tab: mode, blocked words, protected names, environment, rules, sandbox, trust, log; and what is not
 * guaranteed.
 */
import type { Project } from "@/lib/workspace/project";
import { Segmented } from "../ui/controls/segmented";
import { useFullMessages } from "../messages/full-messages";
import { ListSetting } from "./fields/list-setting";
import { DecisionLog } from "./security/decision-log";
import { SandboxSetting } from "./security/sandbox-setting";
import { RulesEditor } from "./security/rules-editor";
import { TrustedFolders } from "./security/trusted-folders";
import { SettingField } from "./fields/setting-field";
import { SettingGroup } from "./fields/setting-row";

const lastingModes = ["ask", "edits", "plan"] as const;

export function PermissionsTab({ projects }: { readonly projects: readonly Project[] }) {
  const messages = useFullMessages();
  const text = messages.settings.permissions;
  return (
    <>
      <SettingGroup title={text.title}>
        <SettingField name="mode">
          {({ settings, save }) => (
            <Segmented
              name={text.mode}
              value={settings.mode}
              options={lastingModes.map((mode) => ({ value: mode, label: messages.composer.modes[mode].name }))}
              onChange={(mode) => save({ mode })}
            />
          )}
        </SettingField>
        <SettingField name="blockedWords" isWide>
          {({ settings, save, labelId }) => (
            <ListSetting
              values={settings.blockedWords}
              labelId={labelId}
              addLabel={text.blockedAdd}
              placeholder={text.blockedAdd}
              isValid={(word) => word.length <= 60}
              onSave={(blockedWords) => save({ blockedWords })}
            />
          )}
        </SettingField>
        <SettingField name="protectedNames" isWide>
          {({ settings, save, labelId }) => (
            <ListSetting
              values={settings.protectedNames}
              labelId={labelId}
              addLabel={text.protectedAdd}
              placeholder={text.protectedAdd}
              isValid={(name) => name.length <= 120 && !name.includes("/")}
              onSave={(protectedNames) => save({ protectedNames })}
            />
          )}
        </SettingField>
        <SettingField name="ignoredFolders" isWide>
          {({ settings, save, labelId }) => (
            <ListSetting
              values={settings.ignoredFolders}
              labelId={labelId}
              addLabel={text.ignoredAdd}
              placeholder={text.ignoredAdd}
              isValid={(name) => name.length <= 120 && !/^[!#]|[/\\[\]{}]/.test(name)}
              onSave={(ignoredFolders) => save({ ignoredFolders })}
            />
          )}
        </SettingField>
        <SettingField name="shellEnvironment" isWide>
          {({ settings, save, labelId }) => (
            <ListSetting
              values={settings.shellEnvironment}
              labelId={labelId}
              addLabel={text.environmentAdd}
              placeholder={text.environmentAdd}
              isValid={(name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)}
              onSave={(shellEnvironment) => save({ shellEnvironment })}
            />
          )}
        </SettingField>
      </SettingGroup>
      <RulesEditor projects={projects} />
      <SandboxSetting />
      <TrustedFolders projects={projects} />
      <DecisionLog />
      <section aria-label={text.promiseTitle} className="mb-8 rounded-card border border-line bg-surface p-4">
        <h2 className="mb-2 font-semibold">{text.promiseTitle}</h2>
        <ul className="grid list-disc gap-1 pl-5">
          {text.promises.map((promise) => (
            <li key={promise}>{promise}</li>
          ))}
        </ul>
        <p className="mt-3">{text.noPromise}</p>
      </section>
    </>
  );
}
