"use client";
/** Rules of all projects: list, edit, test, remove. */
import { useState } from "react";
import { type Rule, formatRulePattern } from "@/lib/permissions/policy";
import type { Project } from "@/lib/workspace/project";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useFullMessages } from "../../messages/full-messages";
import { SettingGroup } from "../fields/setting-row";
import { effectTone } from "./effect-tone";
import { RuleForm } from "./rule-form";
import { ruleSubjectOf } from "./rule-pattern-text";
import { RuleTester } from "./rule-tester";
import { useChange } from "../../state/use-change";

export function RulesEditor({ projects }: { readonly projects: readonly Project[] }) {
  const messages = useFullMessages();
  const text = messages.guard;
  const rules = useCommandQuery("rules.list", {});
  const [edited, setEdited] = useState<Rule | "new" | null>(null);
  const done = (): void => setEdited(null);
  const { perform } = useChange("toast");
  const remove = (rule: Rule): void => void perform("rules.remove", { ruleId: rule.id });
  return (
    <SettingGroup title={text.rules} anchor="rules">
      <p className="py-3 text-ink-muted">{text.rulesNote}</p>
      {rules.isPending && <Skeleton label={messages.common.loading} className="my-3 h-6 w-2/3" />}
      {rules.isError && (
        <p role="alert" className="flex items-center gap-2 py-3">
          {messages.settings.permissions.rulesFailed}
          <Button size="small" onClick={() => void rules.refetch()}>
            {messages.common.retry}
          </Button>
        </p>
      )}
      {rules.data?.rules.length === 0 && edited === null && (
        <p className="py-3">{messages.settings.permissions.noRules}</p>
      )}
      {rules.data?.rules.map((rule) =>
        edited !== "new" && edited?.id === rule.id ? (
          <RuleForm key={rule.id} rule={rule} projects={projects} onDone={done} />
        ) : (
          <RuleRow
            key={rule.id}
            rule={rule}
            project={projects.find((project) => project.id === rule.projectId)?.name ?? messages.sessions.otherProject}
            onEdit={() => setEdited(rule)}
            onRemove={() => remove(rule)}
          />
        ),
      )}
      {edited === "new" ? (
        <RuleForm rule={null} projects={projects} onDone={done} />
      ) : (
        projects.length > 0 && (
          <div className="py-3">
            <Button onClick={() => setEdited("new")}>{text.addRule}</Button>
          </div>
        )
      )}
      {projects.length > 0 && <RuleTester projects={projects} stamp={rules.dataUpdatedAt} />}
    </SettingGroup>
  );
}

/** Rules that are made on cards only. */
const toOtherSubject = ({ tool }: Rule): "net" | "external" | "unused" =>
  tool === "net" || tool === "external" ? tool : "unused";

interface RuleRowProps {
  readonly rule: Rule;
  readonly project: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function RuleRow({ rule, project, onEdit, onRemove }: RuleRowProps) {
  const messages = useFullMessages();
  const text = messages.guard;
  const subject = ruleSubjectOf(rule);
  return (
    <div data-rule={rule.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <Chip tone={effectTone[rule.effect]}>{text.effects[rule.effect]}</Chip>
      <span className="min-w-40 flex-1">
        <span className="text-ink-muted">
          {subject === null ? text.otherAbouts[toOtherSubject(rule)] : text.abouts[subject]}
        </span>{" "}
        <code className="text-code break-all">{formatRulePattern(rule)}</code>
      </span>
      <span className="cut max-w-40 text-small text-ink-muted">{project}</span>
      <span className="flex gap-1 max-tablet:ml-auto">
        {subject !== null && (
          <Button
            size="small"
            look="quiet"
            aria-label={`${text.editRule}: ${formatRulePattern(rule)}`}
            onClick={onEdit}
          >
            {text.editRule}
          </Button>
        )}
        <Button
          size="small"
          look="quiet"
          aria-label={`${messages.common.remove}: ${formatRulePattern(rule)}`}
          onClick={onRemove}
        >
          {messages.common.remove}
        </Button>
      </span>
    </div>
  );
}
