"use client";
/**
 * Page of a share link: takes the token out of the URL, connects, and shows the session or the reason it is
 * unavailable.
 */
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { forgetShareToken, takeShareToken } from "../state/share-token";
import { useStore } from "../state/store";
import { createViewer, type Viewer } from "../state/viewer";
import { Spinner } from "../ui/spinner";
import { localeOf } from "../words/language";
import { loadOutsideWords, type OutsideWords, useOutsideWords } from "../words/outside-words";
import { loadWords, WordsProvider } from "../words/words";
import { ErrorBoundary } from "./error-boundary";
import { Notice } from "./notice-page";

const loadTalk = () => import("./viewer-talk");
const ViewerTalk = lazy(async () => ({ default: (await loadTalk()).ViewerTalk }));

const locale = () => localeOf("system", navigator.languages);
// Load the conversation renderer in parallel with the connection.
if (typeof window !== "undefined") {
  void loadWords(locale());
  void loadOutsideWords(locale());
  void loadTalk();
}

const never = () => () => undefined;

export function ViewerApp() {
  // The statically exported page has neither language nor link.
  const isBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return isBrowser ? <Browser /> : <Blank />;
}

const Blank = () => <div aria-busy className="h-dvh bg-canvas" />;

function Browser() {
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
      <WordsProvider locale={locale()}>
        <ErrorBoundary>
          {viewer === null ? (
            <Blank />
          ) : typeof viewer === "string" ? (
            <Refused why={viewer} />
          ) : (
            <Shown viewer={viewer} />
          )}
        </ErrorBoundary>
      </WordsProvider>
    </Suspense>
  );
}

function Shown({ viewer }: { readonly viewer: Viewer }) {
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
    return <Refused why={state.why} {...(state.why === "full" ? { onAgain: viewer.start } : {})} />;
  if (state.at === "connecting") return <Connecting isGone={state.link === "gone"} onAgain={viewer.start} />;
  return (
    <Suspense fallback={<Connecting isGone={false} onAgain={viewer.start} />}>
      <ViewerTalk {...state} />
    </Suspense>
  );
}

function Connecting({ isGone, onAgain }: { readonly isGone: boolean; readonly onAgain: () => void }) {
  const { share } = useOutsideWords();
  return (
    <main className="flex h-dvh overflow-auto bg-canvas">
      {isGone ? (
        <Notice title={share.viewer.gone} action={{ label: share.viewer.again, onSelect: onAgain }} />
      ) : (
        <p role="status" className="m-auto flex animate-late items-center gap-2 p-6 text-ink-muted">
          <Spinner className="text-accent" /> {share.viewer.connecting}
        </p>
      )}
    </main>
  );
}

interface RefusedProps {
  readonly why: keyof OutsideWords["share"]["viewer"]["refused"];
  readonly onAgain?: () => void;
}

function Refused({ why, onAgain }: RefusedProps) {
  const { viewer } = useOutsideWords().share;
  const { title, note } = viewer.refused[why];
  return (
    <main data-refused={why} role="alert" className="flex h-dvh overflow-auto bg-canvas">
      <Notice
        title={title}
        note={note}
        {...(onAgain === undefined ? {} : { action: { label: viewer.again, onSelect: onAgain } })}
      />
    </main>
  );
}
