"use client";
/** Code shared by the composers of an existing and of a new session. */
import type { NewReference } from "@/lib/protocol/reference-commands";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { Connection } from "@/lib/models/models";
import type { SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import type { ComposerState } from "../../chat/composer/composer";
import type { ComposerHandle } from "../../chat/composer/use-composer-handle";
import type { ConversationScrollHandle as ChatHandle } from "../../chat/conversation/conversation";
import type { ModelMenuProps } from "../../chat/model/model-menu";
import { type AppClient, useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { useStore } from "../../state/store";
import { mayTakeFocus } from "../../ui/browser/focus";
import { useMessages } from "../../messages/messages";
import { toastError } from "../notices/toast-error";
import { findLoadedModel, type ModelSelection, findOllamaState, chatModels } from "../start/model-selection";

/** Modes that Shift+Tab cycles through; full access has to be selected explicitly. */
const cycledModes: readonly Mode[] = ["ask", "edits", "plan"];

const nextMode = (mode: Mode): Mode => cycledModes[(cycledModes.indexOf(mode) + 1) % cycledModes.length] ?? "ask";

/** Wraps a composer: Shift+Tab in the text area switches to the next mode. */
export function ModeKeys({
  mode,
  onMode,
  children,
}: {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  readonly children: ReactNode;
}) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Tab" || !event.shiftKey || !(event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    onMode(nextMode(mode));
  };
  return (
    <div onKeyDown={onKeyDown} className="@container px-(--scrollbar-width)">
      <div className="px-4 pt-2 pb-4 @lg:px-6 max-tablet:px-3 max-tablet:pb-2">{children}</div>
    </div>
  );
}

interface ComposerFacts {
  readonly isOnline: boolean;
  readonly hasModel: boolean;
  readonly isRunning: boolean;
  readonly isWaiting: boolean;
}

/** Returns the composer's state for the given session facts. Pure. */
export function composerState({ isOnline, hasModel, isRunning, isWaiting }: ComposerFacts): ComposerState {
  if (!isOnline) return "offline";
  if (isWaiting) return "waiting";
  if (isRunning) return "running";
  return hasModel ? "idle" : "noModel";
}

const noConnections: readonly Connection[] = [];

/** Subscribes to the server state both composers need: connection, models, settings, connections. */
export function useModels() {
  const client = useClient();
  const isOnline = useStore(client.connection.state, (state) => state === "online");
  const server = useServerState("models");
  const settings = useServerState("settings");
  const all = useServerState("connections") ?? noConnections;
  const shown = useStore(client.workbench, (state) => state.projectId);
  const connections = useMemo(() => all.filter(({ projectId = shown }) => projectId === shown), [all, shown]);
  const isStarting = (server?.status ?? "unknown") === "unknown";
  return { isOnline, isStarting, server, settings, connections, models: chatModels(server) };
}

type ModelMenuInput = Pick<ModelMenuProps, "onModel" | "use" | "isLocked"> & ModelSelection;

/** Builds the props of a composer's model menu from the server state and the session's own values. */
export function useModelMenu(menu: ModelMenuInput): ModelMenuProps {
  const client = useClient();
  const messages = useMessages();
  const { server, connections, models } = useModels();
  return {
    ...menu,
    models,
    connections,
    loaded: findLoadedModel(findOllamaState(menu, server, connections), menu.model),
    loadModels: async (id, { isQuiet } = { isQuiet: false }) => {
      const answer = await client.call("connections.models", { id });
      if (!answer.ok && !isQuiet) toastError(client, messages, answer.error);
      return answer.ok ? answer.value.models : null;
    },
  };
}

/** Focuses the composer when a conversation appears, unless the user is typing in another field. */
export function useFocusOnce(composer: RefObject<ComposerHandle | null>): void {
  useLayoutEffect(() => {
    if (mayTakeFocus()) composer.current?.focus();
  }, [composer]);
}

/** Registers the conversation's handle for the actions while it is mounted. */
export function useConversationHandle(
  client: AppClient,
  sessionId: SessionId | null,
  parts: {
    readonly composer: RefObject<ComposerHandle | null>;
    readonly chat?: RefObject<ChatHandle | null>;
    readonly find?: () => void;
  },
): void {
  const latest = useRef(parts);
  useEffect(() => {
    latest.current = parts;
  });
  useEffect(() => {
    const { handles } = client;
    const own = {
      sessionId,
      focusComposer: () => latest.current.composer.current?.focus(),
      insert(text: string) {
        const composer = latest.current.composer.current;
        composer?.insert(text);
        return composer !== null;
      },
      attach: (reference: NewReference) => latest.current.composer.current?.attach(reference),
      offer: (text: string) => latest.current.composer.current?.offer(text),
      focusApproval: () => latest.current.chat?.current?.focusApproval() ?? false,
      find: () => latest.current.find?.(),
    };
    handles.conversation = own;
    const { waitingMessage } = handles;
    delete handles.waitingMessage;
    for (const reference of waitingMessage?.references ?? []) own.attach(reference);
    if (waitingMessage?.text) own.insert(waitingMessage.text);
    return () => {
      if (handles.conversation === own) delete handles.conversation;
    };
  }, [client, sessionId]);
}
