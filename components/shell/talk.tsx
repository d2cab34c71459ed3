"use client";
/** Screen of an open session: conversation, find bar and composer, connected to its store. */
import { lazy, useCallback, useMemo, useRef, useState } from "react";
import type { CallId } from "@/lib/id";
import { activityOf, canContinue, type Entry, pendingApprovals, type SessionView } from "@/lib/view";
import type { ComposerHandle } from "../chat/composer/use-composer-handle";
import { Conversation, type ConversationHandle } from "../chat/conversation";
import { FindBar } from "../chat/find-bar";
import { phaseOfAnswer } from "../chat/phase-chip";
import { useClient } from "../state/client";
import type { OpenSession, SessionStore } from "../state/session-store";
import { placeAt } from "@/lib/find";
import { LateDialog } from "../ui/late-dialog";
import { useWords } from "../words/words";
import { useConversationHandle, useFocusOnce, useModels } from "./composer-parts";
import { conversationActions } from "./conversation-actions";
import { entriesOf } from "./echo-entries";
import { chosenOf } from "./model-choice";
import { InBin } from "./in-bin";
import { SessionComposer } from "./session-composer";
import { SessionStart } from "./session-start";
import { useConversationFacts } from "./session-model";
import { useFind } from "./use-find";
import { useJump } from "./use-jump";
import { useNewsAt } from "./use-news-at";
import { useWarm } from "./use-warm";

const OutputDialog = lazy(async () => ({ default: (await import("./output-dialog")).OutputDialog }));

export interface TalkProps {
  readonly store: SessionStore;
  readonly session: OpenSession;
  readonly view: SessionView;
}

export function Talk({ store, session, view }: TalkProps) {
  const client = useClient();
  const words = useWords();
  const sessionId = store.id;
  const [output, setOutput] = useState<CallId | null>(null);
  const { isOnline } = useModels();
  const composer = useRef<ComposerHandle | null>(null);
  const chat = useRef<ConversationHandle | null>(null);
  const find = useFind(sessionId, store);
  useJump(store, chat);
  useConversationHandle(client, { composer, chat, find: find.open });
  useFocusOnce(composer);
  const choice = chosenOf(view.model);
  useWarm(sessionId, choice, isOnline);
  const actions = useMemo(
    () => conversationActions({ client, words, store, openOutput: setOutput }),
    [client, words, store],
  );
  const facts = useConversationFacts(view);
  const entries = useMemo(() => entriesOf(view, session.echoes), [view, session.echoes]);
  const pending = useMemo(() => pendingApprovals(view), [view]);
  const loadOlder = useCallback(() => void store.loadOlder(), [store]);
  const lastEventAt = useNewsAt(store);
  const { finding } = find;
  return (
    <>
      {finding !== null && (
        <FindBar {...finding} onQuery={find.setQuery} onIndex={find.setIndex} onClose={find.close} />
      )}
      {isBlank(view, entries) ? (
        <SessionStart projectId={view.projectId} choice={choice} onStarter={(text) => composer.current?.insert(text)} />
      ) : (
        <Conversation
          className="flex-1"
          entries={entries}
          pending={pending}
          phase={phaseOfAnswer(view)}
          newsAt={lastEventAt}
          hasOlder={view.heldFrom > 0}
          loadingOlder={session.older === "loading"}
          onLoadOlder={loadOlder}
          canContinue={session.binned === undefined && canContinue(view)}
          actions={actions}
          facts={facts}
          handle={chat}
          {...(finding === null
            ? {}
            : { find: { query: finding.query.trim(), place: placeAt(finding.hits ?? [], finding.index) } })}
        />
      )}
      {session.binned === undefined ? (
        <SessionComposer
          store={store}
          view={view}
          entries={entries}
          isWaiting={pending.length > 0}
          actions={actions}
          handle={composer}
        />
      ) : (
        <InBin row={session.binned} onBack={store.open} />
      )}
      {output !== null && (
        <LateDialog label={words.common.loading} onClose={() => setOutput(null)}>
          <OutputDialog sessionId={sessionId} callId={output} onClose={() => setOutput(null)} />
        </LateDialog>
      )}
    </>
  );
}

/** Whether the session has no messages and is idle. */
const isBlank = (view: SessionView, entries: readonly Entry[]): boolean =>
  entries.length === 0 && view.heldFrom === 0 && activityOf(view) === "idle";
