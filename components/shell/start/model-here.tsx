"use client";
/** Row of the first-run card for a model that another program has downloaded: only llama.cpp may be missing. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { EngineState } from "@/lib/models/engine";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { EngineError } from "../../settings/models/engine/engine-error";
import { addProblemText, useAddModel } from "../../settings/models/engine/use-add-model";
import { useCallWithToast } from "../../settings/use-call-with-toast";
import { useClient } from "../../state/client";
import { foreignModelsQuery } from "../../state/engine-queries";
import { Button } from "../../ui/controls/button";

/** The largest that fits; nothing if there is none. */
export function ModelHere({ state: { program, offer } }: { readonly state: EngineState }) {
  const messages = useFullMessages();
  const { engine: text, figures } = messages;
  const { call } = useClient();
  const callWithToast = useCallWithToast();
  const add = useAddModel();
  const found = useQuery(foreignModelsQuery(call));
  const [isAdding, setIsAdding] = useState(false);
  const [problem, setProblem] = useState<AgentError | null>(null);
  const [model] = (found.data ?? [])
    .filter(({ fit }) => fit === "fits")
    .toSorted((one, other) => other.size - one.size);
  if (model === undefined) return null;
  const { name, file, projector, from, size } = model;
  const build = program === null ? offer?.builds[0] : undefined;
  const use = async (): Promise<void> => {
    setIsAdding(true);
    const refusal = await add({ file, name, projector });
    setProblem(refusal);
    if (refusal === null && build !== undefined) await callWithToast("engine.install", { build: build.kind });
    setIsAdding(false);
  };
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
