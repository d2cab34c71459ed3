"use client";
/** The built-in engine: its program, its models, and model files of other programs that it can use. */
import type { EngineState, ForeignModel } from "@/lib/models/engine";
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import { LoadedQuery } from "../../item-section/project-section";
import { AddModelForm } from "./add-model-form";
import { ModelDownloads, ModelSuggestions } from "./engine-downloads";
import { EngineError } from "./engine-error";
import { EngineModelRow } from "./engine-model-row";
import { ProgramPart } from "./engine-program";
import { memoryNeedText } from "./engine-texts";
import { addProblemText } from "./use-add-model";
import { useFoundModel, useFoundModels } from "./use-found-models";
import { useCommandQuery } from "../../../state/use-command-query";
import { ItemList } from "../../item-section/item-section";
import { SectionTitle } from "../../item-section/section-title";

export function EngineSection() {
  const { engine: text } = useFullMessages();
  const engine = useCommandQuery("engine.state", {});
  return (
    <section aria-label={text.title} className="mb-8 grid gap-3">
      <div>
        <SectionTitle title={text.title} />
        <p className="max-w-[68ch] text-ink-muted">{text.about}</p>
      </div>
      <LoadedQuery query={engine}>
        {(state) => (
          <>
            <ProgramPart state={state} busy={engine.isFetching} onAgain={() => void engine.refetch()} />
            <EngineModels state={state} />
            <ModelDownloads downloads={state.downloads} />
            <FoundModels state={state} />
            <ModelSuggestions state={state} />
            <AddModelForm ram={state.memory.ram} hub={state.hub} />
          </>
        )}
      </LoadedQuery>
    </section>
  );
}

function EngineModels({ state }: { readonly state: EngineState }) {
  const text = useFullMessages().engine;
  if (state.models.length === 0)
    return state.downloads.length === 0 ? <p className="text-ink-muted">{text.none}</p> : null;
  return (
    <ItemList label={text.models}>
      {state.models.map((model) => (
        <EngineModelRow key={model.name} model={model} run={state.run} program={state.program} />
      ))}
    </ItemList>
  );
}

/** Nothing while no other program has models that are not used yet. */
function FoundModels({ state }: { readonly state: EngineState }) {
  const text = useFullMessages().engine;
  const models = useFoundModels(state);
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

function FoundRow({ model }: { readonly model: ForeignModel }) {
  const { name, file, from, size } = model;
  const messages = useFullMessages();
  const text = messages.engine;
  const { isAdding, problem, use } = useFoundModel(model);
  return (
    <li className="grid gap-1 py-2 pr-2.5 pl-3.5">
      <div className="flex items-center gap-3">
        <div className="grid min-w-0 flex-1">
          <p title={file} className="cut font-mono text-code">
            {name}
          </p>
          <p className="text-small text-ink-muted tabular-nums">
            {[messages.figures.bytes(size), memoryNeedText(model, messages), text.from[from]].join(" · ")}
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
