"use client";
/** Says that the system watches no more files, and what ends it. */
import { useCallback, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { PushOf } from "@/lib/protocol/topics";
import { useMessages } from "../../messages/messages";
import { useTopic } from "../../state/use-topic";

export function PollingNotice({ projectId }: { readonly projectId: ProjectId }) {
  const { files } = useMessages();
  const [isPolled, setIsPolled] = useState(false);
  const receive = useCallback((push: PushOf<"files"> | null): void => {
    if (push !== null) setIsPolled(push.isPolled === true);
  }, []);
  useTopic("files", projectId, receive);
  return (
    <div role="status" className="shrink-0 px-3 text-small text-ink-muted">
      {isPolled && <p className="pb-1.5">{files.polled}</p>}
    </div>
  );
}
