"use client";
/** Editor for `config.yaml` or `models.yaml` with problems by line. The draft is retained until the page is left. */
import { lazy, Suspense, useEffect, useId, useMemo, useState } from "react";
import { type ConfigFile, type ConfigProblem, isWarning } from "@/lib/settings/config-keys";
import type { AgentError } from "@/lib/events/error";
import type { YamlKey } from "../../ui/code-editor/complete-yaml-keys";
import { type AppClient, useClient } from "../../state/client";
import { commandQuery, invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { CopyButton } from "../../ui/controls/copy-button";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { LoadedQuery } from "../item-section/project-section";
import { configProblemText } from "./config-problem-text";
import { SectionTitle } from "../item-section/section-title";

/** Commands and catalogue key of each file. */
const configFiles = {
  config: { read: "config.read", write: "config.write", words: "file" },
  models: { read: "config.read_models", write: "config.write_models", words: "modelsFile" },
} as const;

type ConfigFileName = keyof typeof configFiles;

interface Draft {
  /** The file that was changed. */
  readonly base: ConfigFile;
  readonly text: string;
}

const draftsByClient = new WeakMap<AppClient, Map<ConfigFileName, Draft>>();

function draftsOf(client: AppClient): Map<ConfigFileName, Draft> {
  const drafts = draftsByClient.get(client) ?? new Map<ConfigFileName, Draft>();
  draftsByClient.set(client, drafts);
  return drafts;
}

const YamlField = lazy(async () => ({ default: (await import("../../ui/code-editor/yaml-field")).YamlField }));
const noKeys: readonly YamlKey[] = [];
const noProblems: readonly ConfigProblem[] = [];

interface ConfigFileSettingProps {
  readonly name: ConfigFileName;
  /** Keys that are completed in the text. */
  readonly keys?: readonly YamlKey[];
}

export function ConfigFileSetting({ name, keys = noKeys }: ConfigFileSettingProps) {
  const messages = useFullMessages();
  const { cache } = useClient();
  const text = messages.config[configFiles[name].words];
  const { read } = configFiles[name];
  const query = useCommandQuery(read, {});
  return (
    <section aria-label={text.title} className="mb-8">
      <SectionTitle title={text.title} />
      <p className="mb-3 max-w-[64ch] text-ink-muted">{text.note}</p>
      <LoadedQuery query={query}>
        {(file) => (
          <ConfigEditor
            name={name}
            keys={keys}
            file={file}
            onSaved={(saved) => cache.setQueryData(commandQuery(read, {}).queryKey, saved)}
          />
        )}
      </LoadedQuery>
    </section>
  );
}

interface ConfigEditorProps extends Required<ConfigFileSettingProps> {
  readonly file: ConfigFile;
  readonly onSaved: (file: ConfigFile) => void;
}

function ConfigEditor({ name, keys, file, onSaved }: ConfigEditorProps) {
  const messages = useFullMessages();
  const text = messages.config.file;
  const { title, placeholder } = messages.config[configFiles[name].words];
  const client = useClient();
  const { call, cache } = client;
  const drafts = draftsOf(client);
  const [base, setBase] = useState(drafts.get(name)?.base ?? file);
  const [draft, setDraft] = useState(drafts.get(name)?.text ?? file.text);
  const [problems, setProblems] = useState(file.problems);
  const [isRefused, setRefused] = useState(false);
  const [failure, setFailure] = useState<AgentError | null>(null);
  const isDirty = draft !== base.text;
  const hasConflict = (isDirty && file.text !== base.text) || failure?.code === "changed_meanwhile";
  const problemLines = useMemo(
    () => (isRefused ? problems : noProblems).filter((one) => !isWarning(one)).map(({ line }) => line),
    [isRefused, problems],
  );
  const problemsId = useId();
  useEffect(() => {
    if (isDirty) drafts.set(name, { base, text: draft });
    else drafts.delete(name);
  }, [drafts, name, isDirty, base, draft]);
  useEffect(() => {
    if (isDirty) return;
    setBase(file);
    setDraft(file.text);
    setProblems(file.problems);
  }, [file, isDirty]);
  const save = async (): Promise<void> => {
    const answer = await call(configFiles[name].write, { text: draft, before: base.text });
    setFailure(answer.ok ? null : answer.error);
    setRefused(answer.ok && !answer.value.saved);
    if (!answer.ok) return;
    setProblems(answer.value.file.problems);
    if (!answer.value.saved) return;
    setBase(answer.value.file);
    onSaved(answer.value.file);
  };
  const reload = (): void => {
    setDraft(base.text);
    setFailure(null);
    setRefused(false);
    void invalidateCommands(cache, [configFiles[name].read]);
  };
  return (
    <div className="grid gap-2">
      <div className="flex min-w-0 items-center gap-1 text-small text-ink-muted">
        <code className="cut font-mono">{file.path}</code>
        <CopyButton text={() => file.path} name={text.copyPath} doneName={messages.common.copied} />
      </div>
      <Suspense fallback={<Skeleton label={messages.common.loading} className="h-40" />}>
        <YamlField
          value={draft}
          label={title}
          describedBy={problemsId}
          placeholder={placeholder}
          keys={keys}
          problemLines={problemLines}
          onChange={setDraft}
          onSave={() => {
            if (isDirty) void save();
          }}
        />
      </Suspense>
      <div id={problemsId} role="status">
        <Problems problems={problems} isRefused={isRefused} />
        {hasConflict && <p className="text-danger">{text.changedMeanwhile}</p>}
        {failure !== null && failure.code !== "changed_meanwhile" && (
          <p className="text-danger">{messages.errors.sentences[failure.code]}</p>
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

interface ProblemsProps {
  readonly problems: readonly ConfigProblem[];
  /** The text was not saved because of these problems. */
  readonly isRefused: boolean;
}

/** Lists the problems: rejected values first, values without effect after them. */
function Problems({ problems, isRefused }: ProblemsProps) {
  const messages = useFullMessages();
  const text = messages.config.file;
  const sorted = problems.toSorted((one, other) => Number(isWarning(one)) - Number(isWarning(other)));
  return (
    <ul className="grid gap-1">
      {sorted.map((problem, index) => (
        <li
          key={`${problem.line}:${problem.column}:${problem.key ?? ""}`}
          className={isWarning(problem) ? "text-ink-muted" : "text-danger"}
        >
          {joinSentences(messages, [
            isRefused && index === 0 ? text.notSaved : "",
            problem.line > 0 ? text.line(problem.line) : "",
            configProblemText(problem, text),
          ])}
        </li>
      ))}
    </ul>
  );
}
