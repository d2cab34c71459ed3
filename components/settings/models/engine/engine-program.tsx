"use client";
/** The program of the built-in engine: which one is there, or its download. */
import { X } from "lucide-react";
import { useState } from "react";
import type { EngineInstallStep, EngineOffer, EngineState, OfferedBuild } from "@/lib/models/engine";
import { engineErrorText } from "../../../messages/engine-error-text";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { Select } from "../../../ui/controls/select";
import { Progress } from "../../../ui/indicators/meter";
import { ConfirmDialog } from "../../../ui/overlays/confirm-dialog";
import { classes } from "../../../ui/theme/classes";
import { useChange } from "../../../state/use-change";
import { EngineError } from "./engine-error";
import { downloadText, modelInMemory } from "./engine-texts";

const guideHref = "https://github.com/ggml-org/llama.cpp/blob/master/docs/install.md";

interface ProgramPartProps {
  readonly state: EngineState;
  readonly busy: boolean;
  readonly onAgain: () => void;
}

export function ProgramPart({ state, busy, onAgain }: ProgramPartProps) {
  const { program, install, offer } = state;
  return (
    <div className="grid gap-2">
      {program === null ? (
        <MissingProgram state={state} busy={busy} onAgain={onAgain} />
      ) : (
        <ProgramLine program={program} run={state.run} />
      )}
      {install !== undefined && <InstallProgress step={install} />}
      {install === undefined && program?.update !== undefined && (
        <UpdateForm update={program.update} failure={state.installFailure} />
      )}
      {install === undefined && offer !== undefined && <InstallForm offer={offer} failure={state.installFailure} />}
    </div>
  );
}

interface ProgramLineProps extends Pick<EngineState, "run"> {
  readonly program: NonNullable<EngineState["program"]>;
}

function ProgramLine({ program, run }: ProgramLineProps) {
  const text = useFullMessages().engine;
  const { perform } = useChange("toast");
  const { toasts } = useClient();
  const [isAsking, setIsAsking] = useState(false);
  const loaded = modelInMemory(run);
  const uninstall = async (): Promise<void> => {
    const next = await perform("engine.uninstall", {});
    if (next === undefined) return;
    toasts.show({ text: text.uninstalled });
  };
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2.5 gap-y-2">
      <p role="status" className={statusClass}>
        <Dot isOn />
        <span className="min-w-0">
          <span className="font-medium">{text.runs(program.version)}</span>{" "}
          <span className="font-mono text-code text-ink-muted">{program.path}</span>
        </span>
      </p>
      {program.isInstalled && (
        <Button size="small" onClick={() => setIsAsking(true)}>
          {text.uninstall}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={text.uninstallTitle}
          yes={text.uninstall}
          onYes={() => {
            setIsAsking(false);
            void uninstall();
          }}
          onClose={() => setIsAsking(false)}
        >
          <p>{text.uninstallNote}</p>
          {loaded !== undefined && <p>{text.endsAnswer(loaded)}</p>}
        </ConfirmDialog>
      )}
    </div>
  );
}

function MissingProgram({ state: { problem, install }, busy, onAgain }: ProgramPartProps) {
  const messages = useFullMessages();
  const text = messages.engine;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2.5 gap-y-2">
      <p role="status" className={statusClass}>
        <Dot />
        {problemText(problem, messages)}
      </p>
      {install === undefined && (
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" busy={busy} onClick={onAgain}>
            {text.again}
          </Button>
          <a
            href={guideHref}
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent hover:underline max-tablet:py-2.5"
          >
            {text.guide}
          </a>
        </div>
      )}
    </div>
  );
}

function problemText(problem: EngineState["problem"], messages: ReturnType<typeof useFullMessages>): string {
  const text = messages.engine;
  if (problem === undefined) return text.missing;
  // Only a path that the user chose is reported as missing.
  if (problem.code !== "engine_missing") return engineErrorText(problem, messages);
  const { programPlaces } = text.sources;
  const place = problem.facts?.place;
  return place === "folder" || place === "file" ? programPlaces[place] : programPlaces.nothing;
}

/** The dot stays at the first line. */
const statusClass = "flex min-w-0 flex-1 basis-60 gap-2.5 [overflow-wrap:anywhere]";

const Dot = ({ isOn = false }: { readonly isOn?: boolean }) => (
  <span aria-hidden className={classes("mt-1.5 size-2 shrink-0 rounded-full", isOn ? "bg-accent" : "bg-ink-faint")} />
);

const cardClass = "grid gap-2 rounded-card border border-line bg-raised py-2.5 pr-2.5 pl-3.5";

interface InstallFormProps {
  readonly offer: EngineOffer;
  readonly failure: EngineState["installFailure"];
}

