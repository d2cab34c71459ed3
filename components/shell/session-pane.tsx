"use client";
/** An open session: its conversation, find bar and composer, connected to its store. `data-seq` tells what is on screen. */
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { CallId, SessionId } from "@/lib/id";
import { settingsDefaults } from "@/lib/settings";
import { canContinue, pendingApprovals, type SessionView } from "@/lib/view";
import { Composer, type ComposerHandle } from "../chat/composer/composer";
import { Conversation, type ConversationHandle } from "../chat/conversation";
import { FindBar } from "../chat/find-bar";
import { phaseOfAnswer } from "../chat/phase-line";
import { useClient } from "../state/client";
import { newCommandId } from "../state/new-id";
import type { OpenSession, SessionStore } from "../state/session-store";
import { Skeleton } from "../ui/skeleton";
import { useWords } from "../words/words";
import { composerState, ModeKeys, useConversationHandle, useModels } from "./composer-parts";
import { conversationActions, tellError } from "./conversation-actions";
import { entriesOf, ownMessages } from "./echo-entries";
import { windowUse } from "./model-choice";
import { Notice } from "./notice-page";
import { useFind } from "./use-find";
import { useSession } from "./use-session";

const OutputDialog = lazy(async () => ({ default: (await import("./output-dialog")).OutputDialog }));

export function SessionPane({ sessionId }: { readonly sessionId: SessionId }) {
  const words = useWords();
  const { store, session } = useSession(sessionId);
  const { view, error } = session;
  return (
    <section
      aria-label={words.shell.conversation}
      data-session={sessionId}
      data-seq={view?.seq ?? ""}
      className="relative flex min-h-0 min-w-0 flex-1 flex-col bg-canvas"
    >
      {view !== null && store !== null && <Talk store={store} session={session} view={view} />}
      {view === null && error !== null && (
        <Notice
          title={error.code === "not_found" ? words.shell.sessionGone : words.shell.sessionFailed}
          note={error.code === "not_found" ? words.shell.sessionGoneNote : words.errors.sentences[error.code]}
          action={
            error.code === "not_found"
              ? { label: words.shell.newSession, href: "/" }
              : { label: words.common.retry, onSelect: () => store?.open() }
          }
        />
      )}
      {view === null && error === null && (
        <div className="mx-auto mt-auto grid w-full max-w-[760px] gap-3 p-6">
          <Skeleton label={words.common.loading} className="h-12" />
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-5 w-1/2" />
        </div>
      )}
    </section>
  );
}

interface TalkProps {
  readonly store: SessionStore;
  readonly session: OpenSession;
  readonly view: SessionView;
}

function Talk({ store, session, view }: TalkProps) {
  const client = useClient();
  const words = useWords();
  const { call } = client;
  const sessionId = store.id;
  const [output, setOutput] = useState<CallId | null>(null);
  const { isOnline, settings = settingsDefaults, models } = useModels();
  const composer = useRef<ComposerHandle | null>(null);
  const chat = useRef<ConversationHandle | null>(null);
  const find = useFind(sessionId, store);
  useConversationHandle(client, { composer, chat, find: find.open });
  useEffect(() => {
    if (client.handles.begun !== sessionId) return;
    delete client.handles.begun;
    if (document.activeElement === document.body) composer.current?.focus();
  }, [client, sessionId]);
  const actions = useMemo(
    () => conversationActions({ client, words, sessionId, openOutput: setOutput }),
    [client, words, sessionId],
  );
  const entries = useMemo(() => entriesOf(view, session.echoes), [view, session.echoes]);
  const pending = useMemo(() => pendingApprovals(view), [view]);
  const history = useMemo(() => ownMessages(entries), [entries]);
  const loadOlder = useCallback(() => void store.loadOlder(), [store]);
  const { finding } = find;
  const isRunning = view.run !== null;
  const model = view.model?.model ?? "";
  const tell = (answer: { readonly ok: boolean; readonly error?: Parameters<typeof tellError>[2] }): void => {
    if (answer.error !== undefined) tellError(client, words, answer.error);
  };
  const onMode = (mode: SessionView["mode"]): void =>
    void call("session.update", { sessionId, commandId: newCommandId(), mode }).then(tell);

  return (
    <>
      {finding !== null && (
        <FindBar {...finding} onQuery={find.setQuery} onIndex={find.setIndex} onClose={find.close} />
      )}
      <Conversation
        className="flex-1"
        entries={entries}
        pending={pending}
        phase={phaseOfAnswer(view)}
        hasOlder={view.heldFrom > 0}
        loadingOlder={session.older === "loading"}
        onLoadOlder={loadOlder}
        canContinue={canContinue(view)}
        actions={actions}
        handle={chat}
        {...(finding === null
          ? {}
          : { find: { query: finding.query.trim(), seq: finding.hits?.[finding.index]?.seq ?? null } })}
      />
      <ModeKeys mode={view.mode} onMode={onMode}>
        <Composer
          draftKey={sessionId}
          state={composerState({
            isOnline,
            hasModel: model !== "" || models.length > 0,
            isRunning,
            isWaiting: pending.length > 0,
          })}
          mode={view.mode}
          onMode={onMode}
          model={model}
          models={models}
          onModel={(name) =>
            void call("session.model", { sessionId, commandId: newCommandId(), model: name }).then(tell)
          }
          context={windowUse(view)}
          sendKey={settings.sendKey}
          queue={view.queue}
          onEditQueued={(queuedId, text) =>
            void call("session.requeue", { sessionId, commandId: newCommandId(), queuedId, text }).then(tell)
          }
          onRemoveQueued={(queuedId) =>
            void call("session.unqueue", { sessionId, commandId: newCommandId(), queuedId }).then(tell)
          }
          onSend={async (text, intent) => {
            const error = await store.send(text, intent);
            if (error !== null) tellError(client, words, error);
            return error === null;
          }}
          onStop={() => void call("session.abort", { sessionId })}
          history={history}
          handle={composer}
        />
      </ModeKeys>
      {output !== null && (
        <Suspense>
          <OutputDialog sessionId={sessionId} callId={output} onClose={() => setOutput(null)} />
        </Suspense>
      )}
    </>
  );
}
