"use client";
/** Shows the decision for a typed command or path under the current rules. Runs nothing. */
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { type Decision, ruleText } from "@/lib/policy";
import type { Project } from "@/lib/project";
import { limits } from "@/lib/settings";
import { useClient } from "../../state/client";
import { queries, valueOf } from "../../state/queries";
import { Chip, type Tone } from "../../ui/chip";
import { Select } from "../../ui/select";
import { TextField } from "../../ui/text-field";
import { useFullWords } from "../../words/full-words";

const kinds = ["exec", "read", "write", "delete"] as const;
const tone: Record<Decision["kind"], Tone> = { allow: "accent", ask: "ask", refuse: "danger" };

export interface RuleTesterProps {
  readonly projects: readonly Project[];
  /** Changes with the rules. */
  readonly stamp: number;
}

export function RuleTester({ projects, stamp }: RuleTesterProps) {
  const { guard: text } = useFullWords();
  const { call } = useClient();
  const [projectId, setProject] = useState(projects[0]?.id);
  const [kind, setKind] = useState<(typeof kinds)[number]>("exec");
  const [typed, setTyped] = useState("");
  const target = useDeferredValue(typed.trim());
  const tested = useQuery({
    queryKey: ["ruleTest", projectId, kind, target, stamp],
    enabled: target !== "" && projectId !== undefined,
    retry: false,
    gcTime: 0,
    queryFn: async () =>
      projectId === undefined
        ? null
        : (await valueOf(call, "rules.test", { projectId, mode: "ask", kind, target })).decision,
  });
  return (
    <section aria-label={text.tryTitle} className="py-3">
      <h3 className="font-medium">{text.tryTitle}</h3>
      <p className="mb-2 text-ink-muted">{text.tryNote}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={text.tryKind}
          value={kind}
          options={kinds.map((value) => ({ value, label: text.tryKinds[value] }))}
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
        {target !== "" && tested.data !== undefined && tested.data !== null && <Told decision={tested.data} />}
      </p>
    </section>
  );
}

function Told({ decision }: { readonly decision: Decision }) {
  const { guard: text } = useFullWords();
  const rules = useQuery(queries.rules(useClient().call)).data?.rules ?? [];
  const rule = decision.kind === "ask" ? undefined : rules.find(({ id }) => id === decision.rule);
  return (
    <>
      <Chip tone={tone[decision.kind]}>{text.would[decision.kind]}</Chip>
      <span className="text-ink-muted">{text.reasons[decision.reason]}</span>
      {rule !== undefined && <code className="text-code break-all">{ruleText(rule)}</code>}
      {rule === undefined && decision.kind === "refuse" && (
        <code className="text-code break-all">{decision.detail}</code>
      )}
    </>
  );
}
