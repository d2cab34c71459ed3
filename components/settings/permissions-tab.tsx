"use client";
/**
 * Permissions tab: mode, trust, rules, sandbox; folded lists of blocked words, names, folders and variables; the log; and what
 * is not guaranteed.
 */
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../messages/full-messages";
import { DecisionLog } from "./security/decision-log";
import { SandboxSetting } from "./security/sandbox-setting";
import { RulesEditor } from "./security/rules-editor";
import { TrustedFolders } from "./security/trusted-folders";
import { Setting } from "./fields/setting";
import { SettingGroup } from "./fields/setting-row";

export function PermissionsTab({ projects }: { readonly projects: readonly Project[] }) {
  const { settings, composer } = useFullMessages();
  const text = settings.permissions;
  const modeNames = Object.fromEntries(Object.entries(composer.modes).map(([mode, { name }]) => [mode, name]));
  return (
    <>
      <SettingGroup title={text.title}>
        <Setting name="mode" choices={modeNames} />
      </SettingGroup>
      <TrustedFolders projects={projects} />
      <RulesEditor projects={projects} />
      <SandboxSetting />
      <SettingGroup title={text.lists}>
        <Setting name="blockedWords" isFolded />
        <Setting name="protectedNames" isFolded />
        <Setting name="ignoredFolders" isFolded />
        <Setting name="shellEnvironment" isFolded />
      </SettingGroup>
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
