"use client";
/** A call in an answer's text that was not run: the reason, its target, and the user's decision. A viewer gets no buttons. */
import { CircleSlash2 } from "lucide-react";
import { useId, useState } from "react";
import type { UnrunCall } from "@/lib/events/content";
import { callTargetFromInput } from "@/lib/view/fold";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationActions, useConversationFacts } from "../actions";
import { UserMark } from "../user-mark";
import { opensKeyboard } from "../../ui/browser/focus";

interface UnrunCallLineProps {
  readonly call: UnrunCall;
  readonly index: number;
  /** The user ran it. */
  readonly isRun: boolean;
  /** seq of its message. */
  readonly of: number;
}

export function UnrunCallLine({ call, index, isRun, of }: UnrunCallLineProps) {
  const { common, unrunCall } = useConversationMessages();
  const { runControls } = useConversationActions();
  const { isIdle } = useConversationFacts();
  const id = useId();
  const [sent, setSent] = useState<"run" | "dismiss" | null>(null);
  const target = callTargetFromInput(call.input).split("\n", 1)[0] ?? "";
  const decide = async (run: boolean): Promise<void> => {
    setSent(run ? "run" : "dismiss");
    const isDecided = (await runControls?.decideCall(of, index, run)) === true;
    // The buttons go with the line. On a touch screen the field would open the keyboard.
    if (isDecided && !opensKeyboard()) runControls?.focusComposer();
    setSent(null);
  };
  return (
    <div
      role="group"
      aria-labelledby={id}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base text-ink-muted"
    >
      <div className="flex min-w-[min(22rem,100%)] flex-1 items-start gap-2 py-1">
        <Icon of={CircleSlash2} className="mt-0.5 shrink-0 text-ink-faint" />
        <div id={id} className="min-w-0">
          <p className="[overflow-wrap:anywhere]">
            {unrunCall.before}
            <code className="font-mono text-small text-ink">{call.name}</code>
            {unrunCall.after[call.reason]}
          </p>
          {target !== "" && (
            <p className="cut font-mono text-small" title={target}>
              <VisibleText text={target} names={common.hidden} />
            </p>
          )}
        </div>
      </div>
      {isRun && (
        <div className="max-tablet:ml-6">
          <UserMark>{unrunCall.ran}</UserMark>
        </div>
      )}
      {!isRun && runControls !== null && isIdle && (
        <div className="flex items-center gap-1 max-tablet:ml-6">
          <Button size="small" busy={sent === "run"} disabled={sent !== null} onClick={() => void decide(true)}>
            {unrunCall.run}
          </Button>
          <Button
            size="small"
            look="quiet"
            busy={sent === "dismiss"}
            disabled={sent !== null}
            onClick={() => void decide(false)}
          >
            {unrunCall.notCall}
          </Button>
        </div>
      )}
    </div>
  );
}
