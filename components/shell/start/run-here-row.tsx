"use client";
/** Row of the setup card: downloads llama.cpp and a model for this machine, with everything that is fetched named before. */
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { EngineOffer, EngineState, OfferedBuild, SuggestedModel, ForeignModel } from "@/lib/models/engine";
import { assumedBitsPerSecond, estimateSetup } from "@/lib/models/estimate-setup";
import { openSuggestions } from "@/lib/models/open-suggestions";
import { minuteMs } from "@/lib/time/duration";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { DownloadRow } from "../../settings/models/engine/engine-downloads";
import { EngineError } from "../../settings/models/engine/engine-error";
import { InstallForm, InstallProgress } from "../../settings/models/engine/engine-program";
import { createKeptDrafts } from "../../state/kept-drafts";
import { useCommandQuery } from "../../state/use-command-query";
import { useClient } from "../../state/client";
import { performCommand } from "../../state/command-answers";
import { downloadProblemText } from "../../settings/models/engine/download-problem-text";
import { useChange } from "../../state/use-change";
import { Button } from "../../ui/controls/button";
import { Skeleton } from "../../ui/indicators/skeleton";
import { withBasePath } from "../../state/base-path";
import { addProblemText } from "../../settings/models/engine/use-add-model";
import { useFoundModel, useFoundModels } from "../../settings/models/engine/use-found-models";

interface ModelHereProps {
  readonly state: EngineState;
}

/**
 * Part of the row for a model that another program has downloaded: only llama.cpp may be missing. The largest
 * that fits; nothing if there is none.
 */
