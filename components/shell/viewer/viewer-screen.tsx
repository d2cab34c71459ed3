"use client";
/** Screen of a viewer of a share link: the conversation, read-only. Its chunk loads in parallel with the connection. */
import { useCallback, useMemo } from "react";
import type { Block } from "@/lib/events/content";
import type { CallId, SessionId } from "@/lib/events/id";
import type { Entry, MessageEntry, SessionView } from "@/lib/view/view";
import { pathEntries } from "@/lib/view/view";
import { type ConversationActions, defaultFacts, readOnlyActions } from "../../chat/actions";
import { Conversation } from "../../chat/conversation/conversation";
import { ViewerHeader } from "../../share/viewer-header";
import type { OpenSessionStore } from "../../state/session/open-session-store";
import { useStore } from "../../state/store";
import type { ViewerState } from "../../state/viewer/viewer";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Spinner } from "../../ui/indicators/spinner";
import { useSharingMessages } from "../../messages/sharing-messages";
import { useConversationMessages } from "../../messages/conversation-messages";
import { NoticePage } from "../notices/notice-page";
import { useLastEventAt } from "../session/use-last-event-at";

type OpenViewer = Extract<ViewerState, { at: "open" }>;

export function ViewerScreen({ share, endsAt, store, call, link }: OpenViewer) {
  const messages = useConversationMessages();
  const { view, error, older } = useStore(store, (session) => session);
  return (
    <main
      data-seq={view?.seq ?? ""}
      className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] bg-canvas pb-[env(safe-area-inset-bottom)]"
    >
      <ViewerHeader title={view?.title ?? null} share={share} endsAt={endsAt} isOnline={link === "online"} />
      <LinkStatusLine link={link} />
      <div className="flex min-h-0 flex-col">
        {view !== null ? (
          <Content view={view} store={store} call={share.outputs ? call : null} loadingOlder={older === "loading"} />
        ) : error !== null ? (
          <NoticePage
            title={messages.shell.sessionFailed}
            note={messages.errors.sentences[error.code]}
            action={{ label: messages.common.retry, onSelect: store.open }}
          />
        ) : (
          <div className="mx-auto mt-auto grid w-full max-w-[760px] gap-3 p-6">
            <Skeleton label={messages.common.loading} className="h-12" />
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="h-5 w-1/2" />
          </div>
        )}
      </div>
    </main>
  );
}

function LinkStatusLine({ link }: Pick<OpenViewer, "link">) {
  const { viewer } = useSharingMessages().share;
  return (
    <div role="status">
      {link !== "online" && (
        <p className="flex animate-late items-center justify-center gap-2 border-b border-line bg-ask-soft px-4 py-1.5 text-ask">
          {link === "lost" && <Spinner />}
          {link === "lost" ? viewer.lost : viewer.gone}
        </p>
      )}
    </div>
  );
}

interface ContentProps {
  readonly view: SessionView;
  readonly store: OpenSessionStore;
  /** null = outputs are not shared */
  readonly call: OpenViewer["call"] | null;
  readonly loadingOlder: boolean;
}

const noApprovals: readonly never[] = [];

function Content({ view, store, call, loadingOlder }: ContentProps) {
  const { viewer } = useSharingMessages().share;
  const actions = useMemo<ConversationActions>(
    () => ({ ...readOnlyActions, loadOutput: call && createOutputLoader(call, store.id) }),
    [store, call],
  );
  const entries = useMemo(() => pathEntries(view).map(hideApprovals), [view]);
  const lastEventAt = useLastEventAt(store);
  const loadOlder = useCallback(() => void store.loadOlder(), [store]);
  if (entries.length === 0 && view.heldFrom === 0 && view.run === null)
    return <NoticePage title={viewer.empty} note={viewer.emptyNote} />;
  return (
    <Conversation
      className="flex-1"
      entries={entries}
      dismissedCalls={view.dismissedCalls}
      queue={view.queue}
      pending={noApprovals}
      phase={view.phase}
      lastEventAt={lastEventAt}
      hasOlder={view.heldFrom > 0}
      loadingOlder={loadingOlder}
      onLoadOlder={loadOlder}
      canContinue={false}
      actions={actions}
      facts={defaultFacts}
    />
  );
}

const createOutputLoader =
  (call: OpenViewer["call"], sessionId: SessionId) =>
  async (callId: CallId): Promise<readonly Block[] | null> => {
    const answer = await call("session.output", { sessionId, callId });
    return answer.ok ? answer.value.output : null;
  };

/** Caches the results, so that an unchanged entry keeps its identity and does not re-render. */
const withoutApprovals = new WeakMap<MessageEntry, MessageEntry>();

/**
 * Removes approvals from a message: they concern only the owner and the agent. A call waiting for approval appears as
 * queued.
 */
function hideApprovals(entry: Entry): Entry {
  if (entry.kind !== "message" || entry.calls.every((call) => call.approvals.length === 0 && call.state !== "waiting"))
    return entry;
  const before = withoutApprovals.get(entry);
  if (before !== undefined) return before;
  const calls = entry.calls.map(
    (call) =>
      ({
        ...call,
        approvals: [],
        state: call.state === "waiting" ? "queued" : call.state,
      }) as const,
  );
  const next = { ...entry, calls };
  withoutApprovals.set(entry, next);
  return next;
}