/** Offers the download of a build, or to continue it. */
export function InstallForm({ offer, failure }: InstallFormProps) {
  const { tag, from, builds } = offer;
  const messages = useFullMessages();
  const text = messages.engine;
  const { perform } = useChange("toast");
  const [chosen, setChosen] = useState(builds[0]?.kind ?? "cpu");
  const build = builds.find(({ kind }) => kind === chosen) ?? builds[0];
  const paused = findPaused(offer);
  if (paused !== undefined) return <PausedInstall build={paused} failure={failure} look="primary" />;
  if (build === undefined) return null;
  const size = messages.figures.bytes(build.bytes);
  return (
    <div className={cardClass}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 flex-1 basis-60">{text.offer(tag, from)}</p>
        <div className="flex flex-wrap items-center gap-2">
          {builds.length > 1 && (
            <Select
              aria-label={text.build}
              value={build.kind}
              options={builds.map(({ kind }) => ({ value: kind, label: text.builds[kind] }))}
              onChange={setChosen}
            />
          )}
          <Button look="primary" onClick={() => void perform("engine.install", { build: build.kind })}>
            {text.download(size)}
          </Button>
        </div>
      </div>
      {build.kind !== "cpu" && <p className="text-small text-ink-muted">{text.fallback}</p>}
      {failure !== undefined && <EngineError error={failure} mirror="engineMirror" />}
    </div>
  );
}

interface UpdateFormProps extends Pick<InstallFormProps, "failure"> {
  readonly update: EngineOffer;
}

/** Offers to replace the program by a newer release, or to continue its download. */
function UpdateForm({ update, failure }: UpdateFormProps) {
  const { tag, from, builds } = update;
  const messages = useFullMessages();
  const text = messages.engine;
  const { perform } = useChange("toast");
  const [build] = builds;
  const paused = findPaused(update);
  const note = failure === undefined ? undefined : text.updateFailed;
  if (paused !== undefined) return <PausedInstall build={paused} failure={failure} note={note} look="plain" />;
  if (build === undefined) return null;
  return (
    <div className={cardClass}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-0 flex-1 basis-60">{text.updateOffer(tag, from)}</p>
        <Button onClick={() => void perform("engine.install", { build: build.kind })}>
          {text.update(messages.figures.bytes(build.bytes))}
        </Button>
      </div>
      {failure !== undefined && (
        <div>
          <EngineError error={failure} mirror="engineMirror" />
          <p className="text-small text-ink-muted">{note}</p>
        </div>
      )}
    </div>
  );
}

interface PausedBuild extends OfferedBuild {
  readonly received: number;
}

/** The build of which a part has arrived. */
const findPaused = ({ builds }: EngineOffer): PausedBuild | undefined =>
  builds.flatMap((build) => (build.received === undefined ? [] : [{ ...build, received: build.received }]))[0];

interface PausedInstallProps extends Pick<InstallFormProps, "failure"> {
  readonly build: PausedBuild;
  /** Below the failure. */
  readonly note?: string;
  readonly look: "primary" | "plain";
}

/** A download that was paused, or has failed: it is continued, or its part is deleted. */
function PausedInstall({ build: { kind, bytes, received }, failure, note, look }: PausedInstallProps) {
  const { engine: text, figures } = useFullMessages();
  const { perform } = useChange("toast");
  const stopped = failure === undefined ? text.paused : text.failedAt;
  const again = failure === undefined ? text.resume : text.tryAgain;
  return (
    <div className={cardClass}>
      <div className="flex items-center gap-2">
        <InstallTitle build={kind} state={stopped(figures.bytes(received), figures.bytes(bytes))} />
        <Button
          size="small"
          look={look}
          aria-label={text.actionOn(again, text.programName)}
          onClick={() => void perform("engine.install", { build: kind })}
        >
          {again}
        </Button>
        <CancelInstall />
      </div>
      {failure !== undefined && <EngineError error={failure} mirror="engineMirror" />}
      {note !== undefined && <p className="text-small text-ink-muted">{note}</p>}
      {failure === undefined && <Progress label={text.progress} share={received / bytes} />}
    </div>
  );
}

interface InstallTitleProps extends Pick<EngineInstallStep, "build"> {
  /** "Paused at 3 MB of 17 MB" */
  readonly state: string;
}

function InstallTitle({ build, state }: InstallTitleProps) {
  const text = useFullMessages().engine;
  return (
    <div className="grid min-w-0 flex-1 gap-0.5">
      <p className="font-medium">
        {text.programName}
        <span className="font-normal text-ink-muted"> · {text.builds[build]}</span>
      </p>
      <p className="text-small text-ink-muted tabular-nums">{state}</p>
    </div>
  );
}

function CancelInstall() {
  const text = useFullMessages().engine;
  const { perform } = useChange("toast");
  return (
    <IconButton
      icon={X}
      name={text.actionOn(text.giveUp, text.programName)}
      onClick={() => void perform("engine.cancelInstall", {})}
    />
  );
}

export function InstallProgress({ step }: { readonly step: EngineInstallStep }) {
  const messages = useFullMessages();
  const text = messages.engine;
  const { perform } = useChange("toast");
  const { status, build, completed, bytes } = step;
  const isReceiving = status === "downloading" || status === "retrying" || status === "silent";
  return (
    <div className={cardClass}>
      <div className="flex items-center gap-2">
        <InstallTitle build={build} state={downloadText(step, messages)} />
        {isReceiving && (
          <Button
            size="small"
            aria-label={text.actionOn(text.pause, text.programName)}
            onClick={() => void perform("engine.pauseInstall", {})}
          >
            {text.pause}
          </Button>
        )}
        <CancelInstall />
      </div>
      <Progress label={text.progress} share={isReceiving ? completed / bytes : null} />
    </div>
  );
}
