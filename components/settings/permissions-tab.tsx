"use client";
/** Who is asked before what: mode, rules, blocked words, protected names, environment; and what is not promised. */
import { useQuery } from "@tanstack/react-query";
import type { Project } from "@/lib/project";
import { type Rule, ruleText } from "@/lib/policy";
import { settingsDefaults } from "@/lib/settings";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { Button } from "../ui/button";
import { Segmented } from "../ui/segmented";
import { Skeleton } from "../ui/skeleton";
import { Time } from "../ui/time";
import { useWords } from "../words/words";
import { ListSetting } from "./list-setting";
import { SettingField, SettingGroup } from "./setting-field";

const lastingModes = ["ask", "edits", "plan"] as const;

export function PermissionsTab({ projects }: { readonly projects: readonly Project[] }) {
  const words = useWords();
  const text = words.settings.permissions;
  return (
    <>
      <SettingGroup title={text.title}>
        <SettingField label={text.mode} note={text.modeNote} defaults={{ mode: settingsDefaults.mode }}>
          {({ settings, save }) => (
            <Segmented
              name={text.mode}
              value={settings.mode}
              options={lastingModes.map((mode) => ({ value: mode, label: words.composer.modes[mode].name }))}
              onChange={(mode) => save({ mode })}
            />
          )}
        </SettingField>
        <SettingField
          isWide
          label={text.blocked}
          note={text.blockedNote}
          defaults={{ blockedWords: settingsDefaults.blockedWords }}
        >
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
        <SettingField
          isWide
          label={text.protected}
          note={text.protectedNote}
          defaults={{ protectedNames: settingsDefaults.protectedNames }}
        >
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
        <SettingField
          isWide
          label={text.environment}
          note={text.environmentNote}
          defaults={{ shellEnvironment: settingsDefaults.shellEnvironment }}
        >
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
      <Rules projects={projects} />
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

function Rules({ projects }: { readonly projects: readonly Project[] }) {
  const words = useWords();
  const text = words.settings.permissions;
  const client = useClient();
  const rules = useQuery(queries.rules(client.call));
  const remove = (rule: Rule): void =>
    void client.call("rules.remove", { ruleId: rule.id }).then((answer) => {
      if (!answer.ok) client.toasts.show({ text: words.errors.sentences[answer.error.code], look: "danger" });
      void client.cache.invalidateQueries({ queryKey: ["rules"] });
    });
  return (
    <SettingGroup title={text.rules}>
      <p className="py-3 text-ink-muted">{text.rulesNote}</p>
      {rules.isPending && <Skeleton label={words.common.loading} className="my-3 h-6 w-2/3" />}
      {rules.isError && (
        <p role="alert" className="flex items-center gap-2 py-3">
          {text.rulesFailed}
          <Button size="small" onClick={() => void rules.refetch()}>
            {words.common.retry}
          </Button>
        </p>
      )}
      {rules.data?.rules.length === 0 && <p className="py-3">{text.noRules}</p>}
      {rules.data?.rules.map((rule) => (
        <div key={rule.id} className="flex items-center gap-3 py-2">
          <code className="min-w-0 flex-1 text-code break-all">{ruleText(rule)}</code>
          <span className="cut text-small text-ink-muted">
            {projects.find((project) => project.id === rule.projectId)?.name ?? words.sessions.otherProject}
          </span>
          <Time at={rule.createdAt} figures={words.figures} className="text-small text-ink-faint" />
          <Button size="small" onClick={() => remove(rule)}>
            {words.common.remove}
          </Button>
        </div>
      ))}
    </SettingGroup>
  );
}
