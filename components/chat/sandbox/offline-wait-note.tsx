"use client";
/** Explains a running command that needs the network, runs without it and prints nothing, and offers the network. */
import { ShieldAlert } from "lucide-react";
import { useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Icon } from "../../ui/indicators/icon";
import { useNow } from "../../ui/text/use-now";
import { NetworkButton } from "./network-button";

/** Shorter silences are usual, ms. */
const silenceMs = 5_000;

interface OfflineWaitNoteProps {
  /** Start of the silence, ms epoch; absent = now. */
  readonly since?: number;
}

/** Use the length of the output as React key: each output starts a new silence. */
export function OfflineWaitNote({ since }: OfflineWaitNoteProps) {
  const { sandboxFailures } = useConversationMessages();
  const [start] = useState(() => since ?? Date.now());
  const now = useNow(1000);
  if (now - start < silenceMs) return null;
  return (
    <div className="mb-1 ml-6 flex animate-appear flex-wrap items-center gap-x-3 gap-y-1">
      <p role="status" className="flex min-w-[min(18rem,100%)] flex-1 items-start gap-2 py-1 text-ink-muted">
        <Icon of={ShieldAlert} className="mt-0.5 shrink-0 text-ask" />
        {sandboxFailures.waitsOffline}
      </p>
      <NetworkButton />
    </div>
  );
}
