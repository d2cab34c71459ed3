"use client";
/**
 * Runs a command of the agent as the user's own, once: a button, a question that shows the whole command, and in place of the
 * button that it ran. A viewer gets no button.
 */
import { useState } from "react";
import type { CallView } from "@/lib/view/view";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Button } from "../../ui/controls/button";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationActions } from "../actions";
import { type OwnRun, ownCommandText } from "./own-command";
import { UserMark } from "../user-mark";

interface OwnRunButtonProps {
  readonly call: CallView;
  readonly ownRun: OwnRun;
  /** Why it did not run as the agent's: by the sandbox, or by a blocked word. */
  readonly cause: "sandbox" | "name";
}

export function OwnRunButton({ call, ownRun, cause }: OwnRunButtonProps) {
  const { common, ownRuns } = useConversationMessages();
  const { runControls } = useConversationActions();
  const [state, setState] = useState<"idle" | "asks" | "busy">("idle");
  const text = ownRuns[cause];
  if (ownRun !== "offered") return <UserMark>{text[ownRun]}</UserMark>;
  if (runControls === null) return null;
  const command = ownCommandText(call);
  const run = async (): Promise<void> => {
    setState("busy");
    await runControls.runCommand(command);
    setState("idle");
  };
  return (
    <>
      <Button size="small" onClick={() => setState("asks")}>
        {text.run}
      </Button>
      {state !== "idle" && (
        <ConfirmDialog
          title={text.title}
          yes={text.run}
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
    </>
  );
}
