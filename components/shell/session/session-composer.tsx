"use client";
/** Composer of an open session, connected to its store, with the redo banner above it after a rewind. */
import { useMemo } from "react";
import { countRedoMessages } from "@/lib/view/count-redo-messages";
import { optionalImages } from "@/lib/events/content";
import type { QueuedMessage } from "@/lib/events/event";
import { settingsDefaults } from "@/lib/settings/settings";
import { sessionActivity, type Entry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import type { ConversationActions } from "../../chat/actions";
import { Composer, type ComposerProps } from "../../chat/composer/composer";
import { ContextRing } from "../../chat/context-usage/context-ring";
import type { SlashCommand } from "../../chat/composer/slash/slash-commands";
import { RewoundBanner } from "../../chat/conversation/rewound-banner";
import { useClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import type { OpenSessionStore } from "../../state/session/open-session-store";
import { useMessages } from "../../messages/messages";
import { composerState, ModeKeys, useModels } from "./composer-parts";
import { ownMessages } from "./echo-entries";
import { imageStore } from "./image-store";
import { useContextUse, useSessionModelMenu } from "./session-model";
import { toastError } from "../notices/toast-error";

interface SessionComposerProps {
  readonly store: OpenSessionStore;
  readonly view: SessionView;
  readonly entries: readonly Entry[];
  readonly isWaiting: boolean;
  readonly actions: ConversationActions;
  readonly handle: NonNullable<ComposerProps["handle"]>;
}

export function SessionComposer({ store, view, entries, isWaiting, actions, handle }: SessionComposerProps) {
  const client = useClient();
  const messages = useMessages();
  const { call, workbench } = client;
  const sessionId = store.id;
  const { isOnline, settings = settingsDefaults, models } = useModels();
  const history = useMemo(() => ownMessages(entries), [entries]);
  const compact = actions.runControls?.compact ?? null;
  const modelMenu = useSessionModelMenu(store, view);
  const context = useContextUse(store, view, entries, compact);
  const reportError = (answer: { readonly ok: boolean; readonly error?: Parameters<typeof toastError>[2] }): void => {
    if (answer.error !== undefined) toastError(client, messages, answer.error);
  };
  const showTree = (): void => workbench.showOverlay("tree");
  const onMode = (mode: SessionView["mode"]): void =>
    void call("session.update", { sessionId, commandId: newCommandId(), mode }).then((answer) => {
      if (!answer.ok && answer.error.code === "untrusted") workbench.showTrust(() => onMode(mode));
      else reportError(answer);
    });
  const onCommand = useSlashCommands(view, actions, showTree);
  const sendQueued = ({ id: queuedId, text, images = [] }: QueuedMessage): void => {
    const message = { text, ...optionalImages(images), intent: "prompt" as const, queuedId };
    void call("session.send", { sessionId, commandId: newCommandId(), ...message }).then(reportError);
  };
  const images = useMemo(() => imageStore(client, messages, modelMenu.model), [client, messages, modelMenu.model]);
  return (
    <>
      <RewindNotice view={view} actions={actions} />
      <ModeKeys mode={view.mode} onMode={onMode}>
        <Composer
          draftKey={sessionId}
          state={composerState({
            isOnline,
            hasModel: modelMenu.model !== "" || models.length > 0,
            isRunning: view.run !== null,
            isWaiting,
          })}
          mode={view.mode}
          onMode={onMode}
          modelMenu={modelMenu}
          context={context !== null && <ContextRing {...context} />}
          sendKey={settings.sendKey}
          queue={view.queue}
          isSummarising={view.openCompaction !== null}
          onEditQueued={(queuedId, text) =>
            void call("session.requeue", { sessionId, commandId: newCommandId(), queuedId, text }).then(reportError)
          }
          onRemoveQueued={async (queuedId) => {
            const answer = await call("session.unqueue", { sessionId, commandId: newCommandId(), queuedId });
            reportError(answer);
            return answer.ok && answer.value.removed;
          }}
          onSendQueued={sendQueued}
          imageStore={images}
          onSend={async (text, intent, sent) => {
            const error = await store.send(text, intent, sent);
            if (error !== null) toastError(client, messages, error);
            return error === null;
          }}
          onCommand={compact === null ? null : onCommand}
          onStop={() => void call("session.abort", { sessionId })}
          onTree={showTree}
          history={history}
          handle={handle}
        />
      </ModeKeys>
    </>
  );
}

/** Returns the handler of slash commands; it returns false if the command was not executed. */
function useSlashCommands(
  view: SessionView,
  { runControls, branchControls }: ConversationActions,
  showTree: () => void,
) {
  const { toasts } = useClient();
  const { branches } = useMessages();
  return async ({ name, rest }: SlashCommand): Promise<boolean> => {
    switch (name) {
      case "compact":
        return (await runControls?.compact(rest)) ?? false;
      case "tree":
        showTree();
        return true;
      case "fork":
        branchControls?.fork(view.border);
        return true;
      case "rewind": {
        const from = borderBeforeLastMessage(view);
        if (from === null) toasts.show({ text: branches.nothingToRewind });
        else branchControls?.rewind(from);
        return true;
      }
      case "redo":
        if (view.left === null) toasts.show({ text: branches.nothingToRedo });
        else branchControls?.rewind(view.left);
        return true;
    }
  };
}

/** Returns the border before the user's last message; null = there is no user message. */
function borderBeforeLastMessage(view: SessionView): number | null {
  for (const entry of pathEntriesBackward(view))
    if (entry.kind === "message" && entry.role === "user") return entry.from ?? null;
  return null;
}

function RewindNotice({ view, actions }: Pick<SessionComposerProps, "view" | "actions">) {
  const { branchControls, restoreFiles } = actions;
  const { left, newest } = view;
  const messages = useMemo(() => countRedoMessages(view), [view]);
  if (left === null || branchControls === null || sessionActivity(view) !== "idle") return null;
  const restore = restoreFiles === undefined ? {} : { onRestore: () => restoreFiles(newest) };
  return <RewoundBanner messages={messages} onRedo={() => branchControls.rewind(left)} {...restore} />;
}
