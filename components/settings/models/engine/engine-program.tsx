"use client";
/** The program of the built-in engine: which one is there, or its download. */
import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import type { EngineInstallStep, EngineOffer, EngineState, OfferedBuild } from "@/lib/models/engine";
import { engineErrorText } from "../../../messages/engine-error-text";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { Select } from "../../../ui/controls/select";
import { Progress } from "../../../ui/indicators/meter";
import { classes } from "../../../ui/theme/classes";
import { useCallWithToast } from "../../use-call-with-toast";
import { EngineError } from "./engine-error";
import { downloadText } from "./engine-texts";

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
        <ProgramLine program={program} />
      )}
      {install !== undefined && <InstallProgress step={install} />}
      {install === undefined && program?.update !== undefined && (
        <UpdateForm update={program.update} failure={state.installFailure} />
      )}
      {install === undefined && offer !== undefined && <InstallForm offer={offer} failure={state.installFailure} />}
    </div>
  );
}

function ProgramLine({ program }: { readonly program: NonNullable<EngineState["program"]> }) {
  const text = useFullMessages().engine;
  const call = useCallWithToast();
  const { toasts } = useClient();
  const cache = useQueryClient();
  const uninstall = async (): Promise<void> => {
    const next = await call("engine.uninstall", {});
    if (next === undefined) return;
    cache.setQueryData(["engine"], next);
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
        <Button size="small" onClick={() => void uninstall()}>
          {text.uninstall}
        </Button>
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
  return problem.code === "engine_missing" ? text.sources.programMissing : engineErrorText(problem, messages);
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
export function InstallForm({ offer: { tag, from, builds }, failure }: InstallFormProps) {
  const messages = useFullMessages();
  const text = messages.engine;
  const [chosen, setChosen] = useState(
    builds.find(({ received }) => received !== undefined)?.kind ?? builds[0]?.kind ?? "cpu",
  );
  const build = builds.find(({ kind }) => kind === chosen) ?? builds[0];
  if (build === undefined) return null;
  return (
    <div className={cardClass}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <OfferText build={build} failure={failure}>
          {text.offer(tag, from)}
        </OfferText>
        <div className="flex flex-wrap items-center gap-2">
          {builds.length > 1 && (
            <Select
              aria-label={text.build}
              value={build.kind}
              options={builds.map(({ kind }) => ({ value: kind, label: text.builds[kind] }))}
              onChange={setChosen}
            />
          )}
          <InstallButtons build={build} failure={failure} look="primary" label={text.download} />
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
function UpdateForm({ update: { tag, from, builds }, failure }: UpdateFormProps) {
  const text = useFullMessages().engine;
  const [build] = builds;
  if (build === undefined) return null;
  return (
    <div className={cardClass}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <OfferText build={build} failure={failure}>
          {text.updateOffer(tag, from)}
        </OfferText>
        <div className="flex items-center gap-2">
          <InstallButtons build={build} failure={failure} look="plain" label={text.update} />
        </div>
      </div>
      {failure !== undefined && (
        <div>
          <EngineError error={failure} mirror="engineMirror" />
          <p className="text-small text-ink-muted">{text.updateFailed}</p>
        </div>
      )}
    </div>
  );
}

interface OfferTextProps extends Pick<InstallFormProps, "failure"> {
  readonly build: OfferedBuild;
  readonly children: ReactNode;
}

/** What is offered; after a pause or a failure also how much of it has arrived. */
function OfferText({ build: { bytes, received }, failure, children }: OfferTextProps) {
  const { engine: text, figures } = useFullMessages();
  const stopped = failure === undefined ? text.paused : text.failedAt;
  return (
    <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
      <p>{children}</p>
      {received !== undefined && (
        <p className="text-small text-ink-muted tabular-nums">
          {stopped(figures.bytes(received), figures.bytes(bytes))}
        </p>
      )}
    </div>
  );
}

interface InstallButtonsProps extends Pick<OfferTextProps, "build" | "failure"> {
  readonly look: ComponentProps<typeof Button>["look"];
  /** Of the button without a part that has arrived; `size` = that of the download. */
  readonly label: (size: string) => string;
}

/** Starts a download, or continues it or deletes its part. */
function InstallButtons({ build: { kind, bytes, received }, failure, look, label }: InstallButtonsProps) {
  const { engine: text, figures } = useFullMessages();
  const call = useCallWithToast();
  const again = failure === undefined ? text.resume : text.tryAgain;
  return (
    <>
      <Button look={look} onClick={() => void call("engine.install", { build: kind })}>
        {received === undefined ? label(figures.bytes(bytes)) : again}
      </Button>
      {received !== undefined && <CancelInstall />}
    </>
  );
}

function CancelInstall() {
  const text = useFullMessages().engine;
  const call = useCallWithToast();
  return (
    <IconButton
      icon={X}
      name={`${text.giveUp}: ${text.programName}`}
      onClick={() => void call("engine.cancelInstall", {})}
    />
  );
}

export function InstallProgress({ step }: { readonly step: EngineInstallStep }) {
  const messages = useFullMessages();
  const text = messages.engine;
  const call = useCallWithToast();
  const { status, build, completed, bytes } = step;
  const isReceiving = status === "downloading" || status === "retrying" || status === "silent";
  return (
    <div className={cardClass}>
      <div className="flex items-center gap-2">
        <div className="grid min-w-0 flex-1 gap-0.5">
          <p className="font-medium">
            {text.programName}
            <span className="font-normal text-ink-muted"> · {text.builds[build]}</span>
          </p>
          <p className="text-small text-ink-muted tabular-nums">{downloadText(step, messages)}</p>
        </div>
        {isReceiving && (
          <Button size="small" onClick={() => void call("engine.pauseInstall", {})}>
            {text.pause}
          </Button>
        )}
        <CancelInstall />
      </div>
      <Progress label={text.progress} share={isReceiving ? completed / bytes : null} />
    </div>
  );
}
