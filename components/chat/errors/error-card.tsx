"use client";
/** An error in one sentence with its remedies as buttons; at most the first is a primary button. */
import { type ReactNode, useEffect, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useMessages } from "../../messages/messages";
import type { AgentError } from "@/lib/events/error";
import type { WindowPlan } from "@/lib/models/models";
import type { MessageEntry } from "@/lib/view/view";
import { Button } from "../../ui/controls/button";
import { type RunControls, useConversationActions, useConversationFacts } from "../actions";
import { useResend } from "../run/use-resend";
import {
  findServerWindowCap,
  isEngineModel,
  isGuardCode,
  type Remedy,
  findRemedies,
  windowNeed,
} from "./find-remedies";
import { ErrorSentence } from "./error-sentence";
import type { TurnPosition } from "../conversation/conversation-items";
import { NoticeCard } from "./notices";
import { SettingsLink } from "../settings-link";
import { PullLine } from "../start/pull-line";
import { nextSmallerWindow, nextLargerWindow, findWindowLimit, type WindowStep } from "../model/window-steps";

interface ErrorCardProps {
  readonly error: AgentError;
  readonly turnPosition: TurnPosition;
  readonly canContinue: boolean;
  /** The user message of the run that this error ended; absent = the run had none, or the error did not end it. */
  readonly request?: MessageEntry;
}

export function ErrorCard({ error, turnPosition, canContinue, request }: ErrorCardProps) {
  const messages = useMessages();
  const { runControls } = useConversationActions();
  const facts = useConversationFacts();
  const { server } = facts;
  const host = error.facts?.host ?? (facts.isOllama ? server?.host : undefined);
  const [isMended, setMended] = useState(false);
  const onward: Remedy = canContinue ? "resume" : "go_on";
  const remedies = turnPosition === "past" ? [] : isMended ? [onward] : findRemedies(error, { ...facts, canContinue });
  const buttons =
    runControls === null ? [] : remedies.filter((remedy) => !isContinueRemedy(remedy) || turnPosition === "end");
  const again = useResend(request);
  // If another remedy is needed first, repeating the request would fail the same way.
  const offersAgain = turnPosition === "end" && facts.isIdle && buttons.every(isContinueRemedy) ? again : null;
  const hint = error.code === "out_of_memory" ? messages.chat.memoryHint : null;
  const pull = facts.pulls.find((one) => one.name === facts.model?.model);
  return (
    <NoticeCard
      tone={isGuardCode(error.code) ? "plain" : "danger"}
      error={error}
      actions={
        runControls === null || (buttons.length === 0 && offersAgain === null) ? undefined : (
          <>
            {buttons.map((remedy, index) => (
              <RemedyButton
                key={remedy}
                remedy={remedy}
                need={windowNeed(error)}
                first={index === 0}
                runControls={runControls}
                onFixed={() => setMended(true)}
              />
            ))}
            {offersAgain !== null && (
              <Button look={buttons.length === 0 ? "primary" : "plain"} onClick={() => offersAgain.resend()}>
                {messages.branches.again}
              </Button>
            )}
          </>
        )
      }
    >
      <p>
        <ErrorSentence error={error} host={host} />
      </p>
      {hint !== null && turnPosition !== "past" && <p className="text-ink-muted">{hint}</p>}
      {error.code === "model_missing" && pull !== undefined && turnPosition !== "past" && <PullLine pull={pull} />}
    </NoticeCard>
  );
}

const isContinueRemedy = (remedy: Remedy): boolean => remedy === "go_on" || remedy === "resume" || remedy === "steer";

interface RemedyButtonProps {
  readonly remedy: Remedy;
  /** The smallest window that helps, tokens. */
  readonly need: number;
  readonly first: boolean;
  readonly runControls: RunControls;
  /** Called when the cause of the error has been fixed. */
  readonly onFixed: () => void;
}

