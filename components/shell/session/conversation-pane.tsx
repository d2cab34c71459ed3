"use client";
/**
 * Conversation of the route: a session, or the draft of a new one. The message renderer loads lazily because the first
 * screen does not need it.
 */
import { lazy, Suspense, useEffect } from "react";
import type { ProjectId, SessionId } from "@/lib/events/id";
import { newDraftKey } from "../../chat/composer/drafts/early-text";
import { WaitingComposer } from "../../chat/composer/drafts/waiting-composer";
import { NewSession } from "../start/new-session";
import { parseRoute } from "../navigation/router";
import { currentPath } from "../../state/base-path";
import { useClient } from "../../state/client";

/** Maximum delay before deferred code is loaded, ms. */
const laterAtMostMs = 2_000;
/** The same in browsers without requestIdleCallback, ms. */
const laterBlindMs = 500;

const loadSessionPane = () => import("./session-pane");
const SessionPane = lazy(async () => ({ default: (await loadSessionPane()).SessionPane }));

// A page that opens on a session needs the message renderer at once: load its chunk in parallel with the others.
if (typeof window !== "undefined" && parseRoute(currentPath()).page === "session") void loadSessionPane();

/**
 * Schedules the work after the first screen has loaded, before the first message is sent. Not every browser has
 * requestIdleCallback.
 */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, { timeout: laterAtMostMs });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, laterBlindMs);
  return () => clearTimeout(timer);
}

interface ConversationPaneProps {
  /** The project list has loaded; without a project there is nothing to write to. */
  readonly isLoaded: boolean;
  readonly projectId: ProjectId | null;
  readonly sessionId: SessionId | null;
}

export function ConversationPane({ isLoaded, projectId, sessionId }: ConversationPaneProps) {
  const client = useClient();
  useEffect(() => whenIdle(() => void loadSessionPane().then((late) => late.startLater(client))), [client]);
  if (sessionId !== null)
    return (
      <Suspense fallback={<ComposerPlaceholder draftKey={sessionId} />}>
        <SessionPane key={sessionId} sessionId={sessionId} />
      </Suspense>
    );
  if (projectId !== null) return <NewSession key={projectId} projectId={projectId} />;
  return isLoaded ? <div className="flex-1 bg-canvas" /> : <ComposerPlaceholder draftKey={newDraftKey} />;
}

function ComposerPlaceholder({ draftKey }: { readonly draftKey: string }) {
  return (
    <div className="flex min-w-0 flex-1 flex-col bg-canvas">
      <WaitingComposer draftKey={draftKey} />
    </div>
  );
}
