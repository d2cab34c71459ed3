"use client";
/** An address that a server asks the user to open: its host made plain, opened by a click only. */
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { OutsideLink } from "../../ui/controls/outside-link";
import { VisibleText } from "../../ui/text/visible-text";
import { type AnswerQuestion, RefuseQuestion } from "./refuse-question";

interface QuestionAddressProps {
  readonly url: string;
  /** The answer is due when the user has finished there. */
  readonly waitsForEnd: boolean;
  readonly isSending: boolean;
  readonly onAnswer: AnswerQuestion;
}

export function QuestionAddress({ url, waitsForEnd, isSending, onAnswer }: QuestionAddressProps) {
  const { questions: text, common } = useFullMessages();
  const { protocol, host } = new URL(url);
  return (
    <>
      <div className="grid gap-1.5 border-t border-line px-3 py-2.5">
        <p className="text-small text-ink-muted">{waitsForEnd ? text.requiredNote : text.addressNote}</p>
        <p className="font-mono text-title [overflow-wrap:anywhere]">
          <span className="text-ink-muted">{protocol}//</span>
          <span className="font-semibold">{host}</span>
        </p>
        {protocol === "http:" && <p className="text-small text-ask">{text.unencrypted}</p>}
        <p
          tabIndex={0}
          aria-label={text.wholeAddress}
          className="max-h-24 overflow-y-auto font-mono text-code text-ink-muted [overflow-wrap:anywhere]"
        >
          <VisibleText text={url} names={common.hidden} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2.5">
        <OutsideLink href={url} onClick={waitsForEnd ? undefined : () => onAnswer("accept")}>
          {text.open(host)}
        </OutsideLink>
        {waitsForEnd && (
          <Button busy={isSending} onClick={() => onAnswer("accept")}>
            {text.finished}
          </Button>
        )}
        <RefuseQuestion isSending={isSending} onAnswer={onAnswer} />
      </div>
    </>
  );
}
