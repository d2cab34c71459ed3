"use client";
/** The conversation of the route: a session, or the draft of a new one. What draws messages is not needed for the first screen. */
import { lazy, Suspense, useEffect } from "react";
import type { ProjectId, SessionId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { newDraftKey } from "../chat/composer/early-text";
import { WaitingComposer } from "../chat/composer/waiting-composer";
import { NewSession } from "./new-session";
import { routeOf } from "./router";

const loadSessionPane = () => import("./session-pane");
const SessionPane = lazy(async () => ({ default: (await loadSessionPane()).SessionPane }));

// A page that begins with a session draws its messages at once: their program comes beside the rest and not behind it.
if (typeof window !== "undefined" && routeOf(location.pathname).page === "session") void loadSessionPane();

/** Before the first message is typed, behind what the first screen needs. Not every browser tells when it is idle. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const handle = requestIdleCallback(work, { timeout: limits.laterAtMostMs });
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, limits.laterBlindMs);
  return () => clearTimeout(timer);
}

export interface ConversationPaneProps {
  /** The projects are known: without one there is nothing to write to. */
  readonly isWelcome: boolean;
  readonly projectId: ProjectId | null;
  readonly sessionId: SessionId | null;
}

export function ConversationPane({ isWelcome, projectId, sessionId }: ConversationPaneProps) {
  useEffect(() => whenIdle(() => void loadSessionPane()), []);
  if (sessionId !== null)
    return (
      <Suspense fallback={<Waiting draftKey={sessionId} />}>
        <SessionPane key={sessionId} sessionId={sessionId} />
      </Suspense>
    );
  if (projectId !== null) return <NewSession key={projectId} projectId={projectId} />;
  return isWelcome ? <div className="flex-1 bg-canvas" /> : <Waiting draftKey={newDraftKey} />;
}

function Waiting({ draftKey }: { readonly draftKey: string }) {
  return (
    <div className="flex min-w-0 flex-1 flex-col bg-canvas">
      <WaitingComposer draftKey={draftKey} />
    </div>
  );
}
