"use client";
/** Why the sandbox probably stopped a command, and buttons that allow the network and run it outside as the user's own. */
import { ShieldAlert } from "lucide-react";
import type { CallView } from "@/lib/view/view";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Icon } from "../../ui/indicators/icon";
import { NetworkButton } from "./network-button";
import type { OwnRun } from "../own-commands/own-command";
import { OwnRunButton } from "../own-commands/own-run-button";

interface SandboxFailureNoteProps {
  readonly call: CallView;
  /** Absent = not offered. */
  readonly ownRun?: OwnRun;
}

export function SandboxFailureNote({ call, ownRun }: SandboxFailureNoteProps) {
  const { sandboxFailures: text } = useConversationMessages();
  const { sandboxFailure } = call.facts;
  if (sandboxFailure === undefined) return null;
  return (
    <div className="mb-1 ml-6 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="flex min-w-[min(18rem,100%)] flex-1 items-start gap-2 py-1 text-ink-muted">
        <Icon of={ShieldAlert} className="mt-0.5 shrink-0 text-ask" />
        {text.causes[sandboxFailure]}
      </p>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {sandboxFailure === "network" && <NetworkButton />}
        {ownRun !== undefined && <OwnRunButton {...{ call, ownRun }} cause="sandbox" />}
      </div>
    </div>
  );
}
