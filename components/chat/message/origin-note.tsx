"use client";
/** Above a message of the user that was not written in the browser: where it comes from. */
import type { Origin } from "@/lib/events/event";
import { useConversationMessages } from "../../messages/conversation-messages";

export function OriginNote({ origin }: { readonly origin: Origin }) {
  const { origins } = useConversationMessages();
  // A newer version may have written kinds that this one does not have.
  return Object.hasOwn(origins, origin.kind) ? (
    <p className="mb-1 text-small text-ink-muted">{origins[origin.kind]("name" in origin ? origin.name : "")}</p>
  ) : null;
}
