"use client";
/** Sentences that are loaded when the first such error is shown: why the built-in engine failed, or about a model server. */
import { dayMs } from "@/lib/time/duration";
import type { AgentError } from "@/lib/events/error";
import { type ErrorSentences, errorSentence } from "@/lib/events/error-sentences";
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
    errorSentence(serverSentences(messages, serverFaults), error, null) ?? engineErrorText(error, messages),
    then,
  ]);
}

/** Sentences for errors of a model server that is not the built-in engine. */
const serverSentences = (
  { connectionSettings, modelUse, figures }: FullMessages,
  faults: ConversationMessages["serverFaults"],
): ErrorSentences => ({
  key_refused: ({ keyFile, path = "" }) =>
    keyFile === undefined
      ? connectionSettings.userWanted
      : faults.keyFile[keyFile === "too_large" ? keyFile : "unreadable"](path),
  stalled: ({ cure = "" }) => modelUse.parserHangs(cure),
  server_unreachable: ({ status }) => faults.noModelHost(`${status}`),
  server_busy: ({ retryAt = 0 }) => faults.tryAgainAt(waitEnd(retryAt, figures)),
  unparsed_answer: faults.textCalls,
  tool_refused: ({ tools = "" }) => faults.toolsLeftOut(tools),
  lost_arguments: faults.lostArguments,
});

/** The time of day, with the date if it is not within a day. */
const waitEnd = (at: number, { clock, dateTime }: FullMessages["figures"]): string =>
  at - Date.now() < dayMs ? clock(at, "minutes") : dateTime(at);

function ReasonWithProgram({ error, then }: LateSentenceProps) {
  const messages = useFullMessages();
  // A state that was loaded before is as new as the last push: the program is not looked for again.
  const { data } = useCommandQuery("engine.state", {}, { staleTime: Number.POSITIVE_INFINITY });
  return joinSentences(messages, [engineErrorText(error, messages, data?.program), then]);
}
