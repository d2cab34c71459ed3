/** Branching actions at a message of a session (resend, rewind, fork, label) as server commands. */
import type { Branching } from "../chat/actions";
import { withImages } from "@/lib/content";
import type { AgentError } from "@/lib/error";
import type { Client } from "../state/client";
import { newCommandId } from "../state/new-id";
import { patchRow } from "../state/queries";
import type { SessionStore } from "../state/session-store";
import type { Words } from "../words/words";
import { navigate } from "./router";
import { tellError } from "./tell-error";

export interface BranchActionsInput {
  readonly client: Client;
  readonly words: Words;
  readonly sessionId: SessionStore["id"];
}

export function branchActions({ client, words, sessionId }: BranchActionsInput): Branching {
  const { call, cache, handles, toasts } = client;
  const succeeded = (answer: { readonly ok: boolean; readonly error?: AgentError }): boolean => {
    if (answer.error !== undefined) tellError(client, words, answer.error);
    return answer.ok;
  };
  // The element that had the focus has been removed.
  const focus = (): void => handles.conversation?.focusComposer();
  return {
    resend: async (rewindTo, { text, images }, other) => {
      const order = {
        sessionId,
        commandId: newCommandId(),
        text,
        intent: "prompt" as const,
        rewindTo,
        ...withImages(images),
        ...other,
      };
      const taken = succeeded(await call("session.send", order));
      if (taken) focus();
      return taken;
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
        patchRow(cache, row);
        navigate(`/s/${row.id}`);
        toasts.show({ text: words.branches.forked });
      }),
    name: (seq, text) =>
      void call("session.label", { sessionId, commandId: newCommandId(), seq, text }).then(succeeded),
  };
}