function RemedyButton({ remedy, need, first, runControls, onFixed }: RemedyButtonProps): ReactNode {
  const messages = useMessages();
  const { resume } = useConversationActions();
  const { model, pulls } = useConversationFacts();
  const look = first ? "primary" : "plain";
  const { chat } = messages;
  switch (remedy) {
    case "window_up":
    case "window_down":
      return (
        <WindowRemedyButton direction={remedy} need={need} look={look} runControls={runControls} onFixed={onFixed} />
      );
    case "pull": {
      if (model === null) return null;
      const { model: name } = model;
      const isPulling = pulls.some((one) => one.name === name && one.status !== "failed" && one.status !== "cancelled");
      return isPulling ? (
        <Button onClick={() => runControls.cancelPull(name)}>{messages.models.cancel}</Button>
      ) : (
        <Button look={look} onClick={() => runControls.pullModel(name)}>
          {chat.pull(name)}
        </Button>
      );
    }
    case "find_server":
      return <BusyButton look={look} label={messages.models.retry} work={runControls.probeServer} />;
    case "start_server":
      return <BusyButton look={look} label={messages.models.start} work={runControls.startServer} />;
    case "compact":
      return <BusyButton look={look} label={chat.compactNow} work={() => runControls.compact("")} idleOnly />;
    case "steer":
      return (
        <Button look={look} onClick={runControls.focusComposer}>
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
        <Button look={look} onClick={runControls.sendContinue}>
          {chat.goOn}
        </Button>
      );
    case "text_calls":
      return <TextCallsButton look={look} work={runControls.readCallsFromText} />;
    case "model_settings":
      return <SettingsLink tab="model" />;
    case "connection_settings":
      return <SettingsLink tab="connections" />;
    case "tool_settings":
      return <SettingsLink tab="tools" />;
  }
}

function TextCallsButton({ look, work }: Pick<BusyButtonProps, "look" | "work">) {
  const { serverFaults } = useConversationMessages();
  return <BusyButton look={look} label={serverFaults.readText} work={work} idleOnly />;
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

interface WindowRemedyButtonProps extends Pick<RemedyButtonProps, "need"> {
  readonly runControls: RunControls;
  readonly onFixed: () => void;
  readonly direction: "window_up" | "window_down";
  readonly look: "primary" | "plain";
}

/** "Raise to 16k (needs about 1.1 GB)", by the model's window plan; without a step, a text that explains why. */
function WindowRemedyButton({ direction, need, look, runControls, onFixed }: WindowRemedyButtonProps) {
  const messages = useMessages();
  const facts = useConversationFacts();
  const { isIdle, model, isOllama } = facts;
  const capped = direction === "window_up" ? findServerWindowCap(facts) : null;
  const [plan, setPlan] = useState<WindowPlan | "unknown" | null>(null);
  const { loadWindowPlan } = runControls;
  const tokens = model?.numCtx ?? 0;
  useEffect(() => {
    let wanted = true;
    void loadWindowPlan().then((loaded) => wanted && setPlan(loaded ?? "unknown"));
    return () => {
      wanted = false;
    };
  }, [loadWindowPlan, tokens]);
  if (capped !== null)
    return <span className="text-ink-muted">{messages.chat.capped(messages.figures.tokens(capped))}</span>;
  if (plan === null) return null;
  if (!isOllama && !isEngineModel(model)) return <SettingsLink tab="connections" />;
  // The cards that offer a smaller window already have this link.
  if (plan === "unknown") return direction === "window_up" ? <SettingsLink tab="model" /> : null;
  const step = direction === "window_up" ? nextLargerWindow(plan, tokens, need) : nextSmallerWindow(plan, tokens);
  if (step === null) return <NoWindowStep direction={direction} plan={plan} tokens={tokens} need={need} />;
  if (!isIdle) return <span className="text-ink-muted">{messages.chat.windowLater}</span>;
  const work = async (): Promise<boolean> => {
    const done = await runControls.setWindow(step.tokens);
    if (done) onFixed();
    return done;
  };
  return <BusyButton look={look} label={formatWindowStep(direction, step, messages)} work={work} />;
}

interface NoWindowStepProps extends Pick<WindowRemedyButtonProps, "direction" | "need"> {
  readonly plan: WindowPlan;
  /** Size of the window in use. */
  readonly tokens: number;
}

function NoWindowStep({ direction, plan, tokens, need }: NoWindowStepProps) {
  const { windowLimit: text, figures } = useConversationMessages();
  const limit = direction === "window_up" ? findWindowLimit(plan, tokens, need) : "smallest";
  // A window that is no step can be set there.
  if (limit === null) return <SettingsLink tab="model" />;
  return (
    <span className="text-ink-muted">
      {limit === "model" ? text.model(figures.tokens(plan.own ?? 0)) : text[limit]}
    </span>
  );
}

function formatWindowStep(
  direction: WindowRemedyButtonProps["direction"],
  { tokens, moreBytes }: WindowStep,
  { chat, figures }: ReturnType<typeof useMessages>,
): string {
  const window = figures.tokens(tokens);
  if (direction === "window_down") return chat.lower(window);
  return moreBytes === null ? chat.raise(window) : chat.raiseFor(window, figures.bytes(moreBytes));
}
