"use client";
/** Pane of an open session, or the reason it cannot be shown. `data-seq` is the last seq on screen. */
import type { SessionId } from "@/lib/id";
import { WaitingComposer } from "../chat/composer/waiting-composer";
import { Skeleton } from "../ui/skeleton";
import { useWords } from "../words/words";
import { Notice } from "./notice-page";
import { Talk } from "./talk";
import { useSession } from "./use-session";

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
        <>
          <div className="mx-auto mt-auto grid w-full max-w-[760px] gap-3 p-6">
            <Skeleton label={words.common.loading} className="h-12" />
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="h-5 w-1/2" />
          </div>
          <WaitingComposer draftKey={sessionId} />
        </>
      )}
    </section>
  );
}
