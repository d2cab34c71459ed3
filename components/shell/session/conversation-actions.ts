/** Actions of a conversation's cards, as server commands. */
import type { ConversationActions, RunControls } from "../../chat/actions";
import { sendApprovalAnswer } from "../../chat/approval/send-approval-answer";
import type { AgentError } from "@/lib/events/error";
import type { CommandInput } from "@/lib/protocol/command";
import type { CallId } from "@/lib/events/id";
import { formatUserCommand } from "@/lib/events/user-command";
import type { AppClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import type { OpenSessionStore } from "../../state/session/open-session-store";
import type { Messages } from "../../messages/messages";
import { branchActions } from "./branch-actions";
import { engineConnectionId } from "@/lib/models/engine";
import { toModelSelection, toModelFields } from "../start/model-selection";
import { loadImage } from "../../state/load-image";
import { openReference } from "./open-reference";
import { toastError } from "../notices/toast-error";

interface ConversationActionsInput {
  readonly client: AppClient;
  readonly messages: Messages;
  readonly store: OpenSessionStore;
  readonly openOutput: (callId: CallId) => void;
}

type SucceededCheck = (answer: { readonly ok: boolean; readonly error?: AgentError }) => boolean;

export function conversationActions(input: ConversationActionsInput): ConversationActions {
  const { client, messages, store, openOutput } = input;
  const { call, workbench } = client;
  const sessionId = store.id;
  const succeeded: SucceededCheck = ({ ok, error }) => {
    if (error !== undefined) toastError(client, messages, error);
    return ok;
  };
  return {
    answerApproval: async (approvalId, answer) => {
      const result = await sendApprovalAnswer(client, sessionId, approvalId, answer);
      return succeeded(result) && result.ok && result.value.won;
    },
    resume: () => void call("session.resume", { sessionId, commandId: newCommandId() }).then(succeeded),
    openPath: (path, line, span) =>
      void openReference({ ...input, place: input.store.get().view ?? undefined }, path, line, span),
    loadOutput: async (callId) => {
      const answer = await call("session.output", { sessionId, callId });
      return answer.ok ? answer.value.output : null;
    },
    openOutput,
    loadImage: loadImage(client),
    restoreFromTrash: async (trashId) => {
      const answer = await call("trash.restore", { trashId });
      if (answer.ok) client.toasts.show({ text: messages.shell.restored(answer.value.path) });
      return succeeded(answer);
    },
    reviewChanges: (earlier) => workbench.showReview(earlier === undefined ? null : { ...earlier, sessionId }),
    restoreFiles: (toSeq, options) => workbench.showRestore({ sessionId, toSeq, ...options }),
    runControls: createRunControls(input, succeeded),
    branchControls: branchActions({ client, messages, sessionId }),
  };
}

function createRunControls(
  { client, messages, store }: ConversationActionsInput,
  succeeded: SucceededCheck,
): RunControls {
  const { call, handles, serverState } = client;
  const sessionId = store.id;
  const askServer = async (command: "models.refresh" | "models.start"): Promise<boolean> => {
    const answer = await call(command, {});
    if (!answer.ok) return succeeded(answer);
    serverState.merge({ models: answer.value });
    return answer.value.status === "ready";
  };
  return {
    stop: () => void call("session.abort", { sessionId }),
    runFirst: () => void call("session.run_first", { sessionId }).then(succeeded),
    answerNow: () => void call("session.answer_now", { sessionId }).then(succeeded),
    endCommand: (callId) => void call("session.end_command", { sessionId, callId }).then(succeeded),
    editSummary: async (compactionSeq, summary) =>
      succeeded(
        await call("session.edit_summary", { sessionId, commandId: newCommandId(), of: compactionSeq, summary }),
      ),
    compact: async (focus) => {
      const more = focus === "" ? {} : { focus };
      const answer = await call("session.compact", { sessionId, commandId: newCommandId(), ...more });
      const failure = answer.ok ? null : answer.error.code;
      if (failure !== "no_summary" && failure !== "no_gain") return succeeded(answer);
      // Not a failure: the history is too short to compact, or the summary would be longer than it.
      const { composer, errors } = messages;
      client.toasts.show({ text: failure === "no_gain" ? errors.sentences.no_gain : composer.nothingToCompact });
      return true;
    },
    loadWindowPlan: async () => {
      const { model, connection } = toModelSelection(store.get().view?.model ?? null);
      const hasPlan = connection === null || connection === engineConnectionId;
      const answer =
        model === "" || !hasPlan ? null : await call("models.window", toModelFields({ model, connection }));
      return answer?.ok === true ? answer.value : null;
    },
    setWindow: (numCtx) => changeModelOptions({ client, messages, store }, { numCtx }),
    readCallsFromText: () => changeModelOptions({ client, messages, store }, { toolMode: "react" }),
    pullModel: (name) => void call("models.pull", { name }).then(succeeded),
    cancelPull: (name) => void call("models.cancel_pull", { name }),
    probeServer: () => askServer("models.refresh"),
    startServer: () => askServer("models.start"),
    sendContinue: () =>
      void store.send(messages.chat.goOnText, "prompt").then((error) => {
        if (error !== null) toastError(client, messages, error);
      }),
    carryOutPlan: (mode) =>
      void call("session.update", { sessionId, commandId: newCommandId(), mode }).then(async (answer) => {
        if (!succeeded(answer)) return;
        const error = await store.send(messages.chat.plan.text, "prompt");
        if (error !== null) toastError(client, messages, error);
      }),
    decideCall: async (messageSeq, index, run) =>
      succeeded(
        await call("session.decide_call", { sessionId, commandId: newCommandId(), of: messageSeq, index, run }),
      ),
    allowNetwork: async () =>
      succeeded(await call("session.update", { sessionId, commandId: newCommandId(), network: true })),
    runCommand: async (command) => {
      const text = formatUserCommand({ command, isAdded: true });
      return succeeded(await call("session.run_command", { sessionId, commandId: newCommandId(), text }));
    },
    focusComposer: () => handles.conversation?.focusComposer(),
  };
}

type ModelChange = Omit<CommandInput<"session.model">, "sessionId" | "commandId">;

/** Changes the session's model or its options. `connection` absent = Ollama. */
export async function changeModel(
  { client, messages, store }: Pick<ConversationActionsInput, "client" | "messages" | "store">,
  change: ModelChange,
): Promise<boolean> {
  const answer = await client.call("session.model", { sessionId: store.id, commandId: newCommandId(), ...change });
  if (!answer.ok) toastError(client, messages, answer.error);
  return answer.ok;
}

/** Changes the options of the session's current model. */
export async function changeModelOptions(
  input: Pick<ConversationActionsInput, "client" | "messages" | "store">,
  change: Omit<ModelChange, "model" | "connection">,
): Promise<boolean> {
  const state = input.store.get().view?.model ?? null;
  return state !== null && changeModel(input, { ...toModelFields(toModelSelection(state)), ...change });
}
