"use client";
/** Sentences that are loaded when the first such error is shown: why the built-in engine failed, or about a model server. */
import { dayMs } from "@/lib/time/duration";
import type { AgentError } from "@/lib/events/error";
import { type ConversationMessages, useConversationMessages } from "../../messages/conversation-messages";
import { engineErrorText } from "../../messages/engine-error-text";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { useConversationActions } from "../actions";
import { useCommandQuery } from "../../state/use-command-query";

interface LateSentenceProps {
  readonly error: AgentError;
  /** Sentence behind it; empty = none. */
  readonly then: string;
}

/** The next step after an unknown architecture depends on the program, which a viewer cannot see. */
export function LateSentence({ error, then }: LateSentenceProps) {
  const { runControls } = useConversationActions();
  const needsProgram = error.code === "model_unsupported" && runControls !== null;
  return needsProgram ? <ReasonWithProgram error={error} then={then} /> : <Reason error={error} then={then} />;
}

function Reason({ error, then }: LateSentenceProps) {
  const messages = useFullMessages();
  const { serverFaults } = useConversationMessages();
  return joinSentences(messages, [
    serverFaultText(error, messages, serverFaults) ?? engineErrorText(error, messages),
    then,
  ]);
}

/** The sentence for an error of a model server that is not the built-in engine's own; null = it is. */
function serverFaultText(
  { code, facts = {} }: AgentError,
  { connectionSettings, modelUse, figures }: FullMessages,
  faults: ConversationMessages["serverFaults"],
): string | null {
  switch (code) {
    case "key_refused":
      return facts.keyFile === undefined
        ? connectionSettings.userWanted
        : faults.keyFile[facts.keyFile === "too_large" ? "tooLarge" : "unreadable"](String(facts.path));
    case "stalled":
      return modelUse.parserHangs(String(facts.cure));
    case "server_unreachable":
      return faults.noModelHost(String(facts.status));
    case "server_busy":
      return faults.tryAgainAt(waitEnd(Number(facts.retryAt), figures));
    case "unparsed_answer":
      return faults.textCalls;
    case "tool_refused":
      return faults.toolsLeftOut(String(facts.tools));
    case "lost_arguments":
      return faults.lostArguments;
    default:
      return null;
  }
}

/** The time of day, with the date if it is not within a day. */
const waitEnd = (at: number, { clock, dateTime }: FullMessages["figures"]): string =>
  at - Date.now() < dayMs ? clock(at, "minutes") : dateTime(at);

function ReasonWithProgram({ error, then }: LateSentenceProps) {
  const messages = useFullMessages();
  // A state that was loaded before is as new as the last push: the program is not looked for again.
  const { data } = useCommandQuery("engine.state", {}, { staleTime: Number.POSITIVE_INFINITY });
  return joinSentences(messages, [engineErrorText(error, messages, data?.program), then]);
}
