/** Actions of a conversation's cards, as server commands. */
import type { ConversationActions, Driving } from "../chat/actions";
import type { AgentError } from "@/lib/error";
import type { CommandInput } from "@/lib/command";
import type { CallId } from "@/lib/id";
import type { Client } from "../state/client";
import { newCommandId } from "../state/new-id";
import type { SessionStore } from "../state/session-store";
import type { Words } from "../words/words";
import { branchActions } from "./branch-actions";
import { chosenOf, modelOf } from "./model-choice";
import { loadImage } from "./image-store";
import { openReference } from "./open-reference";
import { tellError } from "./tell-error";

export interface ConversationActionsInput {
  readonly client: Client;
  readonly words: Words;
  readonly store: SessionStore;
  readonly openOutput: (callId: CallId) => void;
}

type SucceededCheck = (answer: { readonly ok: boolean; readonly error?: AgentError }) => boolean;

export function conversationActions(input: ConversationActionsInput): ConversationActions {
  const { client, words, store, openOutput } = input;
  const { call, workbench } = client;
  const sessionId = store.id;
  const succeeded: SucceededCheck = ({ ok, error }) => {
    if (error !== undefined) tellError(client, words, error);
    return ok;
  };
  return {
    answer: async (approvalId, answer) => {
      const rule = answer.rule === undefined ? {} : { rule: { ...answer.rule, words: [...answer.rule.words] } };
      const reason = answer.reason === undefined ? {} : { reason: answer.reason };
      const result = await call("session.answer", { sessionId, approvalId, option: answer.option, ...reason, ...rule });
      return succeeded(result) && result.ok && result.value.won;
    },
    resume: () => void call("session.resume", { sessionId, commandId: newCommandId() }).then(succeeded),
    openPath: (path, line, span) => void openReference(input, path, line, span),
    loadOutput: async (callId) => {
      const answer = await call("session.output", { sessionId, callId });
      return answer.ok ? answer.value.output : null;
    },
    openOutput,
    loadImage: loadImage(client),
    restore: async (trashId) => {
      const answer = await call("trash.restore", { trashId });
      if (answer.ok) client.toasts.show({ text: words.shell.restored(answer.value.path) });
      return succeeded(answer);
    },
    review: (earlier) => workbench.review(earlier === undefined ? null : { ...earlier, sessionId }),
    restoreFiles: (toSeq, before) =>
      workbench.askRestore(before === undefined ? { sessionId, toSeq } : { sessionId, toSeq, before }),
    drive: driving(input, succeeded),
    branch: branchActions({ client, words, sessionId }),
  };
}

function driving({ client, words, store }: ConversationActionsInput, succeeded: SucceededCheck): Driving {
  const { call, cache, handles } = client;
  const sessionId = store.id;
  const askServer = async (what: "models.refresh" | "models.start"): Promise<boolean> => {
    const answer = await call(what, {});
    if (!answer.ok) return succeeded(answer);
    cache.setQueryData(["models"], answer.value);
    return answer.value.status === "ready";
  };
  return {
    stop: () => void call("session.abort", { sessionId }),
    runFirst: () => void call("session.run_first", { sessionId }).then(succeeded),
    answerNow: () => void call("session.answer_now", { sessionId }).then(succeeded),
    endCommand: (callId) => void call("session.end_command", { sessionId, callId }).then(succeeded),
    editSummary: async (of, summary) =>
      succeeded(await call("session.edit_summary", { sessionId, commandId: newCommandId(), of, summary })),
    compact: async (focus) => {
      const more = focus === "" ? {} : { focus };
      const answer = await call("session.compact", { sessionId, commandId: newCommandId(), ...more });
      const why = answer.ok ? null : answer.error.code;
      if (why !== "no_summary" && why !== "no_gain") return succeeded(answer);
      // Not a failure: the history is too short to compact, or the summary would be longer than it.
      const { composer, errors } = words;
      client.toasts.show({ text: why === "no_gain" ? errors.sentences.no_gain : composer.nothingToCompact });
      return true;
    },
    loadWindow: async () => {
      const { model, connection } = chosenOf(store.get().view?.model ?? null);
      const answer = model === "" || connection !== null ? null : await call("models.window", { model });
      return answer?.ok === true ? answer.value : null;
    },
    setWindow: (numCtx) => changeUse({ client, words, store }, { numCtx }),
    pull: (name) => void call("models.pull", { name }).then(succeeded),
    cancelPull: (name) => void call("models.cancel_pull", { name }),
    findServer: () => askServer("models.refresh"),
    startServer: () => askServer("models.start"),
    goOn: () =>
      void store.send(words.chat.goOnText, "prompt").then((error) => {
        if (error !== null) tellError(client, words, error);
      }),
    carryOut: (mode) =>
      void call("session.update", { sessionId, commandId: newCommandId(), mode }).then(async (answer) => {
        if (!succeeded(answer)) return;
        const error = await store.send(words.chat.plan.text, "prompt");
        if (error !== null) tellError(client, words, error);
      }),
    steer: () => handles.conversation?.focusComposer(),
  };
}

type ModelChange = Omit<CommandInput<"session.model">, "sessionId" | "commandId">;

/** Changes the session's model or its options. `connection` absent = Ollama. */
export async function changeModel(
  { client, words, store }: Pick<ConversationActionsInput, "client" | "words" | "store">,
  change: ModelChange,
): Promise<boolean> {
  const answer = await client.call("session.model", { sessionId: store.id, commandId: newCommandId(), ...change });
  if (!answer.ok) tellError(client, words, answer.error);
  return answer.ok;
}

/** Changes the options of the session's current model. */
export async function changeUse(
  input: Pick<ConversationActionsInput, "client" | "words" | "store">,
  change: Omit<ModelChange, "model" | "connection">,
): Promise<boolean> {
  const state = input.store.get().view?.model ?? null;
  return state !== null && changeModel(input, { ...modelOf(chosenOf(state)), ...change });
}
