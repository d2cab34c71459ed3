"use client";
/** Adds a model by the path of its file, or shows what a name on Hugging Face stands for, with its download. */
import { type FormEvent, useId, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { ModelPreview } from "@/lib/models/engine";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { TextField } from "../../../ui/controls/text-field";
import { DownloadOffer, type DownloadOfferProps } from "./download-offer";
import { EngineError } from "./engine-error";
import { addProblemText, useAddModel } from "./use-add-model";
import { downloadProblemText } from "./download-problem-text";

/** Everything else is a name on Hugging Face; `./m.gguf` is refused as a path that is not whole. */
const isFilePath = (text: string): boolean => /^(?:[/\\~.]|[A-Za-z]:[\\/])/.test(text) || /^[^/:]+\.gguf$/i.test(text);

interface Outcome {
  readonly problem?: { readonly error: AgentError; readonly sentence: string };
  /** The model that the name stands for; absent = there is none, or a file was added. */
  readonly offer?: ModelPreview;
}

/** Resolves with what a typed text leads to. */
function useOutcomeOf(hub: string): (typed: string) => Promise<Outcome> {
  const messages = useFullMessages();
  const { call } = useClient();
  const add = useAddModel();
  return async (typed) => {
    if (isFilePath(typed)) {
      const error = await add({ file: typed });
      return error === null ? {} : { problem: { error, sentence: addProblemText(error, messages) } };
    }
    const answer = await call("engine.preview", { model: typed });
    if (answer.ok) return { offer: answer.value };
    return { problem: { error: answer.error, sentence: downloadProblemText(answer.error, messages, hub) } };
  };
}

export function AddModelForm({ ram, hub }: Pick<DownloadOfferProps, "ram" | "hub">) {
  const text = useFullMessages().engine;
  const outcomeOf = useOutcomeOf(hub);
  const [typed, setTyped] = useState("");
  const [isAdding, setIsAdding] = useState(false);
  const [{ problem, offer }, setOutcome] = useState<Outcome>({});
  const problemId = useId();
  /** The text that is looked up; null = it was changed since. */
  const wanted = useRef<string | null>(null);
  const reset = (next: string): void => {
    wanted.current = null;
    setTyped(next);
    setIsAdding(false);
    setOutcome({});
  };
  const begin = async (): Promise<void> => {
    const name = typed.trim();
    if (name === "" || isAdding) return;
    wanted.current = name;
    setIsAdding(true);
    const outcome = await outcomeOf(name);
    if (wanted.current !== name) return;
    setIsAdding(false);
    setOutcome(outcome);
    if (outcome.problem === undefined && outcome.offer === undefined) setTyped("");
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void begin();
  };
  return (
    <div className="grid gap-2">
      <form onSubmit={submit} className="grid gap-2">
        <h3 className="font-medium">{text.addTitle}</h3>
        <div className="flex max-w-120 gap-2">
          <TextField
            mono
            value={typed}
            aria-label={text.addLabel}
            placeholder={text.addExample}
            invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            onChange={(event) => reset(event.target.value)}
          />
          <Button type="submit" busy={isAdding} disabled={typed.trim() === ""}>
            {text.add}
          </Button>
        </div>
        <div id={problemId}>{problem !== undefined && <EngineError {...problem} mirror="modelHub" />}</div>
      </form>
      <div role="status">
        {offer !== undefined && (
          <div className="overflow-hidden rounded-card border border-line bg-raised">
            <DownloadOffer model={offer} ram={ram} hub={hub} onStarted={() => reset("")} onClose={() => reset(typed)} />
          </div>
        )}
      </div>
    </div>
  );
}
