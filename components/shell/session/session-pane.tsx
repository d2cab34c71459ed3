"use client";
/** Pane of an open session, or the reason it cannot be shown. `data-seq` is the last seq on screen. */
import type { SessionId } from "@/lib/events/id";
import { WaitingComposer } from "../../chat/composer/drafts/waiting-composer";
import { Skeleton } from "../../ui/indicators/skeleton";
import { loadConversationMessages, useConversationMessages } from "../../messages/conversation-messages";
import { isOfHub } from "../../state/base-path";
import type { AppClient } from "../../state/client";
import { restWhenHidden } from "../../state/connection/rest-when-hidden";
import { resolveLocale } from "../../messages/resolve-locale";
import { rememberedLanguage } from "../boot/browser-storage";
import { registerWorker } from "../boot/register-worker";
import { NoticePage } from "../notices/notice-page";
import { SessionScreen } from "./session-screen";
import { useSession } from "./use-session";

// Its messages load in parallel with the other chunks; the worker is registered after the first screen.
if (typeof window !== "undefined") {
  void loadConversationMessages(resolveLocale(rememberedLanguage(), navigator.languages));
  registerWorker();
}

let hasStarted = false;

/** Starts what a page of a hub needs after its first screen, once. */
export function startLater({ connection, cache }: AppClient): void {
  if (!hasStarted && isOfHub()) restWhenHidden(connection, cache);
  hasStarted = true;
}

export function SessionPane({ sessionId }: { readonly sessionId: SessionId }) {
  // Loaded before anything below is drawn, so that no card suspends.
  const messages = useConversationMessages();
  const { store, session } = useSession(sessionId);
  const { view, error } = session;
  return (
    <section
      aria-label={messages.shell.conversation}
      data-session={sessionId}
      data-seq={view?.seq ?? ""}
      className="relative flex min-h-0 min-w-0 flex-1 flex-col bg-canvas"
    >
      {view !== null && store !== null && <SessionScreen store={store} session={session} view={view} />}
      {view === null && error !== null && (
        <NoticePage
          title={error.code === "not_found" ? messages.shell.sessionGone : messages.shell.sessionFailed}
          note={error.code === "not_found" ? messages.shell.sessionGoneNote : messages.errors.sentences[error.code]}
          action={
            error.code === "not_found"
              ? { label: messages.shell.newSession, path: "/" }
              : { label: messages.common.retry, onSelect: () => store?.open() }
          }
        />
      )}
      {view === null && error === null && (
        <>
          <div className="mx-auto mt-auto grid w-full max-w-[760px] gap-3 p-6">
            <Skeleton label={messages.common.loading} className="h-12" />
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="h-5 w-1/2" />
          </div>
          <WaitingComposer draftKey={sessionId} />
        </>
      )}
    </section>
  );
}
