"use client";
/** Screen of an open session: conversation, find bar and composer, connected to its store. */
import { lazy, useCallback, useMemo, useRef, useState } from "react";
import type { CallId } from "@/lib/events/id";
import { sessionActivity, canContinue, type Entry, pendingApprovals, type SessionView } from "@/lib/view/view";
import type { ComposerHandle } from "../../chat/composer/use-composer-handle";
import { Conversation, type ConversationScrollHandle } from "../../chat/conversation/conversation";
import { FindBar } from "../../chat/conversation/find-bar";
import { LazySubagentBar } from "../../chat/subagents/lazy-subagents";
import { useClient } from "../../state/client";
import type { OpenSession, OpenSessionStore } from "../../state/session/open-session-store";
import { resolveMatch } from "@/lib/view/find";
import { LazyDialog } from "../../ui/overlays/lazy-dialog";
import { useMessages } from "../../messages/messages";
import { useConversationHandle, useFocusOnce, useModels } from "./composer-parts";
import { conversationActions } from "./conversation-actions";
import { entriesWithEchoes } from "./echo-entries";
import { toModelSelection } from "../start/model-selection";
import { SessionComposer } from "./session-composer";
import { SessionStart } from "../start/session-start";
import { useSessionConversationFacts } from "./session-model";
import { useFind } from "./use-find";
import { useJumpToEntry } from "./use-jump-to-entry";
import { useLastEventAt } from "./use-last-event-at";
import { usePreloadModel } from "./use-preload-model";
import type { SessionRow } from "@/lib/protocol/session-row";
import { restoreSessions } from "../../sessions/list/session-commands";
import { Button } from "../../ui/controls/button";

interface DeletedSessionBarProps {
  readonly row: SessionRow;
  /** Called after the session has been restored. */
  readonly onRestored: () => void;
}

/** Replaces the composer of a deleted session with a note and a button that restores the session. */
function DeletedSessionBar({ row, onRestored }: DeletedSessionBarProps) {
  const client = useClient();
  const messages = useMessages();
  const [isBusy, setBusy] = useState(false);
  const restore = async (): Promise<void> => {
    setBusy(true);
    const back = await restoreSessions(client, messages, [row]);
    setBusy(false);
    if (back.length > 0) onRestored();
  };
  return (
    <div
      role="status"
      className="mx-auto mb-3 flex w-full max-w-[760px] flex-wrap items-center gap-x-3 gap-y-2 rounded-dialog border border-line bg-raised px-4 py-3"
    >
      <p className="min-w-48 flex-1">
        <span className="font-medium">{messages.shell.inBin}</span>{" "}
        <span className="text-ink-muted">{messages.shell.inBinNote}</span>
      </p>
      <Button look="primary" busy={isBusy} onClick={() => void restore()}>
        {messages.sessions.bin.restore}
      </Button>
    </div>
  );
}

const OutputDialog = lazy(async () => ({ default: (await import("./output-dialog")).OutputDialog }));

interface SessionScreenProps {
  readonly store: OpenSessionStore;
  readonly session: OpenSession;
  readonly view: SessionView;
}

export function SessionScreen({ store, session, view }: SessionScreenProps) {
  const client = useClient();
  const messages = useMessages();
  const sessionId = store.id;
  const [output, setOutput] = useState<CallId | null>(null);
  const { isOnline } = useModels();
  const composer = useRef<ComposerHandle | null>(null);
  const chat = useRef<ConversationScrollHandle | null>(null);
  const find = useFind(sessionId, store);
  useJumpToEntry(store, chat);
  useConversationHandle(client, sessionId, { composer, chat, find: find.open });
  useFocusOnce(composer);
  const choice = toModelSelection(view.model);
  usePreloadModel(sessionId, choice, isOnline);
  const actions = useMemo(
    () => conversationActions({ client, messages, store, openOutput: setOutput }),
    [client, messages, store],
  );
  const facts = useSessionConversationFacts(view);
  const entries = useMemo(() => entriesWithEchoes(view, session.echoes), [view, session.echoes]);
  const pending = useMemo(() => pendingApprovals(view), [view]);
  const loadOlder = useCallback(() => void store.loadOlder(), [store]);
  const lastEventAt = useLastEventAt(store);
  const { finding } = find;
  const isBlank = isBlankSession(view, entries);
  return (
    <>
      {view.parent?.relation === "subagent" && <LazySubagentBar parentId={view.parent.sessionId} />}
      {finding !== null && (
        <FindBar {...finding} onQuery={find.setQuery} onIndex={find.setIndex} onClose={find.close} />
      )}
      {!isBlank && <h1 className="sr-only">{view.title === "" ? messages.sessions.untitled : view.title}</h1>}
      {isBlank ? (
        <SessionStart projectId={view.projectId} choice={choice} onStarter={(text) => composer.current?.insert(text)} />
      ) : (
        <Conversation
          className="flex-1"
          entries={entries}
          dismissedCalls={view.dismissedCalls}
          queue={view.queue}
          inheritedUpTo={view.parent?.relation === "fork" ? view.parent.atSeq : undefined}
          pending={pending}
          phase={view.phase}
          lastEventAt={lastEventAt}
          hasOlder={view.heldFrom > 0}
          loadingOlder={session.older === "loading"}
          onLoadOlder={loadOlder}
          canContinue={session.binned === undefined && canContinue(view)}
          actions={actions}
          facts={facts}
          handle={chat}
          find={
            finding === null
              ? undefined
              : { query: finding.query.trim(), position: resolveMatch(finding.hits ?? [], finding.index) }
          }
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
        <DeletedSessionBar row={session.binned} onRestored={store.open} />
      )}
      {output !== null && (
        <LazyDialog label={messages.common.loading} onClose={() => setOutput(null)}>
          <OutputDialog sessionId={sessionId} callId={output} onClose={() => setOutput(null)} />
        </LazyDialog>
      )}
    </>
  );
}

/** Whether the session has no messages, runs no workflow and is idle. */
const isBlankSession = (view: SessionView, entries: readonly Entry[]): boolean =>
  entries.length === 0 && view.workflow.length === 0 && view.heldFrom === 0 && sessionActivity(view) === "idle";
