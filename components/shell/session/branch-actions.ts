/** Branching actions at a message of a session (resend, rewind, fork, label) as server commands. */
import type { BranchControls } from "../../chat/actions";
import { optionalAttachments } from "@/lib/events/content";
import type { AgentError } from "@/lib/events/error";
import type { AppClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import { upsertSessionRow } from "../../state/session/cached-session-lists";
import type { OpenSessionStore } from "../../state/session/open-session-store";
import type { Messages } from "../../messages/messages";
import { navigate } from "../navigation/router";
import { toastError } from "../notices/toast-error";

interface BranchActionsInput {
  readonly client: AppClient;
  readonly messages: Messages;
  readonly sessionId: OpenSessionStore["id"];
}

export function branchActions({ client, messages, sessionId }: BranchActionsInput): BranchControls {
  const { call, cache, handles, toasts } = client;
  const succeeded = (answer: { readonly ok: boolean; readonly error?: AgentError }): boolean => {
    if (answer.error !== undefined) toastError(client, messages, answer.error);
    return answer.ok;
  };
  // The element that had the focus has been removed.
  const focus = (): void => handles.conversation?.focusComposer();
  return {
    resend: async (rewindTo, { text, ...attachments }, other) => {
      const order = {
        sessionId,
        commandId: newCommandId(),
        text,
        intent: "prompt" as const,
        rewindTo,
        ...optionalAttachments(attachments),
        ...other,
      };
      const isAccepted = succeeded(await call("session.send", order));
      if (isAccepted) focus();
      return isAccepted;
    },
    rewind: (toSeq, text) =>
      void call("session.rewind", { sessionId, commandId: newCommandId(), toSeq }).then((answer) => {
        if (!succeeded(answer)) return;
        if (text !== undefined) handles.conversation?.offer(text);
        focus();
      }),
    fork: (atSeq) =>
      void call("session.fork", { sessionId, commandId: newCommandId(), atSeq }).then((answer) => {
        if (!answer.ok) return succeeded(answer);
        const { row } = answer.value;
        upsertSessionRow(cache, row);
        navigate(`/s/${row.id}`);
        toasts.show({ text: messages.branches.forked });
      }),
    setLabel: (seq, text) =>
      void call("session.label", { sessionId, commandId: newCommandId(), seq, text }).then(succeeded),
  };
}
