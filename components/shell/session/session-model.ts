"use client";
/** Model-related state of a session's screen: model menu, context use, facts for cards. */
import { useCallback, useMemo } from "react";
import type { ContextReport } from "@/lib/protocol/answers";
import { engineConnectionId } from "@/lib/models/engine";
import { isSameModelName } from "@/lib/models/model-names";
import type { PullState, WindowPlan } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import { thinkChoices } from "@/lib/models/thinking";
import { sessionActivity, type Entry, type SessionView } from "@/lib/view/view";
import type { ConversationFacts } from "../../chat/actions";
import type { ContextUsage } from "../../chat/context-usage/context-ring";
import type { ModelMenuProps } from "../../chat/model/model-menu";
import { newestCachedPrefix } from "../../chat/run/run-summary";
import { useClient } from "../../state/client";
import { commandQuery } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { useServerState } from "../../state/use-server-state";
import type { OpenSessionStore } from "../../state/session/open-session-store";
import { useMessages } from "../../messages/messages";
import { useModelMenu, useModels } from "./composer-parts";
import { changeModel, changeModelOptions } from "./conversation-actions";
import { toModelSelection, toModelFields, findOllamaState } from "../start/model-selection";
import { contextWindowUse } from "../status/context-window-use";
import { toastError } from "../notices/toast-error";

/** Builds the session's model menu; a selection takes effect with the next message. */
export function useSessionModelMenu(store: OpenSessionStore, view: SessionView): ModelMenuProps {
  const client = useClient();
  const messages = useMessages();
  const { server, connections } = useModels();
  const { model, connection } = toModelSelection(view.model);
  const ollama = findOllamaState({ connection }, server, connections);
  const isOllama = ollama !== undefined;
  const listed = useCommandQuery("connections.models", { id: connection ?? "" }, { enabled: false }).data?.models;
  const info = (ollama?.models ?? listed)?.find((one) => isSameModelName(one.name, model));
  const refresh = useCallback((): void => {
    if (connection === null || isOllama) return;
    // On failure the panel shows the session's own model state.
    void client.cache.prefetchQuery(commandQuery("connections.models", { id: connection }, { staleTime: 0 }));
  }, [client, connection, isOllama]);
  const loadWindow = useCallback(async (): Promise<WindowPlan | null> => {
    const hasPlan = isOllama || connection === engineConnectionId;
    const answer =
      hasPlan && model !== "" ? await client.call("models.window", toModelFields({ model, connection })) : null;
    return answer?.ok === true ? answer.value : null;
  }, [client, model, connection, isOllama]);
  return useModelMenu({
    model,
    connection,
    isLocked: sessionActivity(view) !== "idle",
    onModel: (name, id) =>
      void changeModel({ client, messages, store }, toModelFields({ model: name, connection: id })),
    use:
      view.model === null
        ? null
        : {
            state: view.model,
            note: info?.note,
            thinkChoices: thinkChoices(info ?? { name: model, capabilities: [] }, ollama?.version),
            loadWindow,
            onChange: (change) => changeModelOptions({ client, messages, store }, change),
            refresh,
          },
  });
}

/** Returns how full the context window is, with the actions that free it; null before there is a model. */
export function useContextUse(
  store: OpenSessionStore,
  view: SessionView,
  entries: readonly Entry[],
  compact: ((focus: string) => Promise<boolean>) | null,
): ContextUsage | null {
  const client = useClient();
  const messages = useMessages();
  const { server, connections } = useModels();
  const load = useCallback(async (): Promise<ContextReport | null> => {
    const answer = await client.call("session.context", { sessionId: store.id });
    if (!answer.ok) toastError(client, messages, answer.error);
    return answer.ok ? answer.value : null;
  }, [client, messages, store]);
  const use = contextWindowUse(view, findOllamaState(toModelSelection(view.model), server, connections));
  const prefixKept = useMemo(() => newestCachedPrefix(entries), [entries]);
  return use === null || compact === null
    ? null
    : { ...use, cachedPrefix: prefixKept, load, onCompact: compact, isIdle: sessionActivity(view) === "idle" };
}

const noPulls: readonly PullState[] = [];

/** Returns a memoised object, because every card re-renders when it changes. */
export function useSessionConversationFacts(view: SessionView): ConversationFacts {
  const { server, connections, settings = settingsDefaults } = useModels();
  const pulls = useServerState("pulls") ?? noPulls;
  const { sessionId, mode, model, labels } = view;
  const { sendKey } = settings;
  const wantsSandbox = settings.sandbox === "always";
  const isIdle = sessionActivity(view) === "idle";
  const isNetworkAllowed = view.networkSince > 0;
  return useMemo(
    () => ({
      sessionId,
      isIdle,
      mode,
      model,
      isOllama: toModelSelection(model).connection === null,
      server,
      connections,
      pulls,
      labels,
      sendKey,
      wantsSandbox,
      isNetworkAllowed,
    }),
    [sessionId, isIdle, mode, model, server, connections, pulls, labels, sendKey, wantsSandbox, isNetworkAllowed],
  );
}
