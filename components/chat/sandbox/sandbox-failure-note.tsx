"use client";
/**
 * Why the sandbox probably stopped a command, and buttons that allow the network and run it outside as the user's own. A
 * viewer gets no button.
 */
import { ShieldAlert } from "lucide-react";
import { useState } from "react";
import type { CallView } from "@/lib/view/view";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationActions } from "../actions";
import { commandOutside, type OutsideRun } from "./command-outside";
import { NetworkButton } from "./network-button";
import { UserMark } from "./user-mark";

interface SandboxFailureNoteProps {
  readonly call: CallView;
  /** The user ran it outside, or it waits to be. */
  readonly outsideRun?: OutsideRun;
}

export function SandboxFailureNote({ call, outsideRun }: SandboxFailureNoteProps) {
  const { common, sandboxFailures: text } = useConversationMessages();
  const { runControls } = useConversationActions();
  const [state, setState] = useState<"idle" | "asks" | "busy">("idle");
  const { sandboxFailure } = call.facts;
  if (sandboxFailure === undefined) return null;
  const command = commandOutside(call);
  const run = async (): Promise<void> => {
    setState("busy");
    await runControls?.runCommand(command);
    setState("idle");
  };
  return (
    <div className="mb-1 ml-6 flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="flex min-w-[min(18rem,100%)] flex-1 items-start gap-2 py-1 text-ink-muted">
        <Icon of={ShieldAlert} className="mt-0.5 shrink-0 text-ask" />
        {text.causes[sandboxFailure]}
      </p>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {sandboxFailure === "network" && <NetworkButton />}
        {outsideRun !== undefined ? (
          <UserMark>{text.runs[outsideRun]}</UserMark>
        ) : (
          runControls !== null && (
            <Button size="small" onClick={() => setState("asks")}>
              {text.runOutside}
            </Button>
          )
        )}
      </div>
      {state !== "idle" && (
        <ConfirmDialog
          title={text.title}
          yes={text.runOutside}
          busy={state === "busy"}
          onYes={() => void run()}
          onClose={() => setState("idle")}
        >
          <pre
            tabIndex={0}
            className="max-h-64 overflow-auto rounded-control border border-line bg-canvas px-3 py-2 font-mono text-code whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            <VisibleText text={command} names={common.hidden} />
          </pre>
          <p>{text.note}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
