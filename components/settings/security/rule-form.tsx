"use client";
/** Form of a rule: effect, subject, and its words or path. */
import { type FormEvent, useId, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { type Rule, type RuleEffect, ruleEffects } from "@/lib/permissions/policy";
import type { Project } from "@/lib/workspace/project";
import { settingsDefaults } from "@/lib/settings/settings";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { Segmented } from "../../ui/controls/segmented";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { type RuleSubject, ruleSubjectOf, ruleSubjects, parseRulePattern, formatRuleText } from "./rule-pattern-text";
import { type RuleDraft, ruleWarning } from "./rule-warnings";
import { ChangeError } from "../item-section/change-error";
import { useChange } from "../../state/use-change";

interface RuleFormProps {
  /** null = a new rule. */
  readonly rule: Rule | null;
  readonly projects: readonly Project[];
  readonly onDone: () => void;
}

export function RuleForm({ rule, projects, onDone }: RuleFormProps) {
  const messages = useFullMessages();
  const text = messages.guard;
  const noteId = useId();
  const [effect, setEffect] = useState<RuleEffect>(rule?.effect ?? "deny");
  const [subject, setAbout] = useState<RuleSubject>((rule && ruleSubjectOf(rule)) ?? "command");
  const [projectId, setProject] = useState<ProjectId | undefined>(rule?.projectId ?? projects[0]?.id);
  const [typed, setTyped] = useState(rule === null ? "" : formatRuleText(rule));
  const { isBusy, error, perform } = useChange("inline");
  const pattern = parseRulePattern(subject, typed);
  const isBad = typed !== "" && pattern === null;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (pattern === null || projectId === undefined) return;
    if ((await perform("rules.save", { id: rule?.id, projectId, effect, pattern })) !== undefined) onDone();
  };
  return (
    <form onSubmit={(event) => void save(event)} className="grid gap-3 py-3" aria-label={text.addRule}>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          name={text.effect}
          value={effect}
          options={ruleEffects.map((value) => ({ value, label: text.effects[value] }))}
          onChange={setEffect}
        />
        <Select
          aria-label={text.about}
          value={subject}
          options={ruleSubjects.map((value) => ({ value, label: text.abouts[value] }))}
          onChange={setAbout}
        />
        {rule === null && (
          <Select
            aria-label={text.project}
            value={String(projectId ?? "")}
            options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(id) => setProject(projects.find((project) => project.id === id)?.id)}
            className="max-w-52"
          />
        )}
      </div>
      <div>
        <TextField
          mono
          autoFocus
          value={typed}
          invalid={isBad}
          aria-label={subject === "command" ? text.command : text.glob}
          aria-describedby={noteId}
          placeholder={subject === "command" ? text.commandExample : text.globExample}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p id={noteId} className="mt-1 text-small text-ink-muted">
          {isBad ? text.badRule : subject === "command" ? text.commandNote : text.globNote}
        </p>
        <Warning draft={{ effect, subject, typed }} onStar={() => setTyped(`${typed.trimEnd()} *`)} />
        <ChangeError error={error} sentences={{ bad_input: text.badRule }} className="mt-1" />
      </div>
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={isBusy} disabled={pattern === null || projectId === undefined}>
          {text.save}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {messages.common.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Shows why the rule would not have its apparent effect. */
function Warning({ draft, onStar }: { readonly draft: RuleDraft; readonly onStar: () => void }) {
  const { guard: text } = useFullMessages();
  const { blockedWords } = useServerState("settings") ?? settingsDefaults;
  const warning = ruleWarning(draft, blockedWords);
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-2 text-small text-ask">
      {warning !== null && (
        <span className="mt-1">
          {"word" in warning ? text.warnings[warning.kind](warning.word) : text.warnings[warning.kind]}
        </span>
      )}
      {warning?.kind === "exact" && (
        <Button size="small" onClick={onStar}>
          {text.addStar}
        </Button>
      )}
    </div>
  );
}
