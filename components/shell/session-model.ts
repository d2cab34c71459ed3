"use client";
/** Model-related state of a session's screen: model menu, context use, facts for cards. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { ContextReport } from "@/lib/answers";
import type { PullState, WindowPlan } from "@/lib/models";
import { settingsDefaults } from "@/lib/settings";
import { thinkChoices } from "@/lib/thinking";
import { activityOf, type Entry, type SessionView } from "@/lib/view";
import type { ConversationFacts } from "../chat/actions";
import type { ContextUse } from "../chat/composer/context-ring";
import type { ModelMenuProps } from "../chat/composer/model-menu";
import { newestPrefixKept } from "../chat/run-summary";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import type { SessionStore } from "../state/session-store";
import { useWords } from "../words/words";
import { useModelMenu, useModels } from "./composer-parts";
import { changeModel, changeUse } from "./conversation-actions";
import { chosenOf, modelOf, ollamaOf, windowUse } from "./model-choice";
import { tellError } from "./tell-error";

/** Builds the session's model menu; a selection takes effect with the next message. */
export function useSessionModelMenu(store: SessionStore, view: SessionView): ModelMenuProps {
  const client = useClient();
  const words = useWords();
  const { server, connections } = useModels();
  const { model, connection } = chosenOf(view.model);
  const ollama = ollamaOf({ connection }, server, connections);
  const isOllama = ollama !== undefined;
  const listed = useQuery({ ...queries.connectionModels(client.call, connection ?? ""), enabled: false }).data;
  const info = (ollama?.models ?? listed)?.find((one) => one.name === model);
  const refresh = useCallback((): void => {
    if (connection === null || isOllama) return;
    const { cache, call } = client;
    // On failure the panel shows the session's own model state.
    void cache.prefetchQuery({ ...queries.connectionModels(call, connection), staleTime: 0 });
  }, [client, connection, isOllama]);
  const loadWindow = useCallback(async (): Promise<WindowPlan | null> => {
    const answer = isOllama && model !== "" ? await client.call("models.window", modelOf({ model, connection })) : null;
    return answer?.ok === true ? answer.value : null;
  }, [client, model, connection, isOllama]);
  return useModelMenu({
    model,
    connection,
    isLocked: activityOf(view) !== "idle",
    onModel: (name, id) => void changeModel({ client, words, store }, modelOf({ model: name, connection: id })),
    use:
      view.model === null
        ? null
        : {
            state: view.model,
            note: info?.note,
            thinkChoices: thinkChoices(info ?? { name: model, capabilities: [] }, ollama?.version),
            loadWindow,
            onChange: (change) => changeUse({ client, words, store }, change),
            refresh,
          },
  });
}

/** Returns how full the context window is, with the actions that free it; null before there is a model. */
export function useContextUse(
  store: SessionStore,
  view: SessionView,
  entries: readonly Entry[],
  compact: ((focus: string) => Promise<boolean>) | null,
): ContextUse | null {
  const client = useClient();
  const words = useWords();
  const { server, connections } = useModels();
  const load = useCallback(async (): Promise<ContextReport | null> => {
    const answer = await client.call("session.context", { sessionId: store.id });
    if (!answer.ok) tellError(client, words, answer.error);
    return answer.ok ? answer.value : null;
  }, [client, words, store]);
  const use = windowUse(view, ollamaOf(chosenOf(view.model), server, connections));
  const prefixKept = useMemo(() => newestPrefixKept(entries), [entries]);
  return use === null || compact === null
    ? null
    : { ...use, prefixKept, load, onCompact: compact, isIdle: activityOf(view) === "idle" };
}

const noPulls: readonly PullState[] = [];

/** Returns a memoised object, because every card re-renders when it changes. */
export function useConversationFacts(view: SessionView): ConversationFacts {
  const { server, connections, settings = settingsDefaults } = useModels();
  const pulls = useQuery(queries.pulls()).data ?? noPulls;
  const { mode, model, labels } = view;
  const { sendKey, sandbox: wantsSandbox } = settings;
  const isIdle = activityOf(view) === "idle";
  return useMemo(
    () => ({
      isIdle,
      mode,
      model,
      isOllama: chosenOf(model).connection === null,
      server,
      connections,
      pulls,
      labels,
      sendKey,
      wantsSandbox,
    }),
    [isIdle, mode, model, server, connections, pulls, labels, sendKey, wantsSandbox],
  );
}
