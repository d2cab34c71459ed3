"use client";
/** The changes of a session that the user has not decided, read again after each change of its files, and the decisions. */
import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { useCallback } from "react";
import type { CommandFamily } from "@/lib/protocol/command-family";
import type { CommandInput } from "@/lib/protocol/command";
import type { SessionView } from "@/lib/view/view";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { newCommandId } from "../../state/new-id";
import { useChange } from "../../state/use-change";
import { useCommandQuery } from "../../state/use-command-query";
import { useTopic } from "../../state/use-topic";
import { buildChangesKey } from "../change-scopes";

type Decisions = CommandInput<"review.decide">["decisions"];

/** Other programs write in folders that are not watched, ms. */
const refreshIntervalMs = 10_000;
const families: readonly CommandFamily[] = ["review."];

/** null = do not load. */
export const useReviewState = (view: SessionView | null) =>
  useCommandQuery("review.state", view === null ? skipToken : { sessionId: view.sessionId }, {
    retry: false,
    stamp: view === null ? "" : buildChangesKey(view),
    placeholderData: keepPreviousData,
    refetchInterval: refreshIntervalMs,
    refetchOnWindowFocus: true,
  });

/** Reads the review again when files of the project change. */
export function useReviewRefresh({ projectId, sessionId }: Pick<SessionView, "projectId" | "sessionId">): void {
  const { cache } = useClient();
  useTopic(
    "files",
    projectId,
    useCallback(() => void invalidateCommands(cache, families, { sessionId }), [cache, sessionId]),
  );
}

export interface ReviewActions {
  readonly isBusy: boolean;
  /** Resolves when the review has been read again. Failures are shown, and true is returned only without one. */
  readonly decide: (decisions: Decisions) => Promise<boolean>;
  /** Undoes the newest decision. */
  readonly undo: () => Promise<void>;
}

export function useReviewActions({ sessionId }: Pick<SessionView, "sessionId">): ReviewActions {
  const { cache, toasts } = useClient();
  const { errors } = useFullMessages();
  const { isBusy, perform } = useChange("toast");
  const settle = async (answer: ReturnType<typeof perform<"review.decide" | "review.undo">>): Promise<boolean> => {
    const result = await answer;
    const [failure] = result?.failed ?? [];
    if (failure !== undefined)
      toasts.show({ text: `${failure.path}: ${errors.sentences[failure.code]}`, look: "danger" });
    await invalidateCommands(cache, families, { sessionId });
    return result !== undefined && failure === undefined;
  };
  return {
    isBusy,
    decide: (decisions) => settle(perform("review.decide", { sessionId, commandId: newCommandId(), decisions })),
    async undo() {
      await settle(perform("review.undo", { sessionId, commandId: newCommandId() }));
    },
  };
}
