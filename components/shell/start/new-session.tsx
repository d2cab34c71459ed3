"use client";
/** Composer of a session that does not exist yet; the first message creates the session. */
import { useMemo, useRef } from "react";
import type { ImageRef } from "@/lib/events/content";
import type { Intent } from "@/lib/events/event";
import type { ProjectId } from "@/lib/events/id";
import { settingsDefaults } from "@/lib/settings/settings";
import { Composer } from "../../chat/composer/composer";
import type { ComposerHandle } from "../../chat/composer/use-composer-handle";
import { writeDraft, writeDraftImages } from "../../chat/composer/drafts/drafts";
import { useClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import { upsertSessionRow, queries } from "../../state/queries";
import { useStore } from "../../state/store";
import { useMessages } from "../../messages/messages";
import {
  composerState,
  ModeKeys,
  useConversationHandle,
  useFocusOnce,
  useModelMenu,
  useModels,
} from "../session/composer-parts";
import { modelForNewSession, toModelFields } from "./model-selection";
import { imageStore } from "../session/image-store";
import { navigate } from "../navigation/router";
import { SessionStart } from "./session-start";
import { toastError } from "../notices/toast-error";
import { usePreloadModel } from "../session/use-preload-model";

export function NewSession({ projectId }: { readonly projectId: ProjectId }) {
  const client = useClient();
  const messages = useMessages();
  const { call, cache, workbench } = client;
  const { isOnline, server, settings = settingsDefaults, connections } = useModels();
  const draft = useStore(workbench, (state) => state.draft);
  const composer = useRef<ComposerHandle | null>(null);
  useConversationHandle(client, { composer });
  useFocusOnce(composer);
  const mode = draft.mode ?? settings.mode;
  const choice = modelForNewSession(draft, settings, server, connections);
  usePreloadModel(null, choice, isOnline);
  const modelMenu = useModelMenu({
    ...choice,
    use: null,
    isLocked: false,
    onModel: (model, connection) => workbench.changeDraft({ model, connection }),
  });

  const images = useMemo(() => imageStore(client, messages, choice.model), [client, messages, choice.model]);
  const send = async (text: string, _intent: Intent, sentImages: readonly ImageRef[]): Promise<boolean> => {
    const created = await call("session.create", {
      projectId,
      commandId: newCommandId(),
      mode,
      ...(choice.model === "" && choice.connection === null ? {} : toModelFields(choice)),
    });
    if (!created.ok) {
      toastError(client, messages, created.error);
      return false;
    }
    const { row } = created.value;
    upsertSessionRow(cache, row);
    const sent = client.session(row.id).send(text, "prompt", sentImages);
    workbench.changeDraft({ mode: null, model: null, connection: null });
    // If the user has navigated elsewhere meanwhile, stay there.
    if (location.pathname === "/") {
      // Text typed after Enter belongs to the new session.
      const more = composer.current?.take() ?? "";
      if (more !== "") writeDraft(row.id, more);
      navigate(`/s/${row.id}`, "replace");
    }
    const error = await sent;
    if (error === null) return true;
    toastError(client, messages, error);
    // The original composer is unmounted: put the text into the session's composer or draft.
    writeDraftImages(row.id, sentImages);
    if (location.pathname !== `/s/${row.id}`) writeDraft(row.id, text);
    else client.handles.conversation?.insert(text);
    return false;
  };
  const choose = (next: typeof mode): void => workbench.changeDraft({ mode: next });
  const askForTrust = (): void => workbench.showTrust(() => choose("full"));
  const onMode = (next: typeof mode): void => {
    if (next !== "full") return choose(next);
    // Waits for the folder, which may not be loaded yet.
    const project = cache.fetchQuery(queries.project(call, projectId));
    void project.then(({ trusted }) => (trusted ? choose(next) : askForTrust()), askForTrust);
  };

  return (
    <section aria-label={messages.shell.conversation} className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <SessionStart projectId={projectId} choice={choice} onStarter={(text) => composer.current?.insert(text)} />
      <ModeKeys mode={mode} onMode={onMode}>
        <Composer
          draftKey={`new.${projectId}`}
          state={composerState({ isOnline, hasModel: choice.model !== "", isRunning: false, isWaiting: false })}
          mode={mode}
          onMode={onMode}
          modelMenu={modelMenu}
          sendKey={settings.sendKey}
          queue={[]}
          onEditQueued={() => undefined}
          onRemoveQueued={() => Promise.resolve(false)}
          onSendQueued={() => undefined}
          onSend={send}
          imageStore={images}
          onCommand={null}
          onStop={() => undefined}
          history={[]}
          handle={composer}
        />
      </ModeKeys>
    </section>
  );
}
