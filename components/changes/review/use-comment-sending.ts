"use client";
/** Sends the comments on the changes of a session as one message of the user; during a run it waits for its end. */
import { formatReviewComments } from "@/lib/review/review-comments";
import type { SessionView } from "@/lib/view/view";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import { useChange } from "../../state/use-change";
import type { ReviewComments } from "./review-comments-store";

export function useCommentSending(view: SessionView, { list, remove }: ReviewComments) {
  const { review } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, perform } = useChange("toast");
  return {
    isSending: isBusy,
    async send() {
      const sent = await perform("session.send", {
        sessionId: view.sessionId,
        commandId: newCommandId(),
        text: formatReviewComments(list, view.model?.numCtx ?? 0),
        intent: view.run === null ? "prompt" : "followUp",
      });
      if (sent === undefined) return;
      remove(...list.map(({ id }) => id));
      toasts.show({ text: review.commentsSent(list.length) });
    },
  };
}
