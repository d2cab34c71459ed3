"use client";
/**
 * Page of a share link: takes the token out of the URL, connects, and shows the session or the reason it is
 * unavailable.
 */
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { forgetShareToken, takeShareToken } from "../../state/viewer/share-token";
import { useStore } from "../../state/store";
import { createViewer, type Viewer } from "../../state/viewer/viewer";
import { Spinner } from "../../ui/indicators/spinner";
import { resolveLocale } from "../../messages/resolve-locale";
import { loadSharingMessages, type SharingMessages, useSharingMessages } from "../../messages/sharing-messages";
import { loadConversationMessages } from "../../messages/conversation-messages";
import { loadMessages, MessagesProvider } from "../../messages/messages";
import { ErrorBoundary } from "../notices/error-boundary";
import { NoticePage } from "../notices/notice-page";

const loadViewerScreen = () => import("./viewer-screen");
const ViewerScreen = lazy(async () => ({ default: (await loadViewerScreen()).ViewerScreen }));

const locale = () => resolveLocale("system", navigator.languages);
// Load the conversation renderer in parallel with the connection.
if (typeof window !== "undefined") {
  void loadMessages(locale());
  void loadSharingMessages(locale());
  void loadConversationMessages(locale());
  void loadViewerScreen();
}

const noSubscription = () => () => undefined;

export function ViewerApp() {
  // The statically exported page has neither language nor link.
  const isBrowser = useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
  return isBrowser ? <ViewerPage /> : <Blank />;
}

const Blank = () => <div aria-busy className="h-dvh bg-canvas" />;

function ViewerPage() {
  const [viewer, setViewer] = useState<Viewer | "noLink" | "ended" | null>(null);
  useEffect(() => {
    document.documentElement.lang = locale();
    let running: Viewer | null = null;
    const begin = (): void => {
      const stored = takeShareToken();
      running?.stop();
      running = stored === null || stored === "over" ? null : createViewer({ token: stored.token, now: Date.now });
      running?.start();
      setViewer(running ?? (stored === "over" ? "ended" : "noLink"));
    };
    // Pasting another link over this page changes only the hash.
    const onHash = (): void => {
      if (location.hash.length > 1) begin();
    };
    begin();
    addEventListener("hashchange", onHash);
    return () => {
      removeEventListener("hashchange", onHash);
      running?.stop();
    };
  }, []);
  return (
    <Suspense fallback={<Blank />}>
      <MessagesProvider locale={locale()}>
        <ErrorBoundary>
          {viewer === null ? (
            <Blank />
          ) : typeof viewer === "string" ? (
            <RefusedNotice why={viewer} />
          ) : (
            <ConnectedViewer viewer={viewer} />
          )}
        </ErrorBoundary>
      </MessagesProvider>
    </Suspense>
  );
}

function ConnectedViewer({ viewer }: { readonly viewer: Viewer }) {
  const state = useStore(viewer, (value) => value);
  const isOver = state.at === "refused" && state.why !== "full";
  useEffect(() => {
    if (isOver) forgetShareToken();
  }, [isOver]);
  useEffect(() => {
    const reconnect = (): void => {
      const now = viewer.get();
      if (document.visibilityState === "visible" && now.at !== "refused" && now.link !== "online") viewer.start();
    };
    document.addEventListener("visibilitychange", reconnect);
    addEventListener("online", reconnect);
    return () => {
      document.removeEventListener("visibilitychange", reconnect);
      removeEventListener("online", reconnect);
    };
  }, [viewer]);
  if (state.at === "refused")
    return <RefusedNotice why={state.why} onAgain={state.why === "full" ? viewer.start : undefined} />;
  if (state.at === "connecting") return <Connecting isGone={state.link === "gone"} onAgain={viewer.start} />;
  return (
    <Suspense fallback={<Connecting isGone={false} onAgain={viewer.start} />}>
      <ViewerScreen {...state} />
    </Suspense>
  );
}

function Connecting({ isGone, onAgain }: { readonly isGone: boolean; readonly onAgain: () => void }) {
  const { share } = useSharingMessages();
  return (
    <main className="flex h-dvh overflow-auto bg-canvas">
      {isGone ? (
        <NoticePage title={share.viewer.gone} action={{ label: share.viewer.again, onSelect: onAgain }} />
      ) : (
        <p role="status" className="m-auto flex animate-late items-center gap-2 p-6 text-ink-muted">
          <Spinner className="text-accent" /> {share.viewer.connecting}
        </p>
      )}
    </main>
  );
}

interface RefusedNoticeProps {
  readonly why: keyof SharingMessages["share"]["viewer"]["refused"];
  readonly onAgain?: () => void;
}

function RefusedNotice({ why, onAgain }: RefusedNoticeProps) {
  const { viewer } = useSharingMessages().share;
  const { title, note } = viewer.refused[why];
  return (
    <main data-refused={why} role="alert" className="flex h-dvh overflow-auto bg-canvas">
      <NoticePage
        title={title}
        note={note}
        action={onAgain === undefined ? undefined : { label: viewer.again, onSelect: onAgain }}
      />
    </main>
  );
}
