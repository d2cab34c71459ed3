"use client";
/** Composer of a session that does not exist yet; the first message creates the session. */
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import type { Intent } from "@/lib/events/event";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId, SessionId } from "@/lib/events/id";
import { tourConnectionId } from "@/lib/models/tour";
import { settingsDefaults } from "@/lib/settings/settings";
import { Composer } from "../../chat/composer/composer";
import type { ComposerHandle } from "../../chat/composer/use-composer-handle";
import { writeDraft } from "../../chat/composer/drafts/drafts";
import { useClient, type AppClient } from "../../state/client";
import { commandQuery } from "../../state/command-query";
import { newCommandId } from "../../state/new-id";
import { upsertSessionRow } from "../../state/session/cached-session-lists";
import { useStore } from "../../state/store";
import { useMessages, type Messages } from "../../messages/messages";
import {
  composerState,
  ModeKeys,
  useConversationHandle,
  useFocusOnce,
  useModelMenu,
  useModels,
} from "../session/composer-parts";
import { useComposerControl } from "../session/composer-control";
import { modelForNewSession, toModelFields } from "./model-selection";
import { useImageStore } from "../session/image-store";
import { referenceStore } from "../session/reference-store";
import type { UnsentAttachments } from "../../state/session/open-session-store";
import { navigate, useSearch } from "../navigation/router";
import { SessionStart } from "./session-start";
import { toastError } from "../notices/toast-error";
import { usePreloadModel } from "../session/use-preload-model";
import { currentPath } from "../../state/base-path";
import type { PinControl } from "../../state/workbench/component-handles";
import { type NewSessionPlace, readDraftPins, writeDraftPins } from "../session/draft-pins";

interface NewSessionPinState {
  /** The file that was pinned last is the last one. */
  readonly paths: readonly string[];
  readonly control: PinControl;
  /** Pins the files to the session that was created; refusals are shown. Rejects when the code cannot be loaded. */
  readonly moveTo: (sessionId: SessionId) => Promise<void>;
}

/** The files that the first message of a new session pins. */
function useNewSessionPins(client: AppClient, messages: Messages, place: NewSessionPlace): NewSessionPinState {
  const { projectId } = place;
  const [paths, setPaths] = useState(() => readDraftPins(projectId));
  return {
    paths,
    control: {
      isPinned: (path) => paths.includes(path),
      async setPinned(path, isPinned) {
        const { pinDraftFile } = await import("../session/pin-file");
        const isDone = await pinDraftFile({ client, messages, place }, path, isPinned);
        setPaths(readDraftPins(projectId));
        return isDone;
      },
    },
    async moveTo(sessionId) {
      const { pinFile } = await import("../session/pin-file");
      writeDraftPins(projectId, []);
      for (const path of paths) await pinFile({ client, messages, sessionId }, path, true);
    },
  };
}

const NewSessionPins = lazy(async () => ({ default: (await import("../session/session-pins")).NewSessionPins }));

interface Begun {
  readonly id: SessionId;
  readonly error: AgentError | null;
}

