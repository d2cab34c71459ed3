"use client";
/** Preloads the displayed model when the user is about to write, once per model. */
import { useEffect, useRef } from "react";
import type { SessionId } from "@/lib/events/id";
import { useClient } from "../../state/client";
import type { ModelSelection } from "../start/model-selection";

/** Requests warming while the tab is visible. `sessionId` null = a session that does not exist yet. */
export function usePreloadModel(
  sessionId: SessionId | null,
  { model, connection }: ModelSelection,
  isOnline: boolean,
): void {
  const { call } = useClient();
  const warmed = useRef("");
  useEffect(() => {
    if (!isOnline || model === "" || connection !== null) return;
    const warm = (): void => {
      if (document.visibilityState !== "visible" || warmed.current === model) return;
      warmed.current = model;
      // The state of the model server shows the result.
      void (sessionId === null ? call("models.warm", { model }) : call("session.warm", { sessionId }));
    };
    warm();
    document.addEventListener("visibilitychange", warm);
    return () => document.removeEventListener("visibilitychange", warm);
  }, [call, sessionId, model, connection, isOnline]);
}