function ModelHere({ state }: ModelHereProps) {
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

/** Nothing if no engine suits this machine. `isMain` = its button is the filled one of the screen. */
export function RunHereRow({ isMain }: { readonly isMain: boolean }) {
  const messages = useFullMessages();
  const text = messages.engine;
  const { data: state } = useCommandQuery("engine.state", {});
  const card = useRef<HTMLElement>(null);
  if (state === undefined) return <Skeleton label={messages.common.loading} className="m-4 h-36" />;
  const isRunning = state.downloads.length > 0 || state.install !== undefined || hasPart(state.offer);
  const isOffered = offeredModels(state).length > 0;
  const hasEngine = state.program !== null || state.offer !== undefined;
  if (!isRunning && !hasEngine) return null;
  return (
    <section ref={card} tabIndex={-1} aria-label={text.hereTitle} className="grid gap-3 p-4">
      <p className="font-medium">{text.hereTitle}</p>
      {isRunning ? (
        <RunningPart state={state} card={card} />
      ) : (
        <OfferPart key={state.hub} state={state} card={card} isMain={isMain} />
      )}
      {!isRunning && state.installFailure !== undefined && (
        <EngineError error={state.installFailure} mirror="engineMirror" />
      )}
      {!isRunning && <ModelHere state={state} />}
      {(isRunning || !isOffered) && <MoreModels />}
    </section>
  );
}

/** A part of the program has arrived: its download was paused, or has failed. */
const hasPart = (offer: EngineOffer | undefined): boolean =>
  offer?.builds.some(({ received }) => received !== undefined) === true;

interface PartProps {
  readonly state: EngineState;
  readonly card: RefObject<HTMLElement | null>;
}

/** The card gets the focus of a button that goes with its part. */
function useFocusOfPart(card: PartProps["card"]): void {
  useLayoutEffect(
    () => () => {
      if (card.current?.contains(document.activeElement) === true) card.current.focus();
    },
    [card],
  );
}

function RunningPart({ state, card }: PartProps) {
  useFocusOfPart(card);
  const { program, install, offer, installFailure, downloads } = state;
  // Its download was paused, or has failed: the model is of no use without it.
  const missing = program === null && install === undefined ? offer : undefined;
  return (
    <div className="grid gap-2">
      {install !== undefined && <InstallProgress step={install} />}
      {missing !== undefined && <InstallForm offer={missing} failure={installFailure} />}
      {downloads.map((download) => (
        <div key={download.reference} className="rounded-card border border-line bg-raised">
          <DownloadRow download={download} isMain={missing === undefined && downloads.length === 1} />
        </div>
      ))}
    </div>
  );
}

interface Start {
  /** Reference of the chosen model; absent = the first one. */
  readonly chosen?: string;
  /** Why its download was refused. */
  readonly problem: AgentError | null;
}

/** By the host of the models: what another one has refused is not shown any more. */
const useKeptStart = createKeptDrafts<Start>();

/** Returns the sentence that names each download with its size and host; `build` absent = the program is there. */
function planText(
  { engine: text, figures }: FullMessages,
  { name, bytes }: SuggestedModel,
  build: OfferedBuild | undefined,
  { hub, offer }: EngineState,
): string {
  const size = figures.bytes(bytes);
  if (build === undefined || offer === undefined) return text.herePlan(name, size, hub);
  const engineSize = figures.bytes(build.bytes);
  return offer.from === hub
    ? text.hereBothFrom(engineSize, name, size, hub)
    : text.herePlanWithEngine(engineSize, offer.from, name, size, hub);
}

interface OfferedModel {
  readonly kind: "quick" | "best";
  readonly model: SuggestedModel;
}

/** Returns the smallest model that can work as an agent, and the best one where that is another. */
function offeredModels(state: EngineState): readonly OfferedModel[] {
  const fitting = openSuggestions(state).filter(({ fit }) => fit !== "too_large");
  const [best] = fitting;
  const [quick = best] = fitting
    .filter(({ verdict }) => verdict !== "chat" && verdict !== "unusable")
    .toSorted((one, other) => one.bytes - other.bytes);
  if (best === undefined || quick === undefined) return [];
  return quick === best
    ? [{ kind: "best", model: best }]
    : [
        { kind: "quick", model: quick },
        { kind: "best", model: best },
      ];
}

/** The choice and the refusal are also there at another width of the window, which renders the row again. */
function OfferPart({ state, card, isMain }: PartProps & { readonly isMain: boolean }) {
  useFocusOfPart(card);
  const messages = useFullMessages();
  const text = messages.engine;
  const { perform } = useChange("toast");
  const client = useClient();
  const { initial, keep } = useKeptStart(state.hub);
  const [{ chosen, problem }, setStart] = useState<Start>(initial ?? { problem: null });
  const [isStarting, setIsStarting] = useState(false);
  const change = (next: Start): void => {
    keep(next);
    setStart(next);
  };
  const models = offeredModels(state);
  const model = (models.find((one) => one.model.reference === chosen) ?? models[0])?.model;
  const build = state.program === null ? state.offer?.builds[0] : undefined;
  const size = messages.figures.bytes;
  if (model === undefined) return <p className="text-ink-muted">{text.hereNoneFits(size(state.memory.ram))}</p>;
  const start = async (): Promise<void> => {
    setIsStarting(true);
    // The model first: without it the engine is of no use.
    const answer = await performCommand(client, "engine.download", { model: model.reference });
    change({ chosen, problem: answer.ok ? null : answer.error });
    if (answer.ok && build !== undefined) await perform("engine.install", { build: build.kind });
    setIsStarting(false);
  };
  return (
    <>
      <ModelChoice
        models={models}
        chosen={model.reference}
        state={state}
        extraBytes={build?.bytes ?? 0}
        onChoose={(next) => change({ chosen: next, problem: null })}
      />
      <div className="grid gap-0.5 text-small text-ink-muted">
        {state.hubProblem === undefined ? (
          <p>{planText(messages, model, build, state)}</p>
        ) : (
          <EngineError error={state.hubProblem} />
        )}
        <p>
          {joinSentences(messages, [
            text.hereNeeds(size(model.memoryBytes), size(state.memory.ram)),
            text.licensed(model.license),
          ])}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look={isMain ? "primary" : "plain"}
          busy={isStarting}
          disabled={state.hubProblem !== undefined}
          onClick={() => void start()}
        >
          {text.hereStart}
        </Button>
        <MoreModels />
      </div>
      {problem !== null && (
        <EngineError error={problem} sentence={downloadProblemText(problem, messages, state.hub)} mirror="modelHub" />
      )}
    </>
  );
}

function MoreModels() {
  return (
    <a
      href={withBasePath("/settings/model")}
      className="justify-self-start text-accent hover:underline max-tablet:py-2.5"
    >
      {useFullMessages().engine.hereMore}
    </a>
  );
}

interface ModelChoiceProps {
  readonly models: readonly OfferedModel[];
  /** Its reference. */
  readonly chosen: string;
  readonly state: EngineState;
  /** Size of the downloads beside the model. */
  readonly extraBytes: number;
  readonly onChoose: (reference: string) => void;
}

function ModelChoice({ models, chosen, state, extraBytes, onChoose }: ModelChoiceProps) {
  const messages = useFullMessages();
  const text = messages.engine;
  return (
    <fieldset className="grid gap-2 tablet:grid-cols-[repeat(auto-fit,minmax(210px,1fr))]">
      <legend className="sr-only">{text.hereModel}</legend>
      {models.map(({ kind, model }) => (
        <label
          key={kind}
          className="grid cursor-pointer content-start gap-0.5 rounded-control border border-line px-3 py-2 hover:bg-hover has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <span className="flex items-center gap-2 font-medium">
            <input
              type="radio"
              name="setup-model"
              checked={model.reference === chosen}
              onChange={() => onChoose(model.reference)}
              className="accent-accent outline-none"
            />
            {text.hereKinds[kind]}
          </span>
          <span className="[overflow-wrap:anywhere]">
            {model.name}
            {model.fit === "fits" ? "" : ` (${text.fits[model.fit]})`}
          </span>
          {estimateTexts(messages, model, state, extraBytes).map((line) => (
            <span key={line} className="text-small text-ink-muted tabular-nums">
              {line}
            </span>
          ))}
        </label>
      ))}
    </fieldset>
  );
}

/** "3.4 GB · about 18 min at 25 Mbit/s", "about 10 tok/s" */
function estimateTexts(
  { engine: text, figures }: FullMessages,
  model: SuggestedModel,
  state: EngineState,
  extraBytes: number,
): readonly string[] {
  const { minutes, isAssumed, tokensPerSecond, isMeasured } = estimateSetup(model, { ...state, extraBytes });
  const time = figures.duration(minutes * minuteMs);
  const speed = figures.speed(tokensPerSecond);
  const rate = `${assumedBitsPerSecond / 1e6}\u00a0Mbit/s`;
  return [
    `${figures.bytes(model.bytes)} · ${isAssumed ? text.hereMinutesAt(time, rate) : text.hereAbout(time)}`,
    isMeasured ? text.hereMeasured(speed) : text.hereAbout(speed),
  ];
}
