"use client";
/** Card of a question that a server asks: its words, marked as its own, and a form or an address. */
import { MessageCircleQuestion } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState } from "react";
import type { ElicitationView } from "@/lib/tools/elicitation";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Icon } from "../../ui/indicators/icon";
import { classes } from "../../ui/theme/classes";
import { useNow } from "../../ui/text/use-now";
import { VisibleText } from "../../ui/text/visible-text";
import { focusNextApproval, storeFocus } from "../approval/approval-focus";
import { useClickGuard } from "../approval/use-click-guard";
import { QuestionAddress } from "./question-address";
import { QuestionForm } from "./question-form";
import type { AnswerQuestion } from "./refuse-question";

export function QuestionCard({ question }: { readonly question: ElicitationView }) {
  const { questions: text, common } = useFullMessages();
  const { call, toasts } = useClient();
  const [isSending, setIsSending] = useState(false);
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const guard = useClickGuard();
  useLayoutEffect(() => {
    const shown = card.current;
    return () => {
      if (shown !== null) focusNextApproval(shown);
    };
  }, []);
  const { id, server, message, asks, until } = question;
  const answer: AnswerQuestion = (action, content) => {
    setIsSending(true);
    void call("mcp.answer", { question: id, action, ...(content === undefined ? {} : { content }) }).then((sent) => {
      setIsSending(false);
      if (!sent.ok) toasts.show({ text: sent.error.code === "not_found" ? text.ended : text.failed, look: "danger" });
    });
  };
  return (
    <section
      ref={card}
      aria-labelledby={titleId}
      data-question={id}
      data-state={isSending ? "sending" : "waiting"}
      tabIndex={-1}
      onFocus={(event) => storeFocus(event.relatedTarget)}
      className="my-1 animate-rise overflow-hidden rounded-card border border-[color-mix(in_srgb,var(--ask-edge)_55%,var(--line))] bg-raised text-base shadow-float outline-offset-2"
    >
      <header className="flex min-h-10 items-center gap-2 bg-ask-soft px-3 py-2.5">
        <Icon of={MessageCircleQuestion} className="text-ask" />
        <span id={titleId} role="status" className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">
          <VisibleText text={text.asks(server)} names={common.hidden} />
        </span>
        <TimeLeft until={until} />
      </header>
      <figure className="px-3 py-2.5">
        <figcaption className="text-small text-ink-muted">{text.ownWords}</figcaption>
        <blockquote
          tabIndex={0}
          aria-label={text.message}
          className="mt-1.5 max-h-48 overflow-y-auto border-l-2 border-line pl-2.5 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <VisibleText text={message} names={common.hidden} />
        </blockquote>
      </figure>
      <div
        ref={guard.ref}
        onPointerOver={guard.onPointerOver}
        className={classes(guard.isActive && "pointer-events-none")}
      >
        {asks.kind === "form" ? (
          <QuestionForm fields={asks.fields} isSending={isSending} onAnswer={answer} />
        ) : (
          <QuestionAddress url={asks.url} waitsForEnd={asks.waitsForEnd} isSending={isSending} onAnswer={answer} />
        )}
      </div>
    </section>
  );
}

function TimeLeft({ until }: { readonly until: number }) {
  const { questions: text, figures } = useFullMessages();
  const left = Math.max(0, until - useNow(1_000));
  return (
    <span className="shrink-0 text-small text-ink-muted tabular-nums">
      {text.left(figures.duration(Math.ceil(left / 1_000) * 1_000))}
    </span>
  );
}
