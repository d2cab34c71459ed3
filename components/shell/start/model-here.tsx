"use client";
/** Row of the first-run card for a model that another program has downloaded: only llama.cpp may be missing. */
import type { EngineState, ForeignModel } from "@/lib/models/engine";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { EngineError } from "../../settings/models/engine/engine-error";
import { addProblemText } from "../../settings/models/engine/use-add-model";
import { useFoundModel, useFoundModels } from "../../settings/models/engine/use-found-models";
import { useChange } from "../../settings/use-change";
import { Button } from "../../ui/controls/button";

interface ModelHereProps {
  readonly state: EngineState;
}

/** The largest that fits; nothing if there is none. */
export function ModelHere({ state }: ModelHereProps) {
  const [model] = useFoundModels(state)
    .filter(({ fit }) => fit === "fits")
    .toSorted((one, other) => other.size - one.size);
  return model === undefined ? null : <HereRow state={state} model={model} />;
}

function HereRow({ state: { program, offer }, model }: ModelHereProps & { readonly model: ForeignModel }) {
  const messages = useFullMessages();
  const { engine: text, figures } = messages;
  const { perform } = useChange("toast");
  const { name, file, from, size } = model;
  const build = program === null ? offer?.builds[0] : undefined;
  const { isAdding, problem, use } = useFoundModel(model, async () => {
    if (build !== undefined) await perform("engine.install", { build: build.kind });
  });
  return (
    <div className="grid gap-1 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-60">
          <p title={file} className="font-mono text-code font-medium [overflow-wrap:anywhere]">
            {name}
          </p>
          <p className="text-small text-ink-muted">
            {joinSentences(messages, [
              text.hereAlready(figures.bytes(size), text.from[from]),
              build === undefined || offer === undefined ? "" : text.hereEngine(figures.bytes(build.bytes), offer.from),
            ])}
          </p>
        </div>
        <Button busy={isAdding} onClick={() => void use()}>
          {text.useOne(name)}
        </Button>
      </div>
      {problem !== null && <EngineError error={problem} sentence={addProblemText(problem, messages)} />}
    </div>
  );
}
