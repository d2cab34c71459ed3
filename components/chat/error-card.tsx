"use client";
/** An error in one sentence with its remedies as buttons; at most the first is a primary button. */
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "@/components/words/words";
import type { AgentError } from "@/lib/error";
import type { MessageEntry } from "@/lib/view";
import { Button } from "../ui/button";
import { type Driving, useConversationActions, useConversationFacts } from "./actions";
import { useAskAgain } from "./ask-again";
import { cappedAt, isGuard, type Remedy, remediesOf, sentenceOf } from "./error-plan";
import type { Standing } from "./items";
import { NoticeCard } from "./notices";
import { SettingsLink } from "./settings-link";
import { PullLine } from "./start/pull-line";
import { stepDown, stepUp, type WindowStep } from "./window-steps";

export interface ErrorCardProps {
  readonly error: AgentError;
  readonly standing: Standing;
  readonly canContinue: boolean;
  /** The user message of the run that this error ended; absent = the run had none, or the error did not end it. */
  readonly request?: MessageEntry;
}

export function ErrorCard({ error, standing, canContinue, request }: ErrorCardProps) {
  const words = useWords();
  const { drive } = useConversationActions();
  const facts = useConversationFacts();
  const { server } = facts;
  const host = typeof error.facts?.host === "string" ? error.facts.host : facts.isOllama ? server?.host : undefined;
  const [isMended, setMended] = useState(false);
  const onward: Remedy = canContinue ? "resume" : "go_on";
  const remedies = standing === "past" ? [] : isMended ? [onward] : remediesOf(error, { ...facts, canContinue });
  const buttons = drive === null ? [] : remedies.filter((remedy) => !isOnward(remedy) || standing === "end");
  const again = useAskAgain(request);
  // If another remedy is needed first, repeating the request would fail the same way.
  const offersAgain = standing === "end" && facts.isIdle && buttons.every(isOnward) ? again : null;
  const hint = error.code === "out_of_memory" ? words.chat.memoryHint : null;
  const pull = facts.pulls.find((one) => one.name === facts.model?.model);
  return (
    <NoticeCard
      tone={isGuard(error.code) ? "plain" : "danger"}
      error={error}
      {...(drive === null || (buttons.length === 0 && offersAgain === null)
        ? {}
        : {
            actions: (
              <>
                {buttons.map((remedy, index) => (
                  <RemedyButton
                    key={remedy}
                    remedy={remedy}
                    first={index === 0}
                    drive={drive}
                    onMended={() => setMended(true)}
                  />
                ))}
                {offersAgain !== null && (
                  <Button look={buttons.length === 0 ? "primary" : "plain"} onClick={() => offersAgain.ask()}>
                    {words.branches.again}
                  </Button>
                )}
              </>
            ),
          })}
    >
      <p>{sentenceOf(error, words, host)}</p>
      {hint !== null && standing !== "past" && <p className="text-ink-muted">{hint}</p>}
      {error.code === "model_missing" && pull !== undefined && standing !== "past" && <PullLine pull={pull} />}
    </NoticeCard>
  );
}

const isOnward = (remedy: Remedy): boolean => remedy === "go_on" || remedy === "resume" || remedy === "steer";

interface RemedyProps {
  readonly remedy: Remedy;
  readonly first: boolean;
  readonly drive: Driving;
  /** Called when the cause of the error has been fixed. */
  readonly onMended: () => void;
}

