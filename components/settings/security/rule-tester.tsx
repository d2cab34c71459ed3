"use client";
/** Shows the decision for a typed command or path under the current rules. Runs nothing. */
import { skipToken } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { type Decision, formatRulePattern } from "@/lib/permissions/policy";
import type { Project } from "@/lib/workspace/project";
import { limits } from "@/lib/settings/settings";
import { Chip, type Tone } from "../../ui/indicators/chip";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { useCommandQuery } from "../../state/use-command-query";

const testKinds = ["exec", "read", "write", "delete"] as const;
const decisionTone: Record<Decision["kind"], Tone> = { allow: "accent", ask: "ask", refuse: "danger" };

interface RuleTesterProps {
  readonly projects: readonly Project[];
  /** Changes with the rules. */
  readonly stamp: number;
}

export function RuleTester({ projects, stamp }: RuleTesterProps) {
  const { guard: text } = useFullMessages();
  const [projectId, setProject] = useState(projects[0]?.id);
  const [kind, setKind] = useState<(typeof testKinds)[number]>("exec");
  const [typed, setTyped] = useState("");
  const target = useDeferredValue(typed.trim());
  const tested = useCommandQuery(
    "rules.test",
    target === "" || projectId === undefined ? skipToken : { projectId, mode: "ask", kind, target },
    { retry: false, gcTime: 0, stamp },
  );
  return (
    <section aria-label={text.tryTitle} className="py-3">
      <h3 className="font-medium">{text.tryTitle}</h3>
      <p className="mb-2 text-ink-muted">{text.tryNote}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={text.tryKind}
          value={kind}
          options={testKinds.map((value) => ({ value, label: text.tryKinds[value] }))}
          onChange={setKind}
        />
        {projects.length > 1 && (
          <Select
            aria-label={text.project}
            value={String(projectId ?? "")}
            options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(id) => setProject(projects.find((project) => project.id === id)?.id)}
            className="max-w-52"
          />
        )}
        <TextField
          mono
          value={typed}
          maxLength={limits.commandMaxChars}
          aria-label={text.tryTarget}
          placeholder={kind === "exec" ? text.tryExamples.command : text.tryExamples.path}
          onChange={(event) => setTyped(event.target.value)}
          className="min-w-48 flex-1"
        />
      </div>
      <p role="status" className="mt-2 flex min-h-6 flex-wrap items-center gap-2">
        {target !== "" && tested.data !== undefined && <DecisionResult decision={tested.data.decision} />}
      </p>
    </section>
  );
}

function DecisionResult({ decision }: { readonly decision: Decision }) {
  const { guard: text } = useFullMessages();
  const rules = useCommandQuery("rules.list", {}).data?.rules ?? [];
  const rule = decision.kind === "ask" ? undefined : rules.find(({ id }) => id === decision.rule);
  return (
    <>
      <Chip tone={decisionTone[decision.kind]}>{text.would[decision.kind]}</Chip>
      <span className="text-ink-muted">{text.reasons[decision.reason]}</span>
      {rule !== undefined && <code className="text-code break-all">{formatRulePattern(rule)}</code>}
      {rule === undefined && decision.kind === "refuse" && (
        <code className="text-code break-all">{decision.detail}</code>
      )}
    </>
  );
}
