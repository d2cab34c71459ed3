"use client";
/** The built-in engine: its program, its models, and model files of other programs that it can use. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { AgentError, ErrorCode } from "@/lib/events/error";
import type { EngineState, ForeignModel } from "@/lib/models/engine";
import type { CommandInput } from "@/lib/protocol/command";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { TextField } from "../../../ui/controls/text-field";
import { Skeleton } from "../../../ui/indicators/skeleton";
import { ModelDownloads, ModelSuggestions, TooLargeDialog } from "./engine-downloads";
import { EngineError } from "./engine-error";
import { EngineModelRow } from "./engine-model-row";
import { ProgramPart } from "./engine-program";
import { engineQuery, foreignModelsQuery } from "./engine-queries";
import { engineErrorText } from "./engine-texts";
import { downloadProblemText, useDownloadModel } from "./use-download-model";

export function EngineSection() {
  const messages = useFullMessages();
  const text = messages.engine;
  const { call } = useClient();
  const engine = useQuery(engineQuery(call));
  const { data: state } = engine;
  return (
    <section aria-label={text.title} className="mb-8 grid gap-3">
      <div>
        <h2 className="mb-1 text-title font-semibold">{text.title}</h2>
        <p className="max-w-[68ch] text-ink-muted">{text.about}</p>
      </div>
      {state === undefined ? (
        <Skeleton label={messages.common.loading} className="h-24" />
      ) : (
        <>
          <ProgramPart state={state} busy={engine.isFetching} onAgain={() => void engine.refetch()} />
          <EngineModels state={state} />
          <ModelDownloads downloads={state.downloads} />
          <FoundModels state={state} />
          <ModelSuggestions state={state} />
          <AddForm ram={state.memory.ram} />
        </>
      )}
    </section>
  );
}

function EngineModels({ state }: { readonly state: EngineState }) {
  const text = useFullMessages().engine;
  if (state.models.length === 0)
    return state.downloads.length === 0 ? <p className="text-ink-muted">{text.none}</p> : null;
  return (
    <ul
      aria-label={text.models}
      className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
    >
      {state.models.map((model) => (
        <EngineModelRow key={model.name} model={model} run={state.run} program={state.program} />
      ))}
    </ul>
  );
}

/** Adds a model and says how to use it; resolves with null, or with why it was not added. */
function useAddModel(): (input: CommandInput<"engine.add">) => Promise<AgentError | null> {
  const text = useFullMessages().engine;
  const { call, toasts } = useClient();
  const cache = useQueryClient();
  return async (input) => {
    const answer = await call("engine.add", input);
    if (!answer.ok) return answer.error;
    cache.setQueryData(["engine"], answer.value);
    void cache.invalidateQueries({ queryKey: ["engine", "found"] });
    toasts.show({ text: text.added(answer.value.models.at(-1)?.name ?? "") });
    return null;
  };
}

function addProblemText(error: AgentError, messages: ReturnType<typeof useFullMessages>): string {
  const { engine: text } = messages;
  const sentences: { readonly [code in ErrorCode]?: string } = {
    exists: text.exists,
    not_found: text.noFile,
    bad_path: text.notAbsolute,
  };
  return sentences[error.code] ?? engineErrorText(error, messages);
}

/** Nothing while no other program has models that are not used yet. */
function FoundModels({ state }: { readonly state: EngineState }) {
  const text = useFullMessages().engine;
  const { call } = useClient();
  const found = useQuery(foreignModelsQuery(call));
  const models = (found.data ?? []).filter(({ file }) => !state.models.some((model) => model.file === file));
  if (models.length === 0) return null;
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">{text.foundTitle}</h3>
      <ul
        aria-label={text.foundTitle}
        className="max-h-72 divide-y divide-line overflow-auto rounded-card border border-line"
      >
        {models.map((model) => (
          <FoundRow key={model.file} model={model} />
        ))}
      </ul>
    </div>
  );
}

function FoundRow({ model: { name, file, projector, from, size } }: { readonly model: ForeignModel }) {
  const messages = useFullMessages();
  const text = messages.engine;
  const add = useAddModel();
  const [isAdding, setIsAdding] = useState(false);
  const [problem, setProblem] = useState<AgentError | null>(null);
  const use = async (): Promise<void> => {
    setIsAdding(true);
    setProblem(await add({ file, name, projector }));
    setIsAdding(false);
  };
  return (
    <li className="grid gap-1 py-2 pr-2.5 pl-3.5">
      <div className="flex items-center gap-3">
        <div className="grid min-w-0 flex-1">
          <p title={file} className="cut font-mono text-code">
            {name}
          </p>
          <p className="text-small text-ink-muted tabular-nums">
            {messages.figures.bytes(size)} · {text.from[from]}
          </p>
        </div>
        <Button size="small" busy={isAdding} aria-label={text.useOne(name)} onClick={() => void use()}>
          {text.use}
        </Button>
      </div>
      {problem !== null && <EngineError error={problem} sentence={addProblemText(problem, messages)} />}
    </li>
  );
}

/** Everything else is a name on Hugging Face; `./m.gguf` is refused as a path that is not whole. */
const isFilePath = (text: string): boolean => /^(?:[/\\~.]|[A-Za-z]:[\\/])/.test(text) || /^[^/:]+\.gguf$/i.test(text);

/** `ram` = memory of this machine, bytes. */
function AddForm({ ram }: { readonly ram: number }) {
  const messages = useFullMessages();
  const text = messages.engine;
  const add = useAddModel();
  const download = useDownloadModel();
  const [typed, setTyped] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  const [problem, setProblem] = useState<{ readonly error: AgentError; readonly sentence: string } | null>(null);
  const problemId = useId();
  const [tooLarge, setTooLarge] = useState<{ readonly name: string; readonly neededBytes: number } | null>(null);
  const begin = async (mustFit: boolean): Promise<void> => {
    const name = typed.trim();
    if (name === "" || isAdding) return;
    const isFile = isFilePath(name);
    setTooLarge(null);
    setIsAdding(true);
    const error = await (isFile ? add({ file: name }) : download(name, mustFit));
    setIsAdding(false);
    const neededBytes = error?.facts?.neededBytes;
    if (error?.code === "out_of_memory" && typeof neededBytes === "number") return setTooLarge({ name, neededBytes });
    if (error === null) setTyped("");
    const sentenceOf = isFile ? addProblemText : downloadProblemText;
    setProblem(error === null ? null : { error, sentence: sentenceOf(error, messages) });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void begin(true);
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <h3 className="font-medium">{text.addTitle}</h3>
      <div className="flex max-w-120 gap-2">
        <TextField
          mono
          value={typed}
          aria-label={text.addLabel}
          placeholder={text.addExample}
          invalid={problem !== null}
          aria-describedby={problem === null ? undefined : problemId}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
          }}
        />
        <Button type="submit" busy={isAdding} disabled={typed.trim() === ""}>
          {text.add}
        </Button>
      </div>
      <div id={problemId}>{problem !== null && <EngineError {...problem} mirror="modelHub" />}</div>
      {tooLarge !== null && (
        <TooLargeDialog {...tooLarge} ram={ram} onYes={() => void begin(false)} onClose={() => setTooLarge(null)} />
      )}
    </form>
  );
}