function RemedyButton({ remedy, first, drive, onMended }: RemedyProps): ReactNode {
  const words = useWords();
  const { resume } = useConversationActions();
  const { model, pulls } = useConversationFacts();
  const look = first ? "primary" : "plain";
  const { chat } = words;
  switch (remedy) {
    case "window_up":
    case "window_down":
      return <WindowButton direction={remedy} look={look} drive={drive} onMended={onMended} />;
    case "pull": {
      if (model === null) return null;
      const { model: name } = model;
      const isPulling = pulls.some((one) => one.name === name && one.status !== "failed" && one.status !== "cancelled");
      return isPulling ? (
        <Button onClick={() => drive.cancelPull(name)}>{words.models.cancel}</Button>
      ) : (
        <Button look={look} onClick={() => drive.pull(name)}>
          {chat.pull(name)}
        </Button>
      );
    }
    case "find_server":
      return <BusyButton look={look} label={words.models.retry} work={drive.findServer} />;
    case "start_server":
      return <BusyButton look={look} label={words.models.start} work={drive.startServer} />;
    case "compact":
      return <BusyButton look={look} label={chat.compactNow} work={() => drive.compact("")} idleOnly />;
    case "steer":
      return (
        <Button look={look} onClick={drive.steer}>
          {chat.steer}
        </Button>
      );
    case "resume":
      return (
        <Button look={look} onClick={resume}>
          {chat.resume}
        </Button>
      );
    case "go_on":
      return (
        <Button look={look} onClick={drive.goOn}>
          {chat.goOn}
        </Button>
      );
    case "model_settings":
      return <SettingsLink tab="model" />;
    case "connection_settings":
      return <SettingsLink tab="connections" />;
  }
}

interface BusyButtonProps {
  readonly look: "primary" | "plain";
  readonly label: string;
  readonly work: () => Promise<boolean>;
  /** Render only while no run is open. */
  readonly idleOnly?: boolean;
}

function BusyButton({ look, label, work, idleOnly = false }: BusyButtonProps) {
  const { isIdle } = useConversationFacts();
  const [busy, setBusy] = useState(false);
  if (idleOnly && !isIdle) return null;
  return (
    <Button
      look={look}
      busy={busy}
      onClick={() => {
        setBusy(true);
        void work().then(() => setBusy(false));
      }}
    >
      {label}
    </Button>
  );
}

interface WindowButtonProps {
  readonly drive: Driving;
  readonly onMended: () => void;
  readonly direction: "window_up" | "window_down";
  readonly look: "primary" | "plain";
}

/** "Raise to 16k (needs about 1.1 GB)", by the model's window plan; without a step, a text that explains why. */
function WindowButton({ direction, look, drive, onMended }: WindowButtonProps) {
  const words = useWords();
  const facts = useConversationFacts();
  const { isIdle, model, isOllama } = facts;
  const capped = direction === "window_up" ? cappedAt(facts) : null;
  const [step, setStep] = useState<WindowStep | "none" | "unknown" | null>(null);
  const { loadWindow } = drive;
  const tokens = model?.numCtx ?? 0;
  useEffect(() => {
    let wanted = true;
    void loadWindow().then((plan) => {
      if (!wanted) return;
      if (plan === null) setStep("unknown");
      else setStep((direction === "window_up" ? stepUp(plan, tokens) : stepDown(plan, tokens)) ?? "none");
    });
    return () => {
      wanted = false;
    };
  }, [loadWindow, direction, tokens]);
  if (capped !== null) return <span className="text-ink-muted">{words.chat.capped(words.figures.tokens(capped))}</span>;
  if (step === null) return null;
  if (!isOllama) return <SettingsLink tab="connections" />;
  // The cards that offer a smaller window already have this link.
  if (step === "unknown") return direction === "window_up" ? <SettingsLink tab="model" /> : null;
  if (step === "none") return <span className="text-ink-muted">{words.chat.noStep[direction]}</span>;
  if (!isIdle) return <span className="text-ink-muted">{words.chat.windowLater}</span>;
  const work = async (): Promise<boolean> => {
    const done = await drive.setWindow(step.tokens);
    if (done) onMended();
    return done;
  };
  return <BusyButton look={look} label={stepLabel(direction, step, words)} work={work} />;
}

function stepLabel(
  direction: WindowButtonProps["direction"],
  { tokens, moreBytes }: WindowStep,
  { chat, figures }: ReturnType<typeof useWords>,
): string {
  const window = figures.tokens(tokens);
  if (direction === "window_down") return chat.lower(window);
  return moreBytes === null ? chat.raise(window) : chat.raiseFor(window, figures.bytes(moreBytes));
}
