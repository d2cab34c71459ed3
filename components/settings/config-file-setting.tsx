"use client";
/** `config.yaml` as text: what is wrong with it by line, and saving it. The draft is kept while the page is open. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import type { ConfigFile, ConfigProblem } from "@/lib/config-keys";
import type { AgentError } from "@/lib/error";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { Skeleton } from "../ui/skeleton";
import { useFullWords } from "../words/full-words";

export function ConfigFileSetting() {
  const words = useFullWords();
  const { call, cache } = useClient();
  const text = words.config.file;
  const query = useQuery(queries.config(call));
  return (
    <section aria-label={text.title} className="mb-8">
      <h2 className="mb-1 text-title font-semibold">{text.title}</h2>
      <p className="mb-3 max-w-[64ch] text-ink-muted">{text.note}</p>
      {query.data === undefined ? (
        <Skeleton label={words.common.loading} className="h-40" />
      ) : (
        <ConfigEditor file={query.data} onSaved={(file) => cache.setQueryData(["config"], file)} />
      )}
    </section>
  );
}

interface ConfigEditorProps {
  readonly file: ConfigFile;
  readonly onSaved: (file: ConfigFile) => void;
}

function ConfigEditor({ file, onSaved }: ConfigEditorProps) {
  const words = useFullWords();
  const text = words.config.file;
  const { call, cache } = useClient();
  const [base, setBase] = useState(file);
  const [draft, setDraft] = useState(file.text);
  const [problems, setProblems] = useState(file.problems);
  const [failure, setFailure] = useState<AgentError | null>(null);
  const isDirty = draft !== base.text;
  const problemsId = useId();
  useEffect(() => {
    if (isDirty) return;
    setBase(file);
    setDraft(file.text);
    setProblems(file.problems);
  }, [file, isDirty]);
  const save = async (): Promise<void> => {
    const answer = await call("config.write", { text: draft, before: base.text });
    setFailure(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    setProblems(answer.value.file.problems);
    if (!answer.value.saved) return;
    setBase(answer.value.file);
    onSaved(answer.value.file);
  };
  const reload = (): void => {
    setDraft(base.text);
    setFailure(null);
    void cache.invalidateQueries({ queryKey: ["config"] });
  };
  return (
    <div className="grid gap-2">
      <div className="flex min-w-0 items-center gap-1 text-small text-ink-muted">
        <code className="cut font-mono">{file.path}</code>
        <CopyButton text={() => file.path} name={text.copyPath} doneName={words.common.copied} />
      </div>
      <textarea
        aria-label={text.title}
        aria-describedby={problemsId}
        value={draft}
        spellCheck={false}
        wrap="off"
        rows={Math.min(24, Math.max(8, draft.split("\n").length + 1))}
        placeholder={text.placeholder}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
          event.preventDefault();
          if (isDirty) void save();
        }}
        className="w-full resize-y rounded-card border border-line bg-raised px-3 py-2 font-mono text-code text-ink outline-none focus:border-accent focus:outline-1 focus:outline-accent max-tablet:text-field"
      />
      <div id={problemsId} role="status">
        <Problems problems={problems} />
        {failure !== null && (
          <p className="text-danger">
            {failure.code === "changed_meanwhile" ? text.changedMeanwhile : words.errors.sentences[failure.code]}
          </p>
        )}
      </div>
      {(isDirty || failure !== null) && (
        <div className="flex gap-2">
          <Button look="primary" onClick={() => void save()}>
            {text.save}
          </Button>
          <Button onClick={reload}>{text.discard}</Button>
        </div>
      )}
    </div>
  );
}

function Problems({ problems }: { readonly problems: readonly ConfigProblem[] }) {
  const text = useFullWords().config.file;
  if (problems.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {problems.map((problem) => (
        <li key={`${problem.line}:${problem.column}:${problem.key ?? ""}`} className="flex gap-2">
          {problem.line > 0 && <span className="shrink-0 text-ink-muted tabular-nums">{text.line(problem.line)}</span>}
          <span className={problem.code === "unknown_key" ? "text-ink-muted" : "text-danger"}>
            {problem.key !== undefined && <code className="font-mono text-code">{problem.key}</code>}{" "}
            {text.problems[problem.code]}
            {problem.detail !== undefined && <span className="text-ink-muted"> {problem.detail}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
