/** What cards of a conversation can do, connected to the server. */
import type { ConversationActions } from "../chat/actions";
import type { AgentError } from "@/lib/error";
import type { CallId, SessionId } from "@/lib/id";
import type { Client } from "../state/client";
import { newCommandId } from "../state/new-id";
import type { Words } from "../words/words";

export const tellError = (client: Client, words: Words, error: AgentError): void =>
  client.toasts.show({ text: words.errors.sentences[error.code], look: "danger" });

export interface ConversationActionsInput {
  readonly client: Client;
  readonly words: Words;
  readonly sessionId: SessionId;
  readonly openOutput: (callId: CallId) => void;
}

export function conversationActions({
  client,
  words,
  sessionId,
  openOutput,
}: ConversationActionsInput): ConversationActions {
  const { call, workbench } = client;
  return {
    answer: async (approvalId, answer) => {
      const rule = answer.rule === undefined ? {} : { rule: { ...answer.rule, words: [...answer.rule.words] } };
      const reason = answer.reason === undefined ? {} : { reason: answer.reason };
      const result = await call("session.answer", { sessionId, approvalId, option: answer.option, ...reason, ...rule });
      if (!result.ok) tellError(client, words, result.error);
      return result.ok && result.value.won;
    },
    resume: () => {
      void call("session.resume", { sessionId, commandId: newCommandId() }).then((answer) => {
        if (!answer.ok) tellError(client, words, answer.error);
      });
    },
    openPath: (path, line) => workbench.openFile(path, line),
    loadOutput: async (callId) => {
      const answer = await call("session.output", { sessionId, callId });
      return answer.ok ? answer.value.output : null;
    },
    openOutput,
    restore: async (trashId) => {
      const answer = await call("trash.restore", { sessionId, trashId });
      if (answer.ok) client.toasts.show({ text: words.shell.restored(answer.value.path) });
      else tellError(client, words, answer.error);
      return answer.ok;
    },
  };
}