export function NewSession({ projectId }: { readonly projectId: ProjectId }) {
  const client = useClient();
  const messages = useMessages();
  const { call, cache, workbench } = client;
  const { isOnline, isStarting, server, settings = settingsDefaults, connections } = useModels();
  const draft = useStore(workbench, (state) => state.draft);
  const composer = useRef<ComposerHandle | null>(null);
  useConversationHandle(client, null, { composer });
  useFocusOnce(composer);
  const mode = draft.mode ?? settings.mode;
  const choice = modelForNewSession(draft, settings, server, connections, projectId);
  usePreloadModel(null, choice, isOnline);
  const modelMenu = useModelMenu({
    ...choice,
    use: null,
    isLocked: false,
    onModel: (model, connection) => workbench.changeDraft({ model, connection }),
  });

  const images = useImageStore(choice);
  const { model, connection } = choice;
  const place = useMemo(
    () => ({ projectId, ...(model === "" ? {} : toModelFields({ model, connection })) }),
    [projectId, model, connection],
  );
  const references = useMemo(() => referenceStore(client, place), [client, place]);
  const pins = useNewSessionPins(client, messages, place);
  // It pins the files that the address names.
  const search = useSearch();
  /** The first message, until its session exists. */
  const [sending, setSending] = useState("");
  /** Creates the session, performs its first action, and shows it. Resolves with the action's error; null = none. */
  const begin = async (text: string, perform: (id: SessionId) => Promise<AgentError | null>): Promise<Begun | null> => {
    setSending(text);
    const created = await call("session.create", {
      projectId,
      commandId: newCommandId(),
      mode,
      ...(choice.model === "" && choice.connection === null ? {} : toModelFields(choice)),
    });
    if (!created.ok) {
      setSending("");
      toastError(client, messages, created.error);
      return null;
    }
    const { row } = created.value;
    upsertSessionRow(cache, row);
    const performed =
      pins.paths.length === 0
        ? perform(row.id)
        : pins.moveTo(row.id).then(
            () => perform(row.id),
            (): AgentError => ({ code: "internal" }),
          );
    workbench.changeDraft({ mode: null, model: null, connection: null });
    // If the user has navigated elsewhere meanwhile, stay there.
    if (currentPath() === "/") {
      // Text typed after Enter belongs to the new session.
      const more = composer.current?.take() ?? "";
      if (more !== "") writeDraft(row.id, more);
      navigate(`/s/${row.id}`, "replace");
    }
    const error = await performed;
    if (error !== null) toastError(client, messages, error);
    return { id: row.id, error };
  };
  const keepText = async ({ id, error }: Begun, text: string, attachments: UnsentAttachments = {}): Promise<void> => {
    const { keepUnsentMessage } = await import("./keep-unsent-message");
    const unsent = { client, projectId, id, code: error?.code, draft, pins: pins.paths };
    await keepUnsentMessage(unsent, { text, ...attachments });
  };
  const runCommand = async (text: string): Promise<boolean> => {
    const begun = await begin(text, async (sessionId) => {
      const answer = await call("session.run_command", { sessionId, commandId: newCommandId(), text });
      return answer.ok ? null : answer.error;
    });
    if (begun !== null && begun.error !== null) await keepText(begun, text);
    return begun !== null && begun.error === null;
  };
  const send = async (text: string, _intent: Intent, attachments: UnsentAttachments): Promise<boolean> => {
    const begun = await begin(text, (id) => client.session(id).send(text, "prompt", attachments));
    if (begun === null) return false;
    if (begun.error === null) return true;
    await keepText(begun, text, attachments);
    return false;
  };
  const choose = (next: typeof mode): void => workbench.changeDraft({ mode: next });
  const askForTrust = (): void => workbench.showTrust(() => choose("full"));
  const onMode = (next: typeof mode): void => {
    if (next !== "full") return choose(next);
    // Waits for the folder, which may not be loaded yet.
    const project = cache.fetchQuery(commandQuery("project.open", { projectId }));
    void project.then(({ trusted }) => (trusted ? choose(next) : askForTrust()), askForTrust);
  };
  useComposerControl({
    composer,
    modelMenu,
    setMode: onMode,
    send: (text) => void send(text, "prompt", {}),
    session: null,
    pins: pins.control,
  });

  return (
    <section aria-label={messages.shell.conversation} className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      <SessionStart
        projectId={projectId}
        choice={choice}
        onStarter={(text) =>
          connection === tourConnectionId ? void send(text, "prompt", {}) : composer.current?.insert(text)
        }
      />
      {sending !== "" && (
        <p className="mx-auto mb-3 max-h-40 w-full max-w-[760px] animate-late overflow-hidden rounded-card border border-line bg-raised px-4 py-2.5 text-talk whitespace-pre-wrap">
          {sending}
        </p>
      )}
      <ModeKeys mode={mode} onMode={onMode}>
        {(pins.paths.length > 0 || search !== "") && (
          <Suspense>
            <NewSessionPins place={place} paths={pins.paths} control={pins.control} />
          </Suspense>
        )}
        <Composer
          draftKey={`new.${projectId}`}
          isStarting={isStarting}
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
          referenceStore={references}
          imageStore={images}
          onRunCommand={runCommand}
          onStop={() => undefined}
          history={[]}
          handle={composer}
        />
      </ModeKeys>
    </section>
  );
}
